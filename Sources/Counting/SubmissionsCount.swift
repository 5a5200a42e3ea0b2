internal import Foundation
internal import Model

/// Counts the submissions of a form with their repeats: one object a line, or the objects in the
/// lists of a document. The members of each row, and of each list of rows within it, are counted
/// under the table named by the list's path. Nested groups form one name. A list of anything but
/// objects is one value.
enum SubmissionsCount: FileCount {
    static let kind = "submissions"

    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount {
        var tables = RepeatTables()
        if options.isLines {
            try countLines(of: file, without: options.rejectedLines, &tables)
        } else {
            var scan = JSONTokens()
            try file.forEachPiece { (piece) throws(CountFault) in
                // Only a file's first bytes may be a byte order mark.
                let bytes = scan.isComplete && piece.starts(with: [0xEF, 0xBB, 0xBF]) ? piece.dropFirst(3) : piece[...]
                for byte in bytes {
                    try scan.take(byte) { (event) throws(CountFault) in try tables.takeOfDocument(event) }
                }
            }
            try scan.finish { (event) throws(CountFault) in try tables.takeOfDocument(event) }
        }
        return SourceCount(tables: try tables.counts(), columnsByName: true)
    }

    private static func countLines(
        of file: SourceFile, without rejected: LineSet, _ tables: inout RepeatTables
    ) throws(CountFault) {
        let longest = CountBounds.current.jsonRowBytes
        var line: [UInt8] = []
        var number = 0
        func endLine() throws(CountFault) {
            defer { line.removeAll(keepingCapacity: true) }
            number += 1
            guard !rejected.contains(number) else { return }
            try tables.take(line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line[...])
        }
        try file.forEachPiece { (piece) throws(CountFault) in
            for byte in piece {
                if byte == 0x0A {
                    try endLine()
                } else {
                    guard line.count <= longest else { throw .tooLarge("jsonRowBytes \(longest)") }
                    line.append(byte)
                }
            }
        }
        try endLine()
    }
}

private struct RepeatTables {
    private struct Table {
        let name: [UInt8]
        var content: JSONTable
        var parts: [[UInt8]: Int] = [:]
        var isFilled = false
        var hasBlankRow = false
    }

    private enum Container {
        case row(Int)
        case group(Int, [UInt8])
        case list(Int, [UInt8])
        case rows(Int)
        case value
    }

    private var tables = [Table(name: [], content: JSONTable(SubmissionsCount.kind))]
    private var open: [Container] = []
    private var member: [UInt8] = []
    /// Open objects (true) and lists of a document outside of its submissions.
    private var around: [Bool] = []
    private static let element = Array(".".utf8)

    /// Counts one line. The reader reports lines that are not JSON; if it accepted such a line, the
    /// comparison reports its cells as a gap.
    mutating func take(_ line: ArraySlice<UInt8>) throws(CountFault) {
        guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return }
        do throws(CountFault) {
            var check = JSONTokens()
            for byte in line { try check.take(byte) { (_) throws(CountFault) in } }
            try check.finish { (_) throws(CountFault) in }
        } catch {
            guard case .damaged = error else { throw error }
            return
        }
        open.removeAll(keepingCapacity: true)
        var scan = JSONTokens()
        for byte in line { try scan.take(byte) { (event) throws(CountFault) in try take(event) } }
        try scan.finish { (event) throws(CountFault) in try take(event) }
    }

    /// Handles an event of a document: objects in lists that are members of its object are
    /// submissions.
    mutating func takeOfDocument(_ event: JSONTokens.Event) throws(CountFault) {
        guard open.isEmpty else { return try take(event) }
        switch event {
        case .open(isObject: true) where around == [true, false]: try take(event)
        case .open(let isObject): around.append(isObject)
        case .close: around.removeLast()
        default: break
        }
    }

    func counts() throws(CountFault) -> [TableCount] {
        var counts: [TableCount] = []
        for table in tables {
            var count = try table.content.count()
            // A row without values may have values of the enclosing rows, so rows are not compared.
            if table.hasBlankRow { count.rows = nil }
            counts.append(count)
        }
        return counts
    }

    private mutating func take(_ event: JSONTokens.Event) throws(CountFault) {
        switch event {
        case .name(let name): nameMember(Self.spelled(name))
        case .open(let isObject): try begin(isObject, event)
        case .close: if case .row(let table)? = open.popLast() { endRow(table) }
        default:
            switch open.last {
            case .row(let table)?, .group(let table, _)?: try put(event, table, member)
            case .list(let table, let path)?:
                open[open.count - 1] = .value
                try put(.open(isObject: false), table, path)
            case .rows(let table)?:
                try put(event, table, Self.element)
                endRow(table)
            case .value?, nil: break
            }
        }
    }

    private mutating func begin(_ isObject: Bool, _ event: JSONTokens.Event) throws(CountFault) {
        switch open.last {
        case nil: open.append(isObject ? .row(0) : .value)
        case .row(let table)?, .group(let table, _)?:
            open.append(isObject ? .group(table, member) : .list(table, member))
        case .list(let table, let path)? where isObject:
            let part = part(of: table, path)
            open[open.count - 1] = .rows(part)
            open.append(.row(part))
        case .list(let table, let path)?:
            open[open.count - 1] = .value
            open.append(.value)
            try put(event, table, path)
        case .rows(let table)? where isObject: open.append(.row(table))
        case .rows(let table)?:
            try put(event, table, Self.element)
            endRow(table)
            open.append(.value)
        case .value?: open.append(.value)
        }
    }

    private mutating func nameMember(_ name: [UInt8]) {
        switch open.last {
        case .row(let table)?:
            let around = tables[table].name + [0x2F]
            member =
                table > 0 && name.count > around.count && name.starts(with: around)
                ? Array(name.dropFirst(around.count)) : name
        case .group(_, let path)?: member = path + [0x2F] + name
        default: break
        }
    }

    /// Index of the table of nested rows at a path; adds the table if it is new.
    private mutating func part(of table: Int, _ path: [UInt8]) -> Int {
        if let known = tables[table].parts[path] { return known }
        let name = table == 0 ? path : tables[table].name + [0x2F] + path
        tables[table].parts[path] = tables.count
        tables.append(Table(name: name, content: JSONTable(Self.meant(name))))
        return tables.count - 1
    }

    private mutating func put(_ event: JSONTokens.Event, _ table: Int, _ name: [UInt8]) throws(CountFault) {
        tables[table].content.member(name)
        try tables[table].content.value(event)
        switch event {
        case .null, .text(isEmpty: true): break
        default: tables[table].isFilled = true
        }
    }

    private mutating func endRow(_ table: Int) {
        if !tables[table].isFilled { tables[table].hasBlankRow = true }
        tables[table].isFilled = false
        tables[table].content.endRow()
    }

    private static func meant(_ name: [UInt8]) -> String {
        guard name.contains(0x5C) else { return String(decoding: name, as: UTF8.self) }
        return String(decoding: JSONTable.meant(name), as: UTF8.self)
    }

    /// Converts a quoted name to one common spelling, because some programs write `\/` for `/`.
    private static func spelled(_ name: [UInt8]) -> [UInt8] {
        guard name.contains(0x5C) else { return name }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard let bytes = try? encoder.encode(meant(name)) else { return name }
        return Array(bytes.dropFirst().dropLast())
    }
}
