import Foundation
import Model
import Workbench

@testable import Importing

/// A small pack, a folder to write into, and a target that remembers what it was given.
enum PitPack {
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

/// Remembers what it was given; stores everything.
final class RememberingTarget: ImportTarget {
    private(set) var stored: [ImportedRow] = []
    private(set) var rejected: [(entity: String?, raw: String, place: Place, findings: [Finding])] = []

    func store(_ row: ImportedRow) -> ImportOutcome {
        var row = row
        for (field, value) in zip(PitPack.pack.entity(row.entity)?.fields ?? [], row.ordered ?? []) {
            if let value { row.values[field.name] = value }
        }
        stored.append(row)
        return .imported
    }

    func begin(table: Int) -> Int { 0 }

    private(set) var notes: [Finding] = []

    func note(_ finding: Finding) { notes.append(finding) }

    private(set) var deleted: [ImportedDeletion] = []

    func delete(_ deletion: ImportedDeletion) -> ImportOutcome {
        deleted.append(deletion)
        return .unchanged
    }

    private(set) var filtered = 0

    func filter(entity: String, count: Int) { filtered += count }

    func reject(entity: String?, raw: String, place: Place, findings: [Finding]) {
        rejected.append((entity, raw, place, findings))
    }
}

/// A folder that goes away with the test.
final class Folder {
    private let folder: TemporaryFolder
    var path: String { folder.path }

    init() throws { folder = try TemporaryFolder() }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String { try folder.write(text, to: name) }
}

/// Everything that came of importing a file or folder.
struct ImportRun {
    let target = RememberingTarget()
    let findings = FindingList()
    let counts: [Importer.TableCount]

    init(_ path: String, entity: String? = nil) throws {
        let source = try SourceFormats.open(SourceLocation(path: path, entity: entity), pack: PitPack.pack)
        counts = try Importer(pack: PitPack.pack).run(source, into: target, findings: findings, progress: { _ in })
    }

    var codes: [String] { (findings.findings + target.notes + target.rejected.flatMap(\.findings)).map(\.code) }
}
