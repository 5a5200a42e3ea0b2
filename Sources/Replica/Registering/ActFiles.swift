import Foundation
import GRDB
import JSONReading
import Model

/// Whose acts are told to whom.
struct ActScope {
    let pack: Pack
    let reader: Model.Actor
    /// The ids of the given projects, as JSON.
    let visible: String
    /// Whether these are all projects that the reader sees.
    let isOfAll: Bool
}

/// The deeds of acts that are about files: imports with what became of their rows, and documents.
final class ActFiles {
    private let db: Database
    private let scope: ActScope
    private let names: ActNames

    init(_ db: Database, _ scope: ActScope, names: ActNames) { (self.db, self.scope, self.names) = (db, scope, names) }

    // MARK: Imports

    /// What entries about single rows say, and what an import's account calls it.
    static let outcomes = [
        "row_imported": "imported", "row_updated_by_import": "updated", "conflict_detected": "conflict",
    ]

    /// An import with what became of its rows. Its own account is about all projects, so others, and
    /// a choice of projects, have a count of their rows. Only the maker and administrators see the
    /// file's name.
    func imports(_ entries: [ActReader.Entry], in piles: [ActReader.Pile], by actorID: String?) throws -> [Act.Deed] {
        let isOwn = scope.reader.seesWhole(actOf: actorID)
        return try entries.compactMap { entry in
            let known = try Row.fetchOne(
                db, sql: "SELECT source, format FROM imports WHERE id = ?", arguments: [entry.id])
            let tables = isOwn && scope.isOfAll ? account(entry.json) : counted(piles, of: entry.id)
            guard isOwn && scope.isOfAll || !tables.isEmpty else { return nil }
            var deed = Act.Deed(action: entry.action, count: 1, tables: tables)
            if let known {
                let (source, format): (String, String) = (known[0] ?? "", known[1] ?? "")
                if isOwn { deed.facts["file"] = Self.shortName(source) }
                if isOwn || format == "exchange" { deed.facts["format"] = format }
            }
            return deed
        }
    }

    private func account(_ details: JSONValue?) -> [Act.Table] {
        let lines = details?.items ?? details?["lines"]?.items ?? []
        return lines.compactMap { line in
            guard let name = line["entity"]?.text, let counts = line["counts"]?.members else { return nil }
            if let entity = scope.pack.entity(name), [.fichero, .claims].contains(entity.writer) { return nil }
            let told = ["imported", "updated", "conflict", "rejected", "waiting"]
            let numbers = counts.compactMap { member in
                Int(member.value.stated ?? "").map { (member.key, $0) }
            }.filter { $0.1 > 0 && told.contains($0.0) }
            return numbers.isEmpty ? nil : Act.Table(entity: name, counts: Dictionary(numbers) { $1 })
        }
    }

    /// What an import did in the given projects, by the entries about rows and by the records
    /// themselves. Records that arrived with their sync state have no entries, and those that were
    /// taken back have only entries.
    private func counted(_ piles: [ActReader.Pile], of importID: String?) -> [Act.Table] {
        var found: [String: [String: Int]] = [:]
        for (entity, count) in importID.flatMap({ recordsOfImports[$0] }) ?? [:] { found[entity] = ["imported": count] }
        for pile in piles {
            guard let outcome = Self.outcomes[pile.action], let entity = pile.entity else { continue }
            let count = found[entity]?[outcome] ?? 0
            found[entity, default: [:]][outcome] = max(count, pile.count)
        }
        return scope.pack.entities.compactMap { entity in
            found[entity.name].map { Act.Table(entity: entity.name, counts: $0) }
        }
    }

    /// The numbers of records in the given projects, by the import that added them and by table.
    private lazy var recordsOfImports: [String: [String: Int]] = {
        var found: [String: [String: Int]] = [:]
        let roots = Set(scope.pack.records.map(\.root))
        for entity in scope.pack.entities where roots.contains(entity.name) && entity.projectPath != nil {
            let rows = try? Row.fetchAll(
                db,
                sql: """
                    SELECT s.import_id, count(*) FROM main.\(SQLText.name(entity.name)) AS t
                    JOIN import_sources AS s ON s.number = t.import_source
                    WHERE \(RowProject(of: entity, in: scope.pack).expression("t")) \
                    IN (SELECT value FROM json_each(?)) \
                    GROUP BY 1
                    """, arguments: [scope.visible])
            for row in rows ?? [] {
                let (importID, count): (String, Int) = (row[0], row[1])
                found[importID, default: [:]][entity.name] = count
            }
        }
        return found
    }()

    /// What an undo took back, and when that had been done.
    func undone(_ id: String) throws -> [String: String] {
        let row = try Row.fetchOne(
            db, sql: "SELECT source, started_at FROM imports WHERE id = ?", arguments: [id])
        guard let row else { return [:] }
        return ["source": Self.shortName(row[0] ?? ""), "time": row[1] ?? ""]
    }

    // MARK: Documents

    /// One deed for each document, whatever the number of its files.
    func registrations(_ entries: [ActReader.Entry]) throws -> [Act.Deed] {
        var deeds: [Act.Deed] = []
        for entry in entries {
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT e.export_name, e.format, e.project_id, (SELECT v.version FROM document_versions AS v \
                    WHERE v.export_id = e.id LIMIT 1) FROM main.exports AS e WHERE e.id = ?
                    """, arguments: [entry.id])
            guard let row else { continue }
            let (name, format): (String, String) = (row[0] ?? "", row[1] ?? "")
            let isSigned = entry.json?["signed_export"] != nil
            let isReport = scope.pack.reports.contains { $0.name == name }
            var facts = ["document": name, "version": (row[3] as Int?).map { String($0) } ?? ""]
            facts["project"] = try names.project(row[2])
            let action = isSigned ? "document_signed" : isReport ? "report_registered" : "export_registered"
            let index = deeds.firstIndex { deed in
                deed.action == action && facts.allSatisfy { deed.facts[$0.key] == $0.value }
            }
            guard let index else {
                facts["formats"] = format
                deeds.append(Act.Deed(action: action, count: 1, facts: facts))
                continue
            }
            deeds[index].count += 1
            let formats = deeds[index].facts["formats"]?.components(separatedBy: ", ") ?? []
            guard !formats.contains(format) else { continue }
            deeds[index].facts["formats"] = (formats + [format]).joined(separator: ", ")
        }
        return deeds
    }

    /// The last part of a path: a path may tell how an office's folders are named.
    static func shortName(_ source: String) -> String {
        source.split(separator: "/").last.map(String.init) ?? source
    }
}
