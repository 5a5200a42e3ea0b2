internal import Model

/// The documents of the app's folder: levels with their rooms, or families, by the members that become fields. A level without a name is
/// called by its id.
enum PlanCount {
    /// Where rows stand, what they become, and by member the column.
    private struct Rows {
        var path: [String]
        var table: String
        var columns: [String: String]
        /// What takes the place of a member that is not there, by column.
        var standIn: [String: String] = [:]
        /// Columns of the rows that come from elsewhere.
        var others: Set<String>
    }

    private static let plan = [
        Rows(
            path: ["levels"], table: "levels", columns: ["id": "source_key", "index": "number", "name": "name"], standIn: ["name": "source_key"],
            others: ["id", "project_id", "origin_point", "north_angle", "boundary", "background"]),
        Rows(
            path: ["levels", "rooms"], table: "rooms", columns: ["id": "source_key", "number": "number", "name": "name"],
            others: ["id", "level_id", "lifecycle_state", "polygon", "raw_polygon", "area", "centroid"]),
    ]
    private static let schema = [
        Rows(
            path: ["families"], table: "families",
            columns: Dictionary(uniqueKeysWithValues: ["id", "name", "iconName", "sortOrder", "photoMin", "photoMax"].map { ($0, $0) }),
            others: ["project_id", "schema_version_id", "parameter_schema"]),
    ]

    /// - Parameter isSchema: whether it is `schema_version.json`, and not `plan_template.json`.
    static func count(_ file: SourceFile, isSchema: Bool) throws(CountFault) -> SourceCount {
        let rows = isSchema ? schema : plan
        var walk = Walk(rows)
        var scan = JSONTokens()
        try file.forEachPiece { (piece) throws(CountFault) in
            for byte in piece { try scan.take(byte) { (event) throws(CountFault) in try walk.take(event) } }
        }
        try scan.finish { (event) throws(CountFault) in try walk.take(event) }
        var count = SourceCount(tables: [], columnsByName: true)
        for (index, rows) in rows.enumerated() {
            count.tables.append(try walk.tables[index].count())
            count.uncountedColumns[rows.table] = rows.others
        }
        return count
    }

    private struct Walk {
        let rows: [Rows]
        var tables: [JSONTable]
        /// Names of the members that are open, and whether each is an object; lists have the name of their member.
        private var open: [(name: String, isObject: Bool)] = []
        private var member = ""
        /// Columns that the row of each kind states so far.
        private var stated: [Set<String>]

        init(_ rows: [Rows]) {
            self.rows = rows
            tables = rows.map { JSONTable($0.table) }
            stated = rows.map { _ in [] }
        }

        /// Which rows the objects of the innermost list are: the names of the lists tell.
        private func kind(_ open: ArraySlice<(name: String, isObject: Bool)>) -> Int? {
            guard open.count % 2 == 0, open.first?.isObject == true, open.enumerated().allSatisfy({ $0.element.isObject == ($0.offset % 2 == 0) }) else { return nil }
            let path = open.filter { !$0.isObject }.map(\.name)
            return rows.firstIndex { $0.path == path }
        }

        mutating func take(_ event: JSONTokens.Event) throws(CountFault) {
            switch event {
            case .name(let name): member = String(decoding: name, as: UTF8.self)
            case .open(let isObject):
                let isRow = isObject && kind(open[...]) != nil
                if !isRow { try value(event) }
                open.append((open.last?.isObject == true ? member : "", isObject))
            case .close:
                guard let closed = open.popLast() else { return }
                if closed.isObject, let kind = kind(open[...]) { try endRow(kind) }
            default: try value(event)
            }
        }

        /// A member of a row.
        private mutating func value(_ event: JSONTokens.Event) throws(CountFault) {
            guard open.last?.isObject == true, let kind = kind(open.dropLast()), let column = rows[kind].columns[member] else { return }
            tables[kind].member(Array(column.utf8))
            try tables[kind].value(event)
            switch event {
            case .null: break
            default: stated[kind].insert(column)
            }
        }

        private mutating func endRow(_ kind: Int) throws(CountFault) {
            for (column, other) in rows[kind].standIn where !stated[kind].contains(column) && stated[kind].contains(other) {
                tables[kind].member(Array(column.utf8))
                try tables[kind].value(.text(isEmpty: false))
            }
            tables[kind].endRow()
            stated[kind] = []
        }
    }
}

/// `plan_template.json`.
enum AppPlanCount: FileCount {
    static let kind = "app-plan"

    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount { try PlanCount.count(file, isSchema: false) }
}

/// `schema_version.json`.
enum AppSchemaCount: FileCount {
    static let kind = "app-schema"

    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount { try PlanCount.count(file, isSchema: true) }
}
