import GRDB
import Model

/// A field that the pack calls by another name than the replica's column (`renamedFrom`).
struct FieldRename: Hashable {
    var entity: String
    /// The column's name in the replica.
    var column: String
    /// The field's present name.
    var field: String
    /// All names that the field had before; what the replica keeps may have any of them.
    var formerNames: [String]

    /// `calicatas.depth_m → depth`.
    var text: String { "\(entity).\(column) → \(field)" }

    /// What a replica's columns and a pack's former names give: what can be renamed, and former columns with values
    /// beside the present one. Which of two values counts nobody can tell, so those are an obstacle.
    static func all(in pack: Pack, _ actual: ActualSchema, _ db: Database) throws -> (renames: [FieldRename], obstacles: [String]) {
        var found: (renames: [FieldRename], obstacles: [String]) = ([], [])
        for entity in pack.entities {
            guard let columns = actual.tables[entity.name].map({ Set($0.map(\.name)) }) else { continue }
            for field in entity.fields {
                let rename = { FieldRename(entity: entity.name, column: $0, field: field.name, formerNames: field.formerNames) }
                // The newest of them has the values.
                var former = field.formerNames.reversed().filter(columns.contains)[...]
                if !columns.contains(field.name), let newest = former.popFirst() { found.renames.append(rename(newest)) }
                for other in former {
                    let hasValues = try Bool.fetchOne(
                        db, sql: "SELECT EXISTS (SELECT 1 FROM main.\(SQLText.name(entity.name)) WHERE \(SQLText.name(other)) IS NOT NULL)")
                    if hasValues == true { found.obstacles.append("\(rename(other).text) (∃ \(field.name))") }
                }
            }
        }
        return found
    }
}
