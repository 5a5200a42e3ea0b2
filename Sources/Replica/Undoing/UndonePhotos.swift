import GRDB
import Model

/// The files of the photos that an undone import brought, of which those go that no row has any
/// more.
struct UndonePhotos {
    let db: Database
    let entities: [Entity]

    /// Notes the files before their rows go.
    ///
    /// - Parameter isOwn: condition on a row `t`: the import brought it.
    func collect(where isOwn: String, of importID: String) throws {
        try db.execute(sql: "CREATE TEMP TABLE IF NOT EXISTS undo_photos (path TEXT PRIMARY KEY) WITHOUT ROWID")
        try db.execute(sql: "DELETE FROM temp.undo_photos")
        for (entity, path) in columns {
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO temp.undo_photos SELECT t.\(path) FROM main.\(SQLText.name(entity.name)) AS t
                    WHERE t.\(path) IS NOT NULL AND (\(isOwn) OR t.id IN (
                      SELECT row_id FROM import_changes WHERE import_id = ? AND entity = ? AND kind = 'photo'))
                    """, arguments: [importID, entity.name])
        }
    }

    /// The paths of the files that no row has, once the rows are gone.
    func forgotten() throws -> [String] {
        for (entity, path) in columns {
            try db.execute(sql: "DELETE FROM temp.undo_photos WHERE path IN (SELECT \(path) FROM main.\(SQLText.name(entity.name)))")
        }
        let paths = try String.fetchAll(db, sql: "SELECT path FROM temp.undo_photos ORDER BY 1")
        try db.execute(sql: "DROP TABLE temp.undo_photos")
        return paths
    }

    private var columns: [(Entity, String)] {
        entities.compactMap { entity in PhotoColumns(entity).path.map { (entity, SQLText.name(entity.fields[$0].name)) } }
    }
}
