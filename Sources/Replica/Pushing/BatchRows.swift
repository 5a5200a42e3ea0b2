import Databases
import GRDB
package import Model

extension Replica {
    /// Reads the content of a batch file: the last state of each changed row, parents first, and
    /// the photos of those rows. A row that was removed since then appears only in its events. The
    /// content is valid only within `body`.
    ///
    /// - Parameter actor: the person whose visible fields are included.
    package func reading<T>(
        _ batch: SentBatch, for remote: String, as actor: Model.Actor,
        _ body: ([ReadSession.PackagedTable], _ nextPhoto: () throws -> ReadSession.PackagedPhoto?) throws -> T
    ) throws -> T {
        try read { db in
            let items =
                "main.sent_items AS s JOIN main.sync_queue AS q ON q.id = s.item_id WHERE s.remote = ?1 AND s.file = ?2"
            let present = Set(
                try String.fetchAll(
                    db, sql: "SELECT DISTINCT q.entity_type FROM \(items)", arguments: [remote, batch.file]))
            let entities = pack.entities.filter { present.contains($0.name) }.parentsFirst
            func statement(_ sql: String) throws -> PreparedStatement {
                let statement = try PreparedStatement(db, sql)
                try statement.bind([.text(remote), .text(batch.file)])
                return statement
            }
            let tables = entities.map { entity in
                let fields = entity.travellingFields(for: actor, of: pack).map { entity.fields[$0] }
                let values = fields.map { "json_extract(payload_json, \(SQLText.literal("$.\"\($0.name)\"")))" }
                let sql = """
                    SELECT \(values.joined(separator: ", ")), 'local_only', 1, NULL FROM (
                      SELECT q.entity_id, q.payload_json, row_number() OVER (PARTITION BY q.entity_id \
                    ORDER BY q.content_stamp DESC, q.id DESC) AS n
                      FROM \(items) AND q.entity_type = \(SQLText.literal(entity.name))) WHERE n = 1 \
                    AND entity_id IN (SELECT id FROM main.\(SQLText.name(entity.name))) ORDER BY entity_id
                    """
                return ReadSession.PackagedTable(entity: entity.name, fields: fields) { ItemRows(try statement(sql)) }
            }
            var photos = try entities.compactMap { entity -> (String, PreparedStatement)? in
                guard let path = entity.field(of: .path),
                    let name = entity.field(of: .name).map({ SQLText.name($0.name) })
                else { return nil }
                let sum = entity.field(of: .sha256).map { SQLText.name($0.name) } ?? "NULL"
                return (
                    entity.name,
                    try statement(
                        """
                        SELECT id, \(name), \(SQLText.name(path.name)), \(sum) FROM main.\(SQLText.name(entity.name))
                        WHERE \(name) IS NOT NULL AND id IN (SELECT q.entity_id FROM \(items) \
                        AND q.entity_type = \(SQLText.literal(entity.name))) ORDER BY \(name), id
                        """)
                )
            }[...]
            return try body(tables) {
                while let (entity, statement) = photos.first {
                    if try statement.step() {
                        return ReadSession.PackagedPhoto(
                            entity: entity, id: statement.text(0) ?? "", name: statement.text(1) ?? "",
                            path: statement.text(2), sha256: statement.text(3))
                    }
                    photos = photos.dropFirst()
                }
                return nil
            }
        }
    }
}

extension Entity {
    /// Positions of the fields that go into a package: those that the person may see. Local file
    /// paths are left out, and so are references to profiles, as each replica has profiles of its
    /// own.
    func travellingFields(for actor: Model.Actor, of pack: Pack) -> [Int] {
        centralFields.filter { position in
            let field = fields[position]
            let isOfPeople = field.references.flatMap { pack.entity($0) }?.isCore ?? false
            return actor.sees(field, of: pack) && !isOfPeople
        }
    }
}

/// The rows of an SQL statement, as a source of batches.
private final class ItemRows: RowSource {
    let columnCount: Int
    private let statement: PreparedStatement
    private var isAtEnd = false

    init(_ statement: PreparedStatement) { (self.statement, columnCount) = (statement, statement.columnCount) }

    func fill(_ batch: inout RowBatch) throws {
        guard !isAtEnd else { return batch.removeAll() }
        isAtEnd = !(try statement.fill(&batch))
    }
}
