import Foundation
internal import GRDB
package import Model

/// All tables that a pack asks for, in its order.
package struct ReplicaSchema: Sendable, Hashable, Codable {
    package var tables: [TableSchema]

    package init(pack: Pack) {
        tables = pack.entities.map { TableSchema($0, in: pack) }
    }

    /// The text that the replica stores to detect changes of the pack: equal schemas give equal
    /// text.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    init(json: String) throws {
        self = try JSONDecoder().decode(ReplicaSchema.self, from: Data(json.utf8))
    }

    /// Makes every table and index in an empty database, inside the caller's transaction.
    func create(_ db: Database) throws {
        for statement in ProgramTables.creation + tables.flatMap(\.creation) {
            try db.execute(sql: statement)
        }
    }
}
