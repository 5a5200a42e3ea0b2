internal import Foundation
internal import Model

/// The tables of a document of keys and values, counted from the containers and values in it.
struct PathTables {
    /// A container around the current value.
    private enum Around {
        /// An object outside of rows; `row` is the table that its plain members filled.
        case object(path: String, row: Int?)
        case list(table: Int, key: String?)
        case keyed(path: String, table: Int)
        case row(table: Int)
        /// A value within a row; `ends` is the table whose row ends with the value.
        case value(ends: Int?)
    }

    /// Objects whose members are rows, by path, with the heading for the members' keys.
    private let keyed: [String: String]
    private var tables: [(path: String, heading: String?, content: JSONTable)] = []
    private var places: [String: Int] = [:]
    /// The containers around the current value, the innermost last.
    private var around: [Around] = []
    private var name: [UInt8] = []
    private(set) var hasValue = false

    init(keyed: [String: String]) { self.keyed = keyed }

    func counts(whole: String) throws(CountFault) -> [TableCount] {
        var counts: [TableCount] = []
        for table in tables {
            var count = try table.content.count()
            count.name = table.path.isEmpty ? whole : table.path
            counts.append(count)
        }
        return counts
    }

    mutating func take(_ event: JSONTokens.Event) throws(CountFault) {
        hasValue = true
        switch event {
        case .name(let name):
            self.name = name
            if case .row(let table)? = around.last { tables[table].content.member(name) }
        case .open(let isObject): try open(isObject, event)
        case .close: close()
        default: try plain(event)
        }
    }

    private mutating func open(_ isObject: Bool, _ event: JSONTokens.Event) throws(CountFault) {
        switch around.last {
        case nil: enter(isObject, "")
        case .object(let path, _)?: enter(isObject, Self.path(path, name))
        case .list(let table, let key)?:
            try beginRow(table, key)
            try openRow(isObject, table, event)
        case .keyed(_, let table)? where isObject:
            try beginRow(table, Self.meant(name))
            around.append(.row(table: table))
        case .keyed(_, let table)?: around.append(.list(table: table, key: Self.meant(name)))
        case .row(let table)?:
            try tables[table].content.value(event)
            around.append(.value(ends: nil))
        case .value?: around.append(.value(ends: nil))
        }
    }

    private mutating func enter(_ isObject: Bool, _ path: String) {
        if !isObject {
            around.append(.list(table: table(path), key: nil))
        } else if keyed[path] != nil {
            around.append(.keyed(path: path, table: table(path)))
        } else {
            around.append(.object(path: path, row: nil))
        }
    }

    private mutating func openRow(_ isObject: Bool, _ table: Int, _ event: JSONTokens.Event) throws(CountFault) {
        guard !isObject else { return around.append(.row(table: table)) }
        tables[table].content.member(Self.element)
        try tables[table].content.value(event)
        around.append(.value(ends: table))
    }

    private mutating func close() {
        switch around.popLast() {
        case .object(_, let table?)?, .row(let table)?, .value(let table?)?: tables[table].content.endRow()
        default: break
        }
    }

    private mutating func plain(_ event: JSONTokens.Event) throws(CountFault) {
        switch around.last {
        case nil: try element(event, of: table(""), nil)
        case .object(let path, let row)?:
            let table = row ?? table(path)
            around[around.count - 1] = .object(path: path, row: table)
            tables[table].content.member(name)
            try tables[table].content.value(event)
        case .list(let table, let key)?: try element(event, of: table, key)
        case .keyed(_, let table)?: try element(event, of: table, Self.meant(name))
        case .row(let table)?: try tables[table].content.value(event)
        case .value?: break
        }
    }

    /// Counts a row of one plain value.
    private mutating func element(_ event: JSONTokens.Event, of table: Int, _ key: String?) throws(CountFault) {
        try beginRow(table, key)
        tables[table].content.member(Self.element)
        try tables[table].content.value(event)
        tables[table].content.endRow()
    }

    private mutating func beginRow(_ table: Int, _ key: String?) throws(CountFault) {
        guard let key, let heading = tables[table].heading else { return }
        tables[table].content.member(Array(heading.utf8))
        try tables[table].content.value(.text(isEmpty: key.isEmpty))
    }

    private mutating func table(_ path: String) -> Int {
        if let known = places[path] { return known }
        places[path] = tables.count
        tables.append((path, keyed[path], JSONTable(path)))
        return tables.count - 1
    }

    private static let element = Array("value".utf8)

    private static func path(_ around: String, _ name: [UInt8]) -> String {
        let own = meant(name).replacing("~", with: "~0").replacing("/", with: "~1")
        return around.isEmpty ? own : around + "/" + own
    }

    private static func meant(_ name: [UInt8]) -> String { String(decoding: JSONTable.meant(name), as: UTF8.self) }
}
