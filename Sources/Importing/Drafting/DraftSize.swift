import Foundation

/// Keeps a draft within what a pack can have, and says what was left out.
enum DraftSize {
    /// Fewer than `EntityCheck` takes, since a reference to the project may come.
    private static let mostFields = 110
    private static let longestWord = 200

    static func settle(_ draft: inout PackDraft) {
        for index in draft.tables.indices where draft.tables[index].fields.count > mostFields {
            let rest = draft.tables[index].fields[mostFields...]
            draft.tables[index].notes.append(DraftNote("left_out", ["names": rest.map { $0.source.isEmpty ? $0.name : $0.source }.joined(separator: ", ")]))
            let kept = Set(draft.tables[index].fields[..<mostFields].map(\.name))
            draft.tables[index].fields.removeLast(rest.count)
            draft.tables[index].rules.removeAll { rule in !rule.arguments.allSatisfy(kept.contains) }
            for place in draft.tables[index].readings.indices { draft.tables[index].readings[place].key.removeAll { !kept.contains($0) } }
            draft.tables[index].key.removeAll { $0 != "id" && !kept.contains($0) }
            if draft.tables[index].key.isEmpty { draft.tables[index].key = ["id"] }
        }
        for index in draft.vocabularies.indices {
            let odd = draft.vocabularies[index].values.filter { !isWord($0.name) || $0.alias.map { !isWord($0) } == true }
            guard !odd.isEmpty else { continue }
            draft.vocabularies[index].values.removeAll { !isWord($0.name) || $0.alias.map { !isWord($0) } == true }
            draft.vocabularies[index].notes.append(DraftNote("left_out", ["names": odd.map { String($0.name.prefix(60)) }.joined(separator: ", ")]))
            if draft.vocabularies[index].values.isEmpty { draft.vocabularies[index].values = [.init(name: "other")] }
        }
    }

    /// Whether a value can be a key of the pack's texts.
    private static func isWord(_ text: String) -> Bool {
        (1...longestWord).contains(text.count) && !text.unicodeScalars.contains { CharacterSet.controlCharacters.contains($0) || CharacterSet.newlines.contains($0) || $0.value == 0xFEFF }
    }
}
