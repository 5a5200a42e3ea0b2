internal import Model

/// Counts JSON documents whose rows are objects in nested lists, by the members that become
/// columns.
enum NestedCount: FileCount {
    /// Files of the app's folder; `Options.nested` lists the rows that they contain.
    static let kind = "app-folder"

    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount {
        let rows = options.nested
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
        let rows: [NestedRows]
        var tables: [JSONTable]
        /// Names of the open members, and whether each is an object; a list has the name of its
        /// member.
        private var open: [(name: String, isObject: Bool)] = []
        private var member = ""
        /// Columns that the current row of each kind has had so far.
        private var stated: [Set<String>]

        init(_ rows: [NestedRows]) {
            self.rows = rows
            tables = rows.map { JSONTable($0.table) }
            stated = rows.map { _ in [] }
        }

        /// Index of the kind of row in the innermost open list, by the lists' names; nil for other
        /// lists.
        private func kind(_ open: ArraySlice<(name: String, isObject: Bool)>) -> Int? {
            guard open.count % 2 == 0, open.first?.isObject == true,
                open.enumerated().allSatisfy({ $0.element.isObject == ($0.offset % 2 == 0) })
            else { return nil }
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

        /// Counts a member of a row.
        private mutating func value(_ event: JSONTokens.Event) throws(CountFault) {
            guard open.last?.isObject == true, let kind = kind(open.dropLast()), let column = rows[kind].columns[member]
            else { return }
            tables[kind].member(Array(column.utf8))
            try tables[kind].value(event)
            switch event {
            case .null: break
            default: stated[kind].insert(column)
            }
        }

        private mutating func endRow(_ kind: Int) throws(CountFault) {
            for (column, other) in rows[kind].standIn
            where !stated[kind].contains(column) && stated[kind].contains(other) {
                tables[kind].member(Array(column.utf8))
                try tables[kind].value(.text(isEmpty: false))
            }
            tables[kind].endRow()
            stated[kind] = []
        }
    }
}
