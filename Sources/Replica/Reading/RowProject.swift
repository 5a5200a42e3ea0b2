import GRDB
import Model

/// The project that a row belongs to, by the path that its entity declares, such as
/// `calicata_id.project_id`.
struct RowProject {
    let entity: Entity
    let pack: Pack

    init(of entity: Entity, in pack: Pack) { (self.entity, self.pack) = (entity, pack) }

    /// As an SQL expression over a row of the entity, with the row's alias in the statement.
    func expression(_ row: String) -> String {
        guard let path = entity.projectPath?.parts, let first = path.first else { return "NULL" }
        var sql = row + "." + SQLText.name(first)
        var current: Entity? = entity
        for (index, part) in path.enumerated().dropLast() {
            current = current?.field(part)?.references.flatMap { pack.entity($0) }
            sql = "(SELECT \(SQLText.name(path[index + 1])) FROM main.\(SQLText.name(current?.name ?? "")) WHERE id = \(sql))"
        }
        return sql
    }

    /// The id of a row's project; nil if there is no such row, or it belongs to none.
    func id(ofRow id: String, _ db: Database) throws -> String? { try ids(where: "t.id = ?", [id], db).first }

    /// The ids of the projects of all rows `t` that satisfy a condition.
    func ids(where condition: String, _ arguments: StatementArguments, _ db: Database) throws -> Set<String> {
        guard entity.projectPath != nil else { return [] }
        let sql = "SELECT DISTINCT \(expression("t")) FROM main.\(SQLText.name(entity.name)) AS t WHERE \(condition)"
        return Set(try String?.fetchAll(db, sql: sql, arguments: arguments).compactMap(\.self))
    }
}
