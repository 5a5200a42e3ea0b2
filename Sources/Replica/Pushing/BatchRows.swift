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
            let content = BatchContent(db: db, pack: pack, batch: batch, remote: remote)
            let entities = try content.entities()
            var photos = try entities.compactMap { entity in
                try content.photos(of: entity).map { (entity.name, $0) }
            }[...]
            return try body(entities.map { content.table(of: $0, for: actor) }) {
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

/// The queries for the rows and the photos of a batch.
private struct BatchContent {
    let db: Database
    let pack: Pack
    let batch: SentBatch
    let remote: String

    /// SQL for the batch's items, as sent to the remote.
    private static let items =
        "main.sent_items AS s JOIN main.sync_queue AS q ON q.id = s.item_id WHERE s.remote = ?1 AND s.file = ?2"

    func entities() throws -> [Entity] {
        let present = Set(
            try String.fetchAll(
                db, sql: "SELECT DISTINCT q.entity_type FROM \(Self.items)", arguments: [remote, batch.file]))
        return pack.entities.filter { present.contains($0.name) }.parentsFirst
    }

    func table(of entity: Entity, for actor: Model.Actor) -> ReadSession.PackagedTable {
        let fields = entity.travellingFields(for: actor, of: pack).map { entity.fields[$0] }
        let values = fields.map { "json_extract(payload_json, \(SQLText.literal("$.\"\($0.name)\"")))" }
        let sql = """
            SELECT \(values.joined(separator: ", ")), 'local_only', 1, NULL FROM (
              SELECT q.entity_id, q.payload_json, row_number() OVER (PARTITION BY q.entity_id \
            ORDER BY q.content_stamp DESC, q.id DESC) AS n
              FROM \(Self.items) AND q.entity_type = \(SQLText.literal(entity.name))) WHERE n = 1 \
            AND entity_id IN (SELECT id FROM main.\(SQLText.name(entity.name))) ORDER BY entity_id
            """
        return ReadSession.PackagedTable(entity: entity.name, fields: fields) { ItemRows(try statement(sql)) }
    }

    /// Nil for an entity without files.
    func photos(of entity: Entity) throws -> PreparedStatement? {
        guard let path = entity.field(of: .path), let name = entity.field(of: .name).map({ SQLText.name($0.name) })
        else { return nil }
        let sum = entity.field(of: .sha256).map { SQLText.name($0.name) } ?? "NULL"
        return try statement(
            """
            SELECT id, \(name), \(SQLText.name(path.name)), \(sum) FROM main.\(SQLText.name(entity.name))
            WHERE \(name) IS NOT NULL AND id IN (SELECT q.entity_id FROM \(Self.items) \
            AND q.entity_type = \(SQLText.literal(entity.name))) ORDER BY \(name), id
            """)
    }

    private func statement(_ sql: String) throws -> PreparedStatement {
        let statement = try PreparedStatement(db, sql)
        try statement.bind([.text(remote), .text(batch.file)])
        return statement
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
