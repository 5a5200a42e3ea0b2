import GRDB
import GRDBSQLite
import JSONReading
import Model

/// The words by which a person is found in texts: the ids of the rows that go, and what names the
/// person.
struct ErasureTraces {
    private let ids: Set<String>
    /// In lower case.
    private let words: [[UInt8]]

    /// A shorter word is in too many texts of others.
    static let leastLength = 4

    init(ids: some Sequence<String>, words: some Sequence<String>) {
        self.ids = Set(ids.map { $0.lowercased() })
        self.words = words.map { $0.lowercased() }.filter { $0.count >= Self.leastLength }.map { Array($0.utf8) }
    }

    /// Whether a text names the person or one of the rows.
    func mention(_ text: String) -> Bool {
        var plain = text
        // A producer may write é as \u00e9, and / as \/.
        if text.utf8.contains(UInt8(ascii: "\\")), let value = try? JSONValue.parse(text) { plain = value.description }
        let bytes = Array(plain.lowercased().utf8)
        return hasID(bytes) || words.contains { has($0, in: bytes) }
    }

    /// Whether the bytes hold one of the words.
    func areWords(in bytes: [UInt8]) -> Bool { hasID(bytes) || words.contains { has($0, in: bytes) } }

    /// An id is a word of digits, letters and hyphens.
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
        byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10 || byte &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "A") < 26
    }

    private func has(_ word: [UInt8], in bytes: [UInt8]) -> Bool {
        guard let first = word.first, bytes.count >= word.count else { return false }
        for start in 0...(bytes.count - word.count) where bytes[start] == first {
            if bytes[start..<start + word.count].elementsEqual(word) { return true }
        }
        return false
    }

    /// Makes `fichero_mentions(text)` known to a connection.
    func register(on db: Database) {
        guard let handle = unsafe db.sqliteConnection else { return }
        unsafe SQLFunctions.add("fichero_mentions", 1, handle) { .integer($0[0].map(mention) == true ? 1 : 0) }
    }
}
