/// Rows that blocks show: of an entity, as an export's sheet describes them, or those of a
/// read-only query.
package struct ReportQuery: Sendable, Hashable {
    package enum Source: Sendable, Hashable {
        /// Rows of an entity; `of` binds fields to columns of the section's row: `calicata_id` to
        /// `id`.
        case rows(ExportSheet, where: Expression?, of: [Binding])
        /// SQL over the tables that the actor sees. `selected (id)` has the roots of the selected
        /// records; `:project`, `:today` and the columns of the section's row (`:id`) are bound.
        case sql(String)
    }

    package struct Binding: Sendable, Hashable {
        package var field: FieldPath
        /// Column of the section's row.
        package var column: String
    }

    package var name: String
    package var source: Source
    /// The columns of the rows, in order; the first column of rows of an entity is `id`.
    package var columns: [QueryColumn]

    package func column(_ name: String) -> QueryColumn? { columns.first { $0.name == name } }
}

extension ReportQuery {
    init?(_ pair: PackNode.Pair, of pack: Pack) {
        let (name, node) = (pair.key, pair.value)
        if let sql = node.text("sql") {
            self.init(name: name, source: .sql(sql), columns: node.pairs("columns").map { QueryColumn($0, of: pack) })
            return
        }
        guard let entity = node.text("entity").flatMap({ pack.entity($0) }) else { return nil }
        let of = node.pairs("of").compactMap { pair in pair.value.text.map { Binding(field: FieldPath(pair.key), column: $0) } }
        self.init(
            name, entity, node.word("rows") ?? .record, node.items("fields").compactMap(ExportColumn.init), where: node.expression("where"),
            order: node.texts("order").map { FieldPath($0) }, of: of, in: pack)
    }

    /// Every field of the project's own row.
    init?(ofProject pack: Pack, name: String) {
        guard let entity = pack.entity(pack.project.entity) else { return nil }
        let paths = entity.fields.filter { $0.name != "id" }.map { FieldPath(parts: [$0.name]) }
        self.init(
            name, entity, .project, paths.map { .field($0, name: $0.description, label: nil, isLink: false) }, where: nil, order: [], of: [], in: pack)
    }

    private init(
        _ name: String, _ entity: Entity, _ rows: ExportSheet.Rows, _ columns: [ExportColumn], where condition: Expression?, order: [FieldPath],
        of: [Binding], in pack: Pack
    ) {
        let all = [ExportColumn.field(FieldPath("id"), name: "id", label: nil, isLink: false)] + columns
        let sheet = ExportSheet(name: name, entity: entity.name, rows: rows, columns: all, order: order)
        self.init(
            name: name, source: .rows(sheet, where: condition, of: of), columns: all.map { QueryColumn($0, of: entity, in: pack) })
    }

    /// The query's columns as an entity, so that expressions over its rows can be checked for
    /// types.
    package var entity: Entity {
        Entity(name: name, fields: columns.map { Field(name: $0.name, type: $0.type) })
    }
}
