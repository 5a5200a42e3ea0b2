import Databases
import GRDB
import Model

/// The places of staged rows. What rows of one file and sheet have in common has a number, with the
/// names of the columns there.
final class StagedPlaces {
    private struct Key: Hashable {
        var place: Place
        var sheet: String?
        /// Whether the rows are parts of the records on the same lines.
        var isRepeat: Bool
    }

    private let db: Database
    private let insert: PreparedStatement
    private let headings: PreparedStatement
    private var headed: Set<Int64> = []
    private var numbers: [Key: Int64] = [:]
    private var last: (key: Key, number: Int64)?

    init(_ db: Database) throws {
        self.db = db
        insert = try PreparedStatement(db, "INSERT INTO places (number, file, sheet, place, is_repeat) VALUES (?, ?, ?, ?, ?)")
        headings = try PreparedStatement(db, "INSERT OR IGNORE INTO headings (place, names) VALUES (?, ?)")
    }

    /// Reads the places that an earlier run stored.
    func resume() throws {
        for row in try Row.fetchAll(db, sql: "SELECT number, sheet, place, is_repeat FROM places") {
            numbers[Key(place: try Quarantine.place(row[2]), sheet: row[1], isRepeat: row[3] == 1)] = row[0]
        }
    }

    /// The number of the place of a batch's rows, which are all in one list.
    func number(of batch: borrowing ImportedBatch) throws -> Int64 {
        let place = batch.place
        let key = Key(place: place, sheet: place.sheet ?? batch.pointer(of: 0).flatMap(Self.sheet), isRepeat: batch.isRepeat)
        let number = try last.flatMap { $0.key == key ? $0.number : nil } ?? number(of: key)
        last = (key, number)
        if !batch.raw.isText, headed.insert(number).inserted {
            try headings.bind(.integer(number), at: 1)
            try headings.bind(Quarantine.json(batch.raw.headings), at: 2)
            try headings.run()
        }
        return number
    }

    private func number(of key: Key) throws -> Int64 {
        if let known = numbers[key] { return known }
        let number = Int64(numbers.count + 1)
        try insert.bind(.integer(number), at: 1)
        try insert.bind(key.place.file, at: 2)
        try insert.bind(key.sheet, at: 3)
        try insert.bind(Quarantine.json(key.place), at: 4)
        try insert.bind(.integer(key.isRepeat ? 1 : 0), at: 5)
        try insert.run()
        numbers[key] = number
        return number
    }

    /// `Hoja 1!A12` → `Hoja 1`; `/calicatas/17` → `/calicatas`; nil if the pointer names only the
    /// row.
    private static func sheet(_ pointer: String) -> String? {
        guard let end = pointer.utf8.lastIndex(where: { $0 == UInt8(ascii: "!") || $0 == UInt8(ascii: "/") }) else { return nil }
        return end == pointer.utf8.startIndex ? nil : String(pointer[..<end])
    }
}
