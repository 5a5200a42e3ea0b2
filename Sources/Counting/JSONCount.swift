internal import Foundation
internal import Model

/// Rows of JSON: the objects of an array, of the arrays that are an object's members, or one object a line. A member that is neither null nor an
/// empty text holds something; arrays and objects within a row are one value. A line that is no object is no row here: the reader tells it.
enum JSONCount {
    static func count(_ file: SourceFile) throws(CountFault) -> SourceCount {
        var tables: [JSONTable] = []
        if try isLines(file) {
            var lines = JSONLines(file.stem)
            try file.forEachPiece { (piece) throws(CountFault) in for byte in piece { try lines.take(byte) } }
            try lines.finish()
            tables = [lines.table]
        } else {
            var document = JSONMembers(file.stem)
            var isFirst = true
            try file.forEachPiece { (piece) throws(CountFault) in
                let bytes = isFirst && piece.starts(with: [0xEF, 0xBB, 0xBF]) ? piece.dropFirst(3) : piece[...]
                isFirst = false
                for byte in bytes { try document.take(byte) }
            }
            try document.finish()
            tables = document.tables
        }
        return SourceCount(tables: try tables.map { (table) throws(CountFault) in try table.count() }, columnsByName: true)
    }

    /// One object a line: the first line is a whole object, and another follows, or it has no array of objects to itself.
    private static func isLines(_ file: SourceFile) throws(CountFault) -> Bool {
        let head = try file.read(at: 0, 1 << 20).drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF || $0 == 0x20 || 0x09...0x0D ~= $0 }
        guard head.first == 0x7B else { return head.first != 0x5B }
        let line = head.prefix { $0 != 0x0A }
        guard line.count < head.count || head.count < 1 << 19 else { return false }
        var shape = JSONShape()
        guard (try? shape.take(line)) != nil else {
            // A first line that is no object, and a second that begins one.
            let last = line.last { $0 > 0x20 }
            let next = head[line.endIndex...].first { $0 > 0x20 }
            return next == 0x7B && !(last.map { Array("[{,:".utf8).contains($0) } ?? false)
        }
        let hasMore = head[line.endIndex...].contains { $0 > 0x20 }
        return hasMore || shape.hasID || shape.arrays != 1 || !shape.isOnlyObjects
    }
}

/// What one object on a line by itself is.
private struct JSONShape {
    private(set) var hasID = false
    private(set) var arrays = 0
    private(set) var isOnlyObjects = true
    private var depth = 0

    mutating func take(_ bytes: ArraySlice<UInt8>) throws(CountFault) {
        var scan = JSONTokens()
        func event(_ event: JSONTokens.Event) {
            switch event {
            case .open(let isObject):
                if depth == 1, !isObject { arrays += 1 }
                if depth == 2, !isObject { isOnlyObjects = false }
                depth += 1
            case .close: depth -= 1
            case .name(let name): if depth == 1, name == Array("id".utf8) { hasID = true }
            case .text, .number, .boolean, .null: break
            }
        }
        for byte in bytes { try scan.take(byte) { (found) throws(CountFault) in event(found) } }
        try scan.finish { (found) throws(CountFault) in event(found) }
    }
}

/// Rows whose columns are named as they come.
struct JSONTable {
    private let name: String
    private var names: [[UInt8]] = []
    private var places: [[UInt8]: Int] = [:]
    private var counts = ColumnCounts(numbers: true)
    /// The column of the member that was named last.
    private var column = 0
    /// Columns whose values are no numbers for the reader, whatever they look like.
    var plainColumns: Set<[UInt8]> = []
    /// Columns that are not counted.
    var leftOut: Set<[UInt8]> = []

    init(_ name: String) { self.name = name }

    mutating func member(_ name: [UInt8]) {
        // Rows mostly have the same members in the same order.
        let next = column + 1
        if next < names.count, names[next] == name {
            column = next
        } else if let place = places[name] {
            column = place
        } else {
            column = names.count
            places[name] = column
            names.append(name)
        }
    }

    mutating func value(_ event: JSONTokens.Event) throws(CountFault) {
        switch event {
        case .null, .text(isEmpty: true), .close, .name: break
        case .number(let digits):
            if !plainColumns.contains(names[column]), let number = NumberText.decimal(digits.span) {
                try counts.fill(column, number: number)
            } else {
                try counts.fill(column)
            }
        case .text, .boolean, .open: try counts.fill(column)
        }
    }

    mutating func endRow() {
        counts.endRow()
        column = -1
    }

    func count() throws(CountFault) -> TableCount {
        var counts = counts
        for (index, name) in names.enumerated() { try counts.name(index, Self.plain(name)) }
        var table = counts.table(name)
        let left = Set(leftOut.map(Self.plain))
        table.columns.removeAll { left.contains($0.name ?? "") }
        // Whether a row holds anything may depend on them.
        if !left.isEmpty { table.rows = nil }
        return table
    }

    /// A name as it is meant, without escapes.
    private static func plain(_ name: [UInt8]) -> String {
        guard name.contains(0x5C) else { return String(decoding: name, as: UTF8.self) }
        let text = try? JSONDecoder().decode(String.self, from: Data([0x22] + name + [0x22]))
        return text ?? String(decoding: name, as: UTF8.self)
    }
}

/// One object a line.
struct JSONLines {
    private static let longestLine = 16 << 20

    var table: JSONTable
    private var line: [UInt8] = []

    init(_ name: String) { table = JSONTable(name) }

    mutating func take(_ byte: UInt8) throws(CountFault) {
        if byte == 0x0A { return endLine() }
        guard line.count < Self.longestLine else { throw .tooLarge("jsonRowBytes \(Self.longestLine)") }
        line.append(byte)
    }

    mutating func finish() throws(CountFault) { endLine() }

    private mutating func endLine() {
        defer { line.removeAll(keepingCapacity: true) }
        guard line.contains(where: { $0 > 0x20 }) else { return }
        var scan = JSONTokens()
        var depth = 0
        var read = table
        let bytes = line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line[...]
        func event(_ event: JSONTokens.Event) throws(CountFault) {
            switch event {
            case .name(let name): if depth == 1 { read.member(name) }
            case .open(let isObject):
                if depth == 0, !isObject { throw .damaged("a line is no object") }
                if depth == 1 { try read.value(event) }
                depth += 1
            case .close:
                depth -= 1
                if depth == 0 { read.endRow() }
            default:
                if depth == 0 { throw .damaged("a line is no object") }
                if depth == 1 { try read.value(event) }
            }
        }
        do throws(CountFault) {
            for byte in bytes { try scan.take(byte) { (found) throws(CountFault) in try event(found) } }
            try scan.finish { (found) throws(CountFault) in try event(found) }
        } catch { return }
        table = read
    }
}

/// One array of objects, or an object whose members are such arrays.
private struct JSONMembers {
    private let name: String
    private(set) var tables: [JSONTable] = []
    private var scan = JSONTokens()
    private var depth = 0
    /// The depth of the rows' array; nought outside.
    private var rowsDepth = 0
    private var member: [UInt8]?

    init(_ name: String) { self.name = name }

    mutating func take(_ byte: UInt8) throws(CountFault) {
        var scan = scan
        try scan.take(byte) { (event) throws(CountFault) in try take(event) }
        self.scan = scan
    }

    mutating func finish() throws(CountFault) {
        var scan = scan
        try scan.finish { (event) throws(CountFault) in try take(event) }
    }

    private mutating func take(_ event: JSONTokens.Event) throws(CountFault) {
        let last = tables.count - 1
        switch event {
        case .open(let isObject):
            if rowsDepth == 0, !isObject, depth == 0 || (depth == 1 && member != nil) {
                rowsDepth = depth + 1
                tables.append(JSONTable(member.map { String(decoding: $0, as: UTF8.self) } ?? name))
            } else if rowsDepth > 0, depth == rowsDepth + 1 {
                try tables[last].value(event)
            }
            depth += 1
        case .close:
            depth -= 1
            if rowsDepth > 0, depth == rowsDepth { tables[last].endRow() }
            if depth == rowsDepth - 1 { rowsDepth = 0 }
        case .name(let name):
            if depth == 1, rowsDepth == 0 { member = name }
            if rowsDepth > 0, depth == rowsDepth + 1 { tables[last].member(name) }
        default: if rowsDepth > 0, depth == rowsDepth + 1 { try tables[last].value(event) }
        }
    }
}
