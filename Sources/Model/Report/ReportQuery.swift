/// Rows for blocks: rows of an entity, described like an export's sheet, or rows of a read-only
/// query.
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
        let of = node.pairs("of").compactMap { pair in
            pair.value.text.map { Binding(field: FieldPath(pair.key), column: $0) }
        }
        self.init(
            name, entity, node.word("rows") ?? .record, node.items("fields").compactMap(ExportColumn.init),
            where: node.expression("where"),
            order: node.texts("order").map { FieldPath($0) }, of: of, in: pack)
    }

    /// A query for every field of the project's row.
    init?(ofProject pack: Pack, name: String) {
        guard let entity = pack.entity(pack.project.entity) else { return nil }
        let paths = entity.fields.filter { $0.name != "id" }.map { FieldPath(parts: [$0.name]) }
        self.init(
            name, entity, .project, paths.map { .field($0, name: $0.description, label: nil, isLink: false) },
            where: nil, order: [], of: [], in: pack)
    }

    private init(
        _ name: String, _ entity: Entity, _ rows: ExportSheet.Rows, _ columns: [ExportColumn],
        where condition: Expression?, order: [FieldPath],
        of: [Binding], in pack: Pack
    ) {
        let all = [ExportColumn.field(FieldPath("id"), name: "id", label: nil, isLink: false)] + columns
        let sheet = ExportSheet(name: name, entity: entity.name, rows: rows, columns: all, order: order)
        self.init(
            name: name, source: .rows(sheet, where: condition, of: of),
            columns: all.map { QueryColumn($0, of: entity, in: pack) })
    }

    /// The query's columns as an entity, so that the types of expressions over its rows can be
    /// checked.
    package var entity: Entity {
        Entity(name: name, fields: columns.map { Field(name: $0.name, type: $0.type) })
    }
}

/// The source of a report's rows: one consistent snapshot of a replica, limited to what the actor
/// may see.
package protocol ReportSource: AnyObject {
    /// The rows of a query, in its order, with cells in the order of its columns.
    /// - Parameter parameters: the values bound in the query: columns of the section's row, and
    ///   `ReportParameters.builtIn`.
    func rows(of query: ReportQuery, parameters: [String: MemoryRows.Value]) throws -> any RowSource
}

/// The parameters of the SQL of reports and exports: `:project` (the project's id), `:today` (the
/// office's date of the run), `:from` and `:to` (the first and last requested day, if any),
/// `:language` (of the run: `it`); and in reports the columns of the section's row.
package enum ReportParameters {
    package static let builtIn: Set<String> = ["project", "today", "from", "to", "language"]

    /// Whether SQL uses the requested days.
    package static func asksForDays(_ sql: String) -> Bool { !Set(names(in: sql)).isDisjoint(with: ["from", "to"]) }

    /// Names after colons, in order of appearance, without repetitions. Names in quotes and in
    /// comments do not count.
    package static func names(in sql: String) -> [String] {
        var names: [String] = []
        var rest = Substring(sql)
        while let character = rest.first {
            switch character {
            case "'", "\"":
                rest = rest.dropFirst()
                rest = rest.drop { $0 != character }.dropFirst()
            case "-" where rest.hasPrefix("--"):
                rest = rest.drop { !$0.isNewline }
            case "/" where rest.hasPrefix("/*"):
                rest = rest.firstRange(of: "*/").map { rest[$0.upperBound...] } ?? ""
            case ":":
                rest = rest.dropFirst()
                let name = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
                rest = rest.dropFirst(name.count)
                if !name.isEmpty, !names.contains(name) { names.append(name) }
            default:
                rest = rest.dropFirst()
            }
        }
        return names
    }
}

/// The names in a Mustache template. The library that fills templates prints nothing for an unknown
/// name. So names are compared with a report's columns when its pack is loaded
/// (https://mustache.github.io/mustache.5.html).
package enum MustacheTags {
    /// Names of variables and sections, in order of appearance, without repetitions. The name `.`,
    /// which means the row itself, is left out.
    package static func names(in template: String) -> [String] {
        var names: [String] = []
        var rest = Substring(template)
        while let open = rest.firstRange(of: "{{") {
            rest = rest[open.upperBound...]
            guard let close = rest.firstRange(of: "}}") else { break }
            let tag = rest[..<close.lowerBound].trimmed
            rest = rest[close.upperBound...]
            guard let sign = tag.first, sign != "!" else { continue }
            let name = String(
                ("#^/&{>".contains(sign) ? tag.dropFirst() : tag[...]).trimmed.prefix { $0 != "}" }.trimmed)
            if name != ".", !name.isEmpty, !names.contains(name) { names.append(name) }
        }
        return names
    }
}

extension StringProtocol {
    fileprivate var trimmed: Substring {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
