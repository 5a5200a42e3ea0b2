import Foundation
import GRDB
import GRDBSQLite
import JSONReading
import Model

/// Finds a person in texts, by the ids of erased rows and by words such as names and addresses.
struct ErasureTraces {
    private let ids: Set<String>
    /// Normalised, for comparison with texts.
    private let words: [[UInt8]]
    /// The same words in the cases and encodings of other programs, for comparison with bytes.
    private let forms: [[UInt8]]

    /// The least length of a word: shorter ones appear in too many texts about other people.
    static let leastLength = 4

    init(ids: some Sequence<String>, words: some Sequence<String>) {
        self.ids = Set(ids.map { $0.lowercased() })
        let kept = Set(words.map(ErasedPeople.normal)).filter { $0.count >= Self.leastLength }.sorted()
        self.words = kept.map { Array($0.utf8) }
        var forms: Set<[UInt8]> = []
        for word in kept {
            for form in [word, word.uppercased(), word.capitalized] {
                for text in [form.precomposedStringWithCanonicalMapping, form.decomposedStringWithCanonicalMapping] {
                    forms.insert(Self.lowered(Array(text.utf8)))
                }
                for encoding in [String.Encoding.isoLatin1, .utf16LittleEndian, .utf16BigEndian] {
                    if let bytes = form.data(using: encoding) { forms.insert(Self.lowered(Array(bytes))) }
                }
            }
        }
        self.forms = Array(forms)
    }

    // MARK: Texts

    /// Whether a text contains a word of the person or the id of an erased row.
    func mention(_ text: String) -> Bool {
        let plain = plain(text)
        let bytes = Array(ErasedPeople.normal(plain).utf8)
        return hasID(bytes) || words.contains { has($0, in: bytes, asWord: true) }
    }

    /// A JSON text without escapes: a program may have written é as \u00e9, and / as \/.
    private func plain(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")), let value = try? JSONValue.stored(text) else { return text }
        return value.description
    }

    func hasID(_ text: String) -> Bool { hasID(Array(plain(text).lowercased().utf8)) }

    private func isID(_ text: String) -> Bool { ids.contains(text.lowercased()) }

    /// Removes the person from a text: JSON loses the person's values, any other text becomes nil.
    ///
    /// - Parameter kept: members of the outermost object whose values stay unchanged.
    func redacted(_ text: String, but kept: Set<String> = []) -> String? {
        guard let value = try? JSONValue.stored(text) else { return mention(text) ? nil : text }
        func redacted(_ value: JSONValue) -> JSONValue {
            without(value) { mention($0) ? (isID($0) ? .null : .string("")) : nil }
        }
        guard !kept.isEmpty, let members = value.members else { return redacted(value).description }
        return JSONValue.object(
            members.map { kept.contains($0.key) ? $0 : JSONValue.Member(key: $0.key, value: redacted($0.value)) }
        ).description
    }

    /// JSON without the ids of erased rows; other values stay, even if they name the person.
    func withoutIDs(_ text: String) -> String? {
        guard let value = try? JSONValue.stored(text) else { return isID(text) ? nil : text }
        return without(value) { isID($0) ? .null : nil }.description
    }

    private func without(_ value: JSONValue, _ replaced: (String) -> JSONValue?) -> JSONValue {
        switch value {
        case .string(let text):
            // A list or an object is stored in SQLite as a text within the JSON.
            guard text.hasPrefix("[") || text.hasPrefix("{"), let inner = try? JSONValue.stored(text) else {
                return replaced(text) ?? value
            }
            let kept = without(inner, replaced)
            return kept == inner ? value : .string(kept.description)
        case .array(let items):
            return .array(
                items.filter { item in item.text.map { replaced($0) != .null } ?? true }.map { without($0, replaced) })
        case .object(let members):
            return .object(members.map { JSONValue.Member(key: $0.key, value: without($0.value, replaced)) })
        default: return value
        }
    }

    /// Whether one of an object's members with these names has a value that names the person.
    private func memberMentions(_ text: String, _ names: Set<String>) -> Bool {
        guard let members = (try? JSONValue.stored(text))?.members else { return false }
        return members.contains { member in
            names.contains(member.key) && (member.value.text.map(mention) ?? mention(member.value.description))
        }
    }

    // MARK: Bytes

    /// Whether the bytes of a file contain an id or a word, in some form.
    func areIn(_ bytes: [UInt8]) -> Bool {
        let low = Self.lowered(bytes)
        return hasID(low) || forms.contains { has($0, in: low) }
    }

    /// Lowers ASCII letters only, as a piece of a file need not be text.
    private static func lowered(_ bytes: [UInt8]) -> [UInt8] {
        bytes.map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }
    }

    /// Whether the bytes contain an id as a whole word of digits, letters and hyphens.
    private func hasID(_ bytes: [UInt8]) -> Bool {
        var start = 0
        for end in 0...bytes.count {
            if end < bytes.count, Self.isPartOfID(bytes[end]) { continue }
            if end > start, ids.contains(String(decoding: bytes[start..<end], as: UTF8.self)) { return true }
            start = end + 1
        }
        return false
    }

    private static func isPartOfID(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10 || byte &- UInt8(ascii: "a") < 26
            || byte &- UInt8(ascii: "A") < 26
    }

    /// - Parameter asWord: whether the bytes around the word must not belong to the same word or
    ///   address.
    private func has(_ word: [UInt8], in bytes: [UInt8], asWord: Bool = false) -> Bool {
        guard let first = word.first, bytes.count >= word.count else { return false }
        let isAddress = word.contains(UInt8(ascii: "@"))
        for start in 0...(bytes.count - word.count) where bytes[start] == first {
            let end = start + word.count
            guard bytes[start..<end].elementsEqual(word) else { continue }
            guard asWord else { return true }
            let isBegun =
                start > 0 && (Self.isLetter(bytes[start - 1]) || isAddress && Self.isPartOfAddress(bytes[start - 1]))
            let goesOn =
                end < bytes.count && (Self.isLetter(bytes[end]) || isAddress && bytes[end] == UInt8(ascii: "-"))
            if !isBegun, !goesOn { return true }
        }
        return false
    }

    /// A letter or a digit, or any byte of a letter outside ASCII.
    private static func isLetter(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    private static func isPartOfAddress(_ byte: UInt8) -> Bool { "._%+-".utf8.contains(byte) }

    /// Suffix of the SQL functions that find only the words that nobody else has.
    static let alone = "_alone"

    /// Registers the functions with this suffix on a connection, for a second set of traces.
    func registerAlone(on db: Database) {
        guard let handle = unsafe db.sqliteConnection else { return }
        unsafe register(on: handle, Self.alone)
    }

    private func register(on handle: OpaquePointer, _ suffix: String) {
        unsafe SQLFunctions.add("fichero_mentions" + suffix, 1, handle) { .integer($0[0].map(mention) == true ? 1 : 0) }
        unsafe SQLFunctions.add("fichero_redacted" + suffix, 1, handle) {
            $0[0].flatMap { redacted($0) }.map(MemoryRows.Value.text) ?? .null
        }
    }

    /// Registers the SQL functions that search and clear texts on a connection.
    func register(on db: Database) {
        guard let handle = unsafe db.sqliteConnection else { return }
        unsafe register(on: handle, "")
        unsafe SQLFunctions.add("fichero_has_id", 1, handle) { .integer($0[0].map(hasID) == true ? 1 : 0) }
        unsafe SQLFunctions.add("fichero_redacted_but", 2, handle) { arguments in
            arguments[0].flatMap { redacted($0, but: names(arguments[1])) }.map(MemoryRows.Value.text) ?? .null
        }
        unsafe SQLFunctions.add("fichero_without_ids", 1, handle) {
            $0[0].flatMap(withoutIDs).map(MemoryRows.Value.text) ?? .null
        }
        unsafe SQLFunctions.add("fichero_member_mentions", 2, handle) { arguments in
            .integer(arguments[0].map { memberMentions($0, names(arguments[1])) } == true ? 1 : 0)
        }
    }

    /// The texts of a JSON list.
    private func names(_ list: String?) -> Set<String> {
        Set(list.flatMap { (try? JSONValue.stored($0))?.items }?.compactMap(\.text) ?? [])
    }
}
