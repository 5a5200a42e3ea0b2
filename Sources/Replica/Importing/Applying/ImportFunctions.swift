import Foundation
import GRDB
import GRDBSQLite
import Model

/// What the statements of an import need beyond SQL: `fichero_id()`, a new UUIDv7 greater than the last one, and `fichero_row_ENTITY(…)`, a
/// row's values as the JSON of a queue item, in the order of the entity's fields, numbers exactly as they are.
enum ImportFunctions {
    static func json(_ entity: Entity) -> String { SQLText.name("fichero_row_" + entity.name) }

    static func register(on db: Database, pack: Pack, time: Date) {
        guard let handle = unsafe db.sqliteConnection else { return }
        var ids = RisingIDs(at: time)
        unsafe SQLFunctions.addDirect("fichero_id", 0, handle, isPure: false) { _ in .text(ids.next()) }
        for entity in pack.entities {
            // Everything of the object but the values.
            let heads = entity.fields.enumerated().map { Array(((($0 == 0 ? "{" : ",") + RowJSON.quoted($1.name)) + ":").utf8) }
            var bytes: [UInt8] = []
            unsafe SQLFunctions.addDirect("fichero_row_" + entity.name, CInt(heads.count), handle) { arguments in
                bytes.removeAll(keepingCapacity: true)
                for (index, head) in heads.enumerated() {
                    bytes.append(contentsOf: head)
                    arguments.appendJSON(index, to: &bytes)
                }
                bytes.append(UInt8(ascii: "}"))
                return .text(String(decoding: bytes, as: UTF8.self))
            }
        }
    }
}

/// UUIDs of version 7 of one instant, each greater than the one before by a random step (RFC 9562, 6.2, method 2): rows that get them
/// one after the other go to the end of their index.
struct RisingIDs {
    private let milliseconds: UInt64
    private var high: UInt64
    private var low: UInt64
    private var generator = SystemRandomNumberGenerator()

    init(at date: Date) {
        milliseconds = UInt64(max(0, (date.timeIntervalSince1970 * 1000).rounded(.down))) & 0xFFFF_FFFF_FFFF
        high = UInt64.random(in: 0...0x7FF, using: &generator)
        low = UInt64.random(in: 0...0x3FFF_FFFF_FFFF_FFFF, using: &generator)
    }

    mutating func next() -> String {
        low += UInt64.random(in: 1...0xFFFF_FFFF, using: &generator)
        if low > 0x3FFF_FFFF_FFFF_FFFF {
            low &= 0x3FFF_FFFF_FFFF_FFFF
            high += 1
        }
        return UUIDv7.text(milliseconds << 16 | 0x7000 | (high & 0xFFF), 0x8000_0000_0000_0000 | low)
    }
}
