package import Exporting
package import Model
import Replica

/// The photos that one project's files should pack or show, but that are missing on this machine.
/// They are determined before anything is written. So an existing delivery also reports its missing
/// photos, and is made anew once they are back.
package struct AbsentPhotos {
    package private(set) var ids: Set<String> = []
    /// The names of the absent photos that would be packed.
    package private(set) var names: Set<String> = []
    private var findings: [Finding] = []

    /// No absent photos.
    init() {}

    init(of request: any ProductRequest, in reading: ReadSession, _ session: WorkSession) throws {
        let packed = request.packedPhotos
        if let packed { try look(for: packed.entity, named: packed.name, in: reading, session.replicaFolder) }
        let shown = request.contents(in: session.pack).reports.flatMap { $0.pictured(in: session.pack) }
        for entity in Set(shown).sorted() where entity != packed?.entity {
            try look(
                for: entity, named: session.pack.entity(entity)?.field(of: .name)?.name ?? "id", in: reading,
                session.replicaFolder, withFiles: true)
        }
    }

    /// - Parameter withFiles: whether only rows with a file count, as for pages, which leave out
    ///   photos that never arrived.
    private mutating func look(
        for entity: String, named field: String, in reading: ReadSession, _ base: String, withFiles: Bool = false
    ) throws {
        let photos = PhotoReader(try reading.photos(of: entity, named: field), base: base)
        while let (photo, id) = try photos.nextRow() {
            if withFiles && photo.path == nil { continue }
            if try photo.isThere() || !ids.insert(id).inserted { continue }
            if !withFiles { names.insert(photo.name) }
            // A photo with a path has lost its file; one without was never received.
            let code = photo.path == nil ? "PHOTO-MISSING" : "PHOTO-GONE"
            findings.append(Finding(code, place: Place(table: entity, id: id), arguments: ["name": photo.name]))
        }
    }

    package func report(_ sink: any FindingSink) throws {
        for finding in findings { try sink.add(finding) }
    }

    /// Facts for the fingerprint of a delivery without these photos; empty if none is absent.
    package var facts: [String] { ids.isEmpty ? [] : ["absent photos " + Fingerprint.of(ids.sorted())] }
}

extension ReportDefinition {
    /// The entities whose pictures its blocks show.
    fileprivate func pictured(in pack: Pack) -> [String] {
        sections.flatMap(\.blocks).filter { $0.name == "photos" }.flatMap { block -> [String] in
            guard let query = block.template.text("query").flatMap(query), let path = block.template.text("path") else {
                return []
            }
            let read: Set<String> = switch query.source {
            case .rows(let sheet, _, _): [sheet.entity]
            case .sql(let sql): pack.tables(inSQL: sql)
            }
            return pack.entities.filter { read.contains($0.name) && $0.field(of: .path)?.name == path }.map(\.name)
        }
    }
}

/// The targets of a package's links: its photos, in a folder beside that of the workbooks.
struct PhotoLinks {
    private let entity: String
    private let field: String
    private let files: LinkedFiles

    /// The photos of the selected records; nil where the package has none.
    init?(to packed: PackedPhotos?, without absent: AbsentPhotos) {
        guard let packed else { return nil }
        (entity, field) = (packed.entity, packed.name)
        files = LinkedFiles(folder: "../\(BundleWriter.photoFolder)", absent: absent.names)
    }

    /// The sheet, with links in the column of the photos' names if it is a sheet of photos.
    func added(to sheet: Sheet) -> Sheet {
        guard sheet.entity == entity, let column = sheet.columns.firstIndex(where: { $0.name == field }) else {
            return sheet
        }
        var linked = sheet
        linked.columns[column].kind = .link
        linked.columns[column].files = files
        return linked
    }
}

/// Reads the rows of a photo query one by one: name, path (relative to the replica's folder),
/// SHA-256, id.
package final class PhotoReader {
    private let rows: any RowSource
    private let base: String
    private let absent: AbsentPhotos
    private var batch = RowBatch(columnCount: 4)
    private var position = 0

    /// - Parameter absent: photos whose files are known to be missing; they get no path.
    init(_ rows: any RowSource, base: String, absent: AbsentPhotos = AbsentPhotos()) {
        self.rows = rows
        self.base = base
        self.absent = absent
    }

    package func next() throws -> BundlePhoto? { try nextRow()?.photo }

    func nextRow() throws -> (photo: BundlePhoto, id: String)? {
        if position == batch.rowCount {
            try rows.fill(&batch)
            position = 0
            if batch.rowCount == 0 { return nil }
        }
        defer { position += 1 }
        let id = batch.string(position, 3) ?? ""
        let path =
            absent.ids.contains(id) ? nil : batch.string(position, 1).map { $0.hasPrefix("/") ? $0 : base + "/" + $0 }
        return (BundlePhoto(name: batch.string(position, 0) ?? "", path: path, sha256: batch.string(position, 2)), id)
    }
}
