import Foundation
import GRDB
import GRDBSQLite
import JSONReading
import Model

/// Replaces former names of renamed fields in rows stored outside the tables: payloads for upload,
/// undo data, versions confirmed by the remote, conflicts, findings and acceptances.
///
/// The activity log and rejected rows retain the former name, which is read as the present field.
/// Rejected rows are stored as in their file, so that they are recognised at a later import.
struct RenamedFields {
    private let db: Database
    private let pack: Pack
    /// Present names by table and former name.
    private let names: [String: [String: String]]
    /// The names of these tables as a list in SQL.
    private let tables: String

    /// Tables with rows as JSON: the column for the row's table, and the columns with rows.
    private static let rows: [(table: String, entity: String, columns: [String])] = [
        ("sync_queue", "entity_type", ["payload_json"]),
        ("conflicts", "entity_type", ["local_payload", "remote_payload"]),
        ("row_bases", "entity", ["row"]), ("own_bases", "entity", ["row"]), ("import_changes", "entity", ["before"]),
        ("import_removals", "entity", ["row"]),
    ]

    init(_ renames: [FieldRename], _ db: Database, _ pack: Pack) {
        (self.db, self.pack) = (db, pack)
        names = renames.reduce(into: [:]) { names, rename in
            for former in rename.formerNames { names[rename.entity, default: [:]][former] = rename.field }
        }
        tables = names.keys.sorted().map(SQLText.literal).joined(separator: ", ")
    }

    func rewrite() throws {
        guard !names.isEmpty else { return }
        register()
        for place in Self.rows {
            for column in place.columns {
                let renamed = "fichero_renamed_row(\(place.entity), \(column))"
                try db.execute(
                    sql:
                        """
                        UPDATE main.\(place.table) SET \(column) = \(renamed) WHERE \(place.entity) IN (\(tables)) \
                        AND \(column) <> \(renamed)
                        """
                )
            }
        }
        try db.execute(
            sql:
                """
                UPDATE main.rejects SET findings = fichero_renamed_findings(findings) \
                WHERE findings <> fichero_renamed_findings(findings)
                """
        )
        // An acceptance has no place in a document, so its finding's place is used.
        for (table, spot) in [
            (
                "finding_acceptances",
                "(SELECT f.spot FROM main.run_findings AS f WHERE f.fingerprint = t.fingerprint LIMIT 1)"
            ), ("run_findings", "spot"),
        ] {
            let (field, arguments) = ("fichero_renamed_field(tbl, field)", "fichero_renamed_arguments(code, arguments)")
            try db.execute(
                sql: """
                    UPDATE OR IGNORE main.\(table) AS t SET field = \(field), arguments = \(arguments),
                      fingerprint = CASE WHEN field <> \(field) THEN fichero_renamed_fingerprint(fingerprint, code, \
                    tbl, row_id, field, \(spot)) ELSE fingerprint END
                    WHERE tbl IN (\(tables)) AND (field <> \(field) OR arguments <> \(arguments))
                    """)
        }
    }

    private func register() {
        guard let handle = unsafe db.sqliteConnection else { return }
        unsafe SQLFunctions.add("fichero_renamed_row", 2, handle) { Self.value($0[1].map(row($0[0]))) }
        unsafe SQLFunctions.add("fichero_renamed_findings", 1, handle) { Self.value($0[0].map(findings)) }
        unsafe SQLFunctions.add("fichero_renamed_field", 2, handle) { Self.value(present($0[1], of: $0[0])) }
        unsafe SQLFunctions.add("fichero_renamed_arguments", 2, handle) { Self.value($0[1].map(arguments($0[0]))) }
        unsafe SQLFunctions.add("fichero_renamed_fingerprint", 6, handle) { Self.value(fingerprint($0)) }
    }

    private static func value(_ text: String?) -> MemoryRows.Value { text.map(MemoryRows.Value.text) ?? .null }

    /// Whether a JSON text contains one of some words as a text. This is faster than parsing the
    /// text.
    private static func names(_ words: some Sequence<String>, in text: String) -> Bool {
        words.contains { text.contains("\"" + $0 + "\"") }
    }

    private func present(_ field: String?, of table: String?) -> String? { field.map { names[table ?? ""]?[$0] ?? $0 } }

    /// A row as JSON with the present names of its fields; any other text is unchanged.
    private func row(_ table: String?) -> (String) -> String {
        let own = names[table ?? ""] ?? [:]
        return { text in
            guard Self.names(own.keys, in: text), let members = (try? JSONValue.stored(text))?.members else {
                return text
            }
            // If two members refer to one field, the one with the present name wins.
            let present = Set(members.map(\.key))
            return JSONValue.object(members.compactMap { member in
                guard let name = own[member.key] else { return member }
                return present.contains(name) ? nil : JSONValue.Member(key: name, value: member.value)
            }).description
        }
    }

    /// The findings of a rejected row, in the quarantine's text form.
    private func findings(_ text: String) -> String {
        guard names.values.contains(where: { Self.names($0.keys, in: text) }),
            var findings = try? JSONDecoder().decode([Finding].self, from: Data(text.utf8))
        else { return text }
        var isChanged = false
        for index in findings.indices {
            let field = present(findings[index].place.field, of: findings[index].place.table)
            guard field != findings[index].place.field else { continue }
            findings[index].place.field = field
            isChanged = true
        }
        return isChanged ? (try? Quarantine.json(findings)) ?? text : text
    }

    /// Renames the arguments of a finding. Each has the name that its rule gives it, usually a
    /// field's.
    private func arguments(_ code: String?) -> (String) -> String {
        let rule = pack.rules.first { $0.code == code }
        let own = (rule.flatMap { names[$0.entity] } ?? [:]).filter {
            rule?.arguments.contains($0.value) == true && rule?.arguments.contains($0.key) == false
        }
        return { text in
            let members = own.isEmpty ? [:] : FlatJSON.read(text)
            guard own.keys.contains(where: { members[$0] != nil }) else { return text }
            return FlatJSON.write(Dictionary(members.map { (own[$0.key] ?? $0.key, $0.value) }) { first, _ in first })
        }
    }

    /// The fingerprint with the field's present name; unchanged if it cannot be recomputed.
    ///
    /// - Parameter known: fingerprint, code, table, row, field, place in a document.
    private func fingerprint(_ known: [String?]) -> String? {
        var place = Place(table: known[2], id: known[3], field: known[4])
        if let spot = known[5] { FindingStore.read(spot, into: &place) }
        // The severity is not part of the fingerprint.
        var finding = Finding(code: known[1] ?? "", severity: Severity.allCases[0], place: place)
        guard finding.fingerprint == known[0] else { return known[0] }
        finding.place.field = present(known[4], of: known[2])
        return finding.fingerprint
    }
}
