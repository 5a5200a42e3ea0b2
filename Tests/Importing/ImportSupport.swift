import Foundation
import JSONReading
import Workbench

@testable import Importing
@testable import Model

/// A small pack with a field of every type.
enum EveryFieldPack {
    static let pack = Pack(
        name: "pits", version: "1.0.0", fingerprint: "", directory: URL(fileURLWithPath: "/"), languages: [.spanish], environments: ["DEV"],
        timeZone: "America/Lima", privacyClasses: ["public", "internal", "personal", "secret"], roles: [],
        project: ProjectNaming(entity: "projects", code: "code", name: "name"),
        entities: [
            Entity(name: "projects", aliases: ["Project"], fields: [Field(name: "id", type: .uuid), Field(name: "code", type: .text)]),
            Entity(
                name: "calicatas", aliases: ["LocalCalicata"],
                fields: [
                    Field(name: "id", type: .uuid), Field(name: "project_id", aliases: ["projectId"], type: .uuid, references: "projects"),
                    Field(name: "code", type: .text), Field(name: "depth_m", aliases: ["depthM"], type: .decimal),
                    Field(name: "number", type: .integer), Field(name: "dry", type: .boolean), Field(name: "day", type: .date),
                    Field(name: "seen_at", type: .datetime), Field(name: "moisture", type: .text, vocabulary: "moisture"),
                    Field(name: "extra", type: .json), Field(name: "spot", type: .point), Field(name: "ring", type: .polygon),
                    Field(name: "photo_ids", type: .list, references: "photos"), Field(name: "phone", type: .integer, privacy: "personal"),
                ]),
        ],
        vocabularies: [Vocabulary(name: "moisture", entries: [.init(value: "húmedo", aliases: ["HUMEDO"])])], records: [], numberings: [],
        rules: [], exports: [], jobs: [], texts: Texts())

    static let id = "0198a000-0000-7000-8000-000000000001"
}

/// An import target that stores every row and remembers it.
final class RememberingTarget: ImportTarget {
    private let pack: Pack
    private(set) var stored: [ImportedRow] = []
    private(set) var rejected: [(entity: String?, raw: String, place: Place, findings: [Finding])] = []
    private(set) var notes: [Finding] = []
    private(set) var deleted: [ImportedDeletion] = []
    private(set) var filtered = 0

    init(pack: Pack = EveryFieldPack.pack) { self.pack = pack }

    func begin(table: Int) -> Int { 0 }

    func store(_ stretch: inout ImportedStretch) {
        for batch in stretch.batches {
            let entity = pack.entity(batch.entity)
            if let entity { stored += ImportedRow.rows(of: batch, entity) }
            rejected += batch.rejects.map { (entity?.name, $0.raw, $0.place, $0.findings) }
            notes += batch.notes
            deleted += batch.deletions
            filtered += batch.filtered
        }
        stretch.removeAll()
    }
}

/// The result of one row of a source for one entity.
struct ReadRow {
    var entity: String
    /// An object with the fields that the row states, as the replica stores them.
    var value = JSONValue.null
    var isFiltered = false
    var findings: [Finding] = []
    var raw: String?
    var line: Int?
    var sheet: String?
    var mapping: String?

    private init(_ entity: String) { self.entity = entity }

    /// All rows that a source gives, entity by entity in the order of the source.
    static func rows(of source: any Source, pack: Pack = EveryFieldPack.pack) throws -> [ReadRow] {
        var rows: [ReadRow] = []
        for table in source.tables {
            try table.read(0) { stretch in
                for batch in stretch.batches { rows += Self.rows(of: batch, pack) }
            }
        }
        return rows
    }

    private static func rows(of batch: ImportedBatch, _ pack: Pack) -> [ReadRow] {
        let entity = pack.entity(batch.entity)
        var rows: [ReadRow] = []
        for row in entity.map({ ImportedRow.rows(of: batch, $0) }) ?? [] {
            var read = ReadRow(batch.entity)
            read.value = .object(row.values.sorted { $0.key < $1.key }.map { name, value in
                .init(key: name, value: json(value, entity?.field(name)?.type))
            })
            read.findings = batch.notes.filter { $0.place.line == row.place.line }
            (read.raw, read.line, read.sheet, read.mapping) = (row.raw, row.place.line, row.place.sheet, row.place.mapping)
            rows.append(read)
        }
        rows += batch.rejects.map { reject in
            var read = ReadRow(batch.entity)
            (read.findings, read.raw, read.line, read.mapping) = (reject.findings, reject.raw, reject.place.line, reject.place.mapping)
            read.sheet = reject.place.sheet
            read.value = (try? JSONValue.parse(reject.raw)) ?? .null
            return read
        }
        for _ in 0..<batch.filtered {
            var read = ReadRow(batch.entity)
            read.isFiltered = true
            rows.append(read)
        }
        // The rows of a drawing have an order of their own.
        return batch.place.mapping == nil ? rows : rows.sorted { ($0.line ?? .max) < ($1.line ?? .max) }
    }

    private static func json(_ value: MemoryRows.Value, _ type: FieldType?) -> JSONValue {
        switch value {
        case .null: .null
        case .integer(let integer): .number(String(integer))
        case .real(let real): .number(real == real.rounded() ? String(Int(real)) : real.description)
        case .text(let text):
            [.json, .point, .polygon, .list].contains(type) ? (try? JSONValue.parse(text)) ?? .string(text) : .string(text)
        }
    }
}

/// A folder that is removed at the end of the test.
final class Folder {
    private let folder: TemporaryFolder
    var path: String { folder.path }

    init() throws { folder = try TemporaryFolder() }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String { try folder.write(text, to: name) }
}

/// The whole result of importing a file or a folder.
struct ImportRun {
    let target = RememberingTarget()
    let findings = FindingList()
    let counts: [Importer.ImportedCount]

    init(_ path: String, entity: String? = nil) throws {
        let source = try SourceFormats.open(SourceLocation(path: path, entity: entity), pack: EveryFieldPack.pack)
        counts = try Importer(pack: EveryFieldPack.pack).run(source, into: target, findings: findings, progress: { _ in })
    }

    var codes: [String] { (findings.findings + target.notes + target.rejected.flatMap(\.findings)).map(\.code) }
}
