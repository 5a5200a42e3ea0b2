import Foundation
import Model
import Pipeline
import Replica

/// Tables, fields and values of records by the words that people read at a terminal. JSON has the codes.
struct RecordWords {
    private let session: WorkSession
    private var pack: Pack { session.pack }

    init(_ session: WorkSession) { self.session = session }

    /// A table's name in the plural; a table that the pack does not have keeps its own name.
    func tables(_ entity: String) -> String { pack.texts.textIfAny("entity." + entity, in: session.language) ?? entity }

    /// A table's name in the singular, before the name of one of its rows.
    func table(_ entity: String) -> String {
        pack.texts.textIfAny("entity.\(entity).one", in: session.language) ?? tables(entity)
    }

    /// A field with its unit: `Depth (m)`.
    func label(of field: String, in entity: String) -> String {
        guard let described = pack.entity(entity), let named = described.field(field) else { return field }
        return session.text(described.textKey(of: named)) + (named.unit.map { " (\($0))" } ?? "")
    }

    func value(_ stored: String?, of field: String, in entity: String) -> String {
        guard let stored, !stored.isEmpty else { return "—" }
        let named = pack.entity(entity)?.field(field)
        let text = named.map { FieldText(pack, in: session.language, session.timeZone).text(stored, of: $0) }
        return Self.short(text ?? stored)
    }

    /// What became of a field: `Depth (m): 4.5 → 4.25`.
    func change(of field: String, in entity: String, from before: String?, to after: String?) -> String {
        let (old, new) = (value(before, of: field, in: entity), value(after, of: field, in: entity))
        return "\(label(of: field, in: entity)): \(old) → \(new)"
    }

    /// A record of a file or a command: its outcome, its table and name, and a line for each changed field.
    func text(_ record: ImportRecord, at spot: String? = nil) -> String {
        let name = record.key.flatMap { $0.isEmpty ? nil : $0 } ?? record.id ?? ""
        let outcome = session.text("cli.import.columns." + record.outcome.rawValue)
        let head = ([outcome, table(record.entity), name] + [spot].compactMap(\.self)).joined(separator: "  ")
        let changes = record.changes.filter { $0.field != "updated_at" }.map {
            "    " + change(of: $0.field, in: record.entity, from: $0.before, to: $0.after)
        }
        return ([head] + changes).joined(separator: "\n")
    }

    /// How many rows are in each state: `Synced 12, In conflict 1`.
    func counts(_ counts: [String: Int], of vocabulary: String?) -> String {
        let words = vocabulary.flatMap { pack.vocabulary($0) }
        return counts.sorted { $0.key < $1.key }.map { value, count in
            "\(words?.word(for: value, pack.texts, in: session.language) ?? value) \(count)"
        }.joined(separator: ", ")
    }

    /// A value of one of the program's own vocabularies.
    func word(_ value: String, of vocabulary: String) -> String {
        pack.vocabulary(vocabulary)?.word(for: value, pack.texts, in: session.language) ?? value
    }

    /// A text as one line of bounded length; `--json` has the whole.
    static func short(_ text: String, most: Int = 80) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count > most ? line.prefix(most - 1) + "…" : line
    }
}
