import GRDB
import JSONReading
import Model

extension Replica {
    /// The number of imports so far, including those that were undone; no other change adds photos.
    package func importCount() throws -> Int {
        try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM imports WHERE format NOT IN ('command', 'init')") ?? 0 }
    }

    /// Those of the given paths of photos that no row names.
    package func unnamedPhotos(_ paths: [String]) throws -> [String] {
        let columns = pack.entities.compactMap { entity in PhotoColumns(entity).path.map { (SQLText.name(entity.name), SQLText.name(entity.fields[$0].name)) } }
        let named = columns.map { " AND value NOT IN (SELECT \($1) FROM \($0) WHERE \($1) IS NOT NULL)" }.joined()
        let list = JSONValue.array(paths.map { .string($0) }).description
        return try read { try String.fetchAll($0, sql: "SELECT DISTINCT value FROM json_each(?) WHERE 1\(named) ORDER BY 1", arguments: [list]) }
    }
}
