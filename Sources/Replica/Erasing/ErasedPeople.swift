import Digests
import Foundation
import GRDB
import GRDBSQLite
import JSONReading
import Model

/// A list of marks by which erased people, and the rows erased with them, are recognised when a
/// file or a pull contains them again.
///
/// A mark is an HMAC of an id, value or name with the replica's key, so the list reveals none of
/// them. Whoever has the replica can only test whether a known address is on the list.
final class ErasedPeople {
    private let sum: HMAC
    private var marks: Set<String>
    /// Cached marks by text: consecutive rows often have the same references.
    private let recall = ResultCache<String>(limit: 10_000)

    private init(key: [UInt8], marks: Set<String>) { (sum, self.marks) = (HMAC(key: key), marks) }

    /// Nil: nobody was erased from this replica.
    static func list(_ db: Database) throws -> ErasedPeople? {
        guard let key = try ReplicaKey.value(of: .erasureKey, db) else { return nil }
        let marks = try Set(String.fetchAll(db, sql: "SELECT mark FROM erased_marks"))
        return marks.isEmpty ? nil : ErasedPeople(key: Array(key.utf8), marks: marks)
    }

    /// Returns the list; the first erasure creates it.
    static func begin(_ db: Database) throws -> ErasedPeople {
        if let known = try list(db) { return known }
        // The HMAC key is this text: the hexadecimal digits of 32 random bytes.
        let key = try ReplicaKey.value(of: .erasureKey, db) ?? HMAC.randomKey().hexadecimal
        try ReplicaKey.set(.erasureKey, to: key, db)
        return ErasedPeople(key: Array(key.utf8), marks: [])
    }

    /// The normalised form of a value: an address in capitals is the same address.
    static func normal(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping.lowercased()
    }

    private func mark(_ text: String) -> String {
        recall.value(of: text) { String(sum.digest(of: Array(Self.normal($0).utf8)).hexadecimal.prefix(32)) }
    }

    /// Whether a text is an id or another identifying value of somebody who was erased.
    func has(_ text: String) -> Bool { marks.contains(mark(text)) }

    /// The form in which a name is listed. As others may have the name, it never removes a row.
    static func word(_ name: String) -> String { "name " + normal(name) }

    /// Whether a text is an id, another value or a name of somebody who was erased.
    private func names(_ text: String) -> Bool { has(text) || marks.contains(mark(Self.word(text))) }

    /// Adds ids for the lifetime of this object, without storing them.
    func addForNow(_ ids: [String]) { marks.formUnion(ids.map(mark)) }

    func add(_ texts: some Sequence<String>, _ db: Database) throws {
        for text in texts {
            let mark = mark(text)
            guard marks.insert(mark).inserted else { continue }
            try db.execute(sql: "INSERT OR IGNORE INTO erased_marks (mark) VALUES (?)", arguments: [mark])
        }
    }

    /// A JSON text without the values that are on the list; a text that is not JSON is one value.
    ///
    /// - Parameter names: whether listed names are removed too, although other people may have
    ///   them.
    func redacted(_ text: String, names isWithNames: Bool = true) -> String {
        let isNamed = isWithNames ? names : has
        guard let value = try? JSONValue.stored(text) else { return isNamed(text) ? "" : text }
        return mentions(value) ? redacted(value, isNamed).description : text
    }

    func mentions(_ text: String) -> Bool { (try? JSONValue.stored(text)).map(mentions) ?? names(text) }

    private func mentions(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): names(text)
        case .array(let items): items.contains(where: mentions)
        case .object(let members): members.contains { mentions($0.value) }
        default: false
        }
    }

    private func redacted(_ value: JSONValue, _ isNamed: (String) -> Bool) -> JSONValue {
        switch value {
        case .string(let text): isNamed(text) ? .string("") : value
        case .array(let items): .array(items.map { redacted($0, isNamed) })
        case .object(let members):
            .object(members.map { JSONValue.Member(key: $0.key, value: redacted($0.value, isNamed)) })
        default: value
        }
    }

    private func withoutErased(_ list: String) -> String {
        guard let items = (try? JSONValue.stored(list))?.items else { return list }
        return JSONValue.array(items.filter { $0.text.map(has) != true }).description
    }

    /// Registers `fichero_erased(text)`, `fichero_mentions_erased(json)`,
    /// `fichero_redacted_erased(json)` and `fichero_without_erased(list)` on this connection.
    func register(on db: Database) {
        guard let handle = unsafe db.sqliteConnection else { return }
        unsafe SQLFunctions.add("fichero_erased", 1, handle) { [self] in .integer($0[0].map(has) == true ? 1 : 0) }
        unsafe SQLFunctions.add("fichero_mentions_erased", 1, handle) { [self] in
            .integer($0[0].map(mentions) == true ? 1 : 0)
        }
        unsafe SQLFunctions.add("fichero_redacted_erased", 1, handle) { [self] in
            $0[0].map { .text(redacted($0)) } ?? .null
        }
        unsafe SQLFunctions.add("fichero_without_erased", 1, handle) { [self] in
            $0[0].map { .text(withoutErased($0)) } ?? .null
        }
    }
}
