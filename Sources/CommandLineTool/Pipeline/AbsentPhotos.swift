import Exporting
import Model
import Replica

/// The photos that the files of one project are to pack or to show, and whose files are not here.
/// This happens before anything is written. So a delivery that is there already says what it
/// lacks as well, and it is made again once they are back.
struct AbsentPhotos {
    private(set) var ids: Set<String> = []
    /// The names of those that would be packed.
    private(set) var names: Set<String> = []
    private var findings: [Finding] = []

    /// None.
    init() {}

    init(of request: any ProductRequest, in reading: ReadSession, _ session: CommandSession) throws {
        let packed = request.packedPhotos
        if let packed { try look(for: packed.entity, named: packed.name, in: reading, session.replicaFolder) }
        let shown = request.contents(in: session.pack).reports.flatMap { $0.pictured(in: session.pack) }
        for entity in Set(shown).sorted() where entity != packed?.entity {
            try look(for: entity, named: session.pack.entity(entity)?.field(of: .name)?.name ?? "id", in: reading, session.replicaFolder, withFiles: true)
        }
    }

    /// - Parameter withFiles: only rows that name a file. Pages leave out photos that never came.
    private mutating func look(
        for entity: String, named field: String, in reading: ReadSession, _ base: String, withFiles: Bool = false
    ) throws {
        let photos = PhotoReader(try reading.photos(of: entity, named: field), base: base)
        while let (photo, id) = try photos.nextRow() {
            if withFiles && photo.path == nil { continue }
            if try photo.isThere() || !ids.insert(id).inserted { continue }
            if !withFiles { names.insert(photo.name) }
            // Of a photo that was here, its file is gone; others never came.
            let code = photo.path == nil ? "PHOTO-MISSING" : "PHOTO-GONE"
            findings.append(Finding(code, place: Place(table: entity, id: id), arguments: ["name": photo.name]))
        }
    }

    func report(_ sink: any FindingSink) throws {
        for finding in findings { try sink.add(finding) }
    }

    /// Distinguish a delivery without them from the one that has them; empty where none is absent.
    var facts: [String] { ids.isEmpty ? [] : ["absent photos " + Fingerprint.of(ids.sorted())] }
}

extension ReportDefinition {
    /// The entities of which its blocks show the pictures.
    fileprivate func pictured(in pack: Pack) -> [String] {
        sections.flatMap(\.blocks).filter { $0.name == "photos" }.flatMap { block -> [String] in
            guard let query = block.template.text("query").flatMap(query), let path = block.template.text("path") else { return [] }
            let read: Set<String> = switch query.source {
            case .rows(let sheet, _, _): [sheet.entity]
            case .sql(let sql): pack.tables(inSQL: sql)
            }
            return pack.entities.filter { read.contains($0.name) && $0.field(of: .path)?.name == path }.map(\.name)
        }
    }
}
