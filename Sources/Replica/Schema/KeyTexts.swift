import Databases
import GRDB
import Model

/// Stores the comparison forms of all rows' names, where they differ from the names: for replicas
/// of an older version, and for packs that now name rows by another field.
enum KeyTexts {
    static func fill(_ db: Database, _ pack: Pack) throws {
        for entity in pack.entities {
            guard let name = entity.keyText else { continue }
            let table = "main." + SQLText.name(entity.name), column = SQLText.name(name.name)
            let rows = try PreparedStatement(db, "SELECT id, \(column), \(KeyText.column) FROM \(table) WHERE \(column) IS NOT NULL OR \(KeyText.column) IS NOT NULL")
            var changed: [(id: String, form: String?)] = []
            while try rows.step() {
                let form = rows.text(1).flatMap { KeyText.stored(of: $0) }
                if form != rows.text(2), let id = rows.text(0) { changed.append((id, form)) }
            }
            for row in changed {
                try db.execute(sql: "UPDATE \(table) SET \(KeyText.column) = ? WHERE id = ?", arguments: [row.form, row.id])
            }
        }
    }
}
