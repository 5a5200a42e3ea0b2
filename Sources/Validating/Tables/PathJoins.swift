import Model

/// Turns paths over references into columns of a SELECT, joining each table on the way once. The entity itself is `t`.
struct PathJoins {
    private let pack: Pack
    private let entity: Entity
    private var aliases: [[String]: String] = [:]
    private(set) var sql: String

    init(pack: Pack, entity: Entity) {
        self.pack = pack
        self.entity = entity
        sql = SQLText.name(entity.name) + " AS t"
    }

    /// The column at the end of a path; nil when the path leads nowhere.
    mutating func column(_ path: FieldPath) -> String? {
        guard pack.field(at: path, from: entity) != nil || path.parts.last == "id" else { return nil }
        var alias = "t"
        var current = entity
        for (index, part) in path.parts.enumerated() {
            guard index < path.parts.count - 1 else { return alias + "." + SQLText.name(part) }
            guard let target = current.field(part)?.references.flatMap({ pack.entity($0) }) else { return nil }
            let prefix = Array(path.parts[...index])
            if let known = aliases[prefix] {
                alias = known
            } else {
                let next = "j\(aliases.count + 1)"
                sql += " LEFT JOIN \(SQLText.name(target.name)) AS \(next) ON \(next).\"id\" = \(alias).\(SQLText.name(part))"
                aliases[prefix] = next
                alias = next
            }
            current = target
        }
        return nil
    }
}

/// Reads some columns, also over references, of rows whose ids are known.
struct PathQuery {
    private let from: String
    private let columns: [String]

    /// Nil when a path leads nowhere.
    init?(pack: Pack, entity: Entity, paths: [FieldPath]) {
        var joins = PathJoins(pack: pack, entity: entity)
        var columns: [String] = []
        for path in paths {
            guard let column = joins.column(path) else { return nil }
            columns.append(column)
        }
        self.columns = columns
        from = joins.sql
    }

    /// Calls back for each row found: its id is column 0, the values of the paths follow.
    func forEach(
        of ids: [String], in source: any ValidationSource, seconds: Double, _ body: (borrowing RowBatch, _ row: Int) throws -> Void
    ) throws {
        guard !ids.isEmpty else { return }
        let names = ["id"] + columns.indices.map { "c\($0)" }
        let list = (["t.\"id\""] + columns).enumerated().map { "\($1) AS \(names[$0])" }.joined(separator: ", ")
        let wanted = ids.map { SQLText.literal($0) }.joined(separator: ", ")
        let rows = try source.query("SELECT \(list) FROM \(from) WHERE t.\"id\" IN (\(wanted))", columns: names, seconds: seconds)
        var batch = RowBatch(columnCount: names.count)
        while true {
            try rows.fill(&batch)
            if batch.rowCount == 0 { return }
            for row in 0..<batch.rowCount { try body(batch, row) }
        }
    }
}
