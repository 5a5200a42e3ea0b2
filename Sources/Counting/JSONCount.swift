internal import Foundation
internal import Model

/// Counts rows of JSON: the objects of an array, the objects of the arrays that are members of an
/// object, or one object a line. A member is filled if it is neither null nor an empty text; arrays
/// and objects within a row count as one value.
///
/// The reader decides which JSON is valid. Lines that it rejected are counted only as lines; the
/// JSON that it accepted is simple enough to walk through.
enum JSONCount: FileCount {
    static let kind = "json"

    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount {
        let table: TableCount
        let pieces = try SourcePieces(file, entry: options.entry)
        if options.isLines {
            var lines = JSONLines(file.stem, without: options.rejectedLines)
            try pieces.forEach { (piece) throws(CountFault) in for byte in piece { try lines.take(byte) } }
            try lines.finish()
            var count = try lines.table.count()
            count.lines = lines.count
            table = count
        } else {
            var document = JSONMembers(file.stem)
            var isFirst = true
            try pieces.forEach { (piece) throws(CountFault) in
                let bytes = isFirst && piece.starts(with: [0xEF, 0xBB, 0xBF]) ? piece.dropFirst(3) : piece[...]
                isFirst = false
                for byte in bytes { try document.take(byte) }
            }
            try document.finish()
            table = try document.table.count()
        }
        return SourceCount(tables: [table], columnsByName: true)
    }
}

/// Counts rows whose columns are listed in the order in which they occur.
struct JSONTable {
    private let name: String
    private var names: [[UInt8]] = []
    /// Index of the column by name, in every spelling read so far.
    private var places: [[UInt8]: Int] = [:]
    private var counts = ColumnCounts(numbers: true)
    /// The column of the last named member.
    private var column = 0
    /// Columns whose values the reader does not treat as numbers, even if they look like numbers.
    var plainColumns: Set<[UInt8]> = []
    /// Columns that are not counted.
    var leftOut: Set<[UInt8]> = []

    init(_ name: String) { self.name = name }

    mutating func member(_ name: [UInt8]) {
        // Most rows have the same members in the same order.
        let next = column + 1
        if next < names.count, names[next] == name {
            column = next
        } else if let place = places[name] {
            column = place
        } else {
            // Two spellings of one name are the same column.
            let meant = Self.meant(name)
            column = places[meant] ?? names.count
            places[name] = column
            places[meant] = column
            if column == names.count { names.append(meant) }
        }
    }

    mutating func value(_ event: JSONTokens.Event) throws(CountFault) {
        switch event {
        case .null, .text(isEmpty: true), .close, .name: break
        case .number(let digits):
            guard names.indices.contains(column) else { throw .damaged("a value belongs to no column") }
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
        for (index, name) in names.enumerated() { try counts.name(index, String(decoding: name, as: UTF8.self)) }
        var table = counts.table(name)
        let left = Set(leftOut.map { String(decoding: $0, as: UTF8.self) })
        table.columns.removeAll { left.contains($0.name ?? "") }
        // A row may have values only in columns that are left out, so rows are not compared.
        if !left.isEmpty { table.rows = nil }
        return table
    }

    /// A name with its escapes resolved.
    static func meant(_ name: [UInt8]) -> [UInt8] {
        guard name.contains(0x5C) else { return name }
        let text = try? JSONDecoder().decode(String.self, from: Data([0x22] + name + [0x22]))
        return text.map { Array($0.utf8) } ?? name
    }
}

/// Counts files with one object a line.
struct JSONLines {
    private let longestLine = CountBounds.current.jsonRowBytes

    var table: JSONTable
    /// Number of lines with more than white space.
    private(set) var count = 0
    private let rejected: LineSet
    private var number = 0
    private var line: [UInt8] = []

    init(_ name: String, without rejected: LineSet = LineSet()) {
        table = JSONTable(name)
        self.rejected = rejected
    }

    mutating func take(_ byte: UInt8) throws(CountFault) {
        if byte == 0x0A { return try endLine() }
        guard line.count <= longestLine else { throw .tooLarge("jsonRowBytes \(longestLine)") }
        line.append(byte)
    }

    mutating func finish() throws(CountFault) { try endLine() }

    private mutating func endLine() throws(CountFault) {
        defer { line.removeAll(keepingCapacity: true) }
        number += 1
        guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return }
        count += 1
        guard !rejected.contains(number) else { return }
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
        } catch {
            // If the reader accepted this line, the comparison reports its cells as a gap.
            guard case .damaged = error else { throw error }
            return
        }
        table = read
    }
}

/// Counts an array of objects, or an object whose members are such arrays.
private struct JSONMembers {
    private(set) var table: JSONTable
    private var scan = JSONTokens()
    private var depth = 0
    /// The depth of the array of rows; 0 outside of it.
    private var rowsDepth = 0
    private var hasMember = false

    init(_ name: String) { table = JSONTable(name) }

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
        switch event {
        case .open(let isObject):
            if rowsDepth == 0, !isObject, depth == 0 || (depth == 1 && hasMember) {
                rowsDepth = depth + 1
            } else if rowsDepth > 0, depth == rowsDepth + 1 {
                try table.value(event)
            }
            depth += 1
        case .close:
            depth -= 1
            if rowsDepth > 0, depth == rowsDepth { table.endRow() }
            if depth == rowsDepth - 1 { rowsDepth = 0 }
        case .name(let name):
            if depth == 1, rowsDepth == 0 { hasMember = true }
            if rowsDepth > 0, depth == rowsDepth + 1 { table.member(name) }
        default: if rowsDepth > 0, depth == rowsDepth + 1 { try table.value(event) }
        }
    }
}
