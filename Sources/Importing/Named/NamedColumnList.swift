import JSONReading
import Model

/// The columns of rows with named values: one for each name, in the order of first occurrence.
struct NamedColumnList {
    private(set) var names: [String] = []
    private var columns: [String: Int] = [:]
    /// Columns by the bytes of their names, for fast lookup.
    private var spelled = BytesMemo<Int>()
    /// For each column plus one (0 is the start of a row), the column that followed it last time.
    private var followers: [Int] = [-1]
    private var nameBytes: [UInt8] = []
    private var nameRanges: [Range<Int>] = []
    private let path: String
    private let limit: Int

    /// - Parameter limit: the largest number of columns; a table with more is rejected.
    init(path: String, limit: Int) {
        (self.path, self.limit) = (path, limit)
    }

    /// Throws `TableFailure.tooLarge` where a new column would exceed the limit.
    mutating func column(of name: String, line: Int) throws(TableFailure) -> Int {
        if let known = columns[name] { return known }
        guard names.count < limit else { throw .tooLarge(Place(file: path, line: line), kind: JSONFormat.kind, limit: "columns \(limit)") }
        columns[name] = names.count
        names.append(name)
        followers.append(-1)
        nameRanges.append(nameBytes.count..<nameBytes.count + name.utf8.count)
        nameBytes.append(contentsOf: name.utf8)
        return names.count - 1
    }

    /// The column of a name in UTF-8. Most rows have their members in the same order as the rows
    /// before.
    ///
    /// - Parameter previous: the column of the row's previous member; -1 for its first.
    mutating func column(of name: Span<UInt8>, after previous: Int, line: Int) throws(TableFailure) -> Int {
        let expected = followers[previous + 1]
        if expected >= 0, isName(expected, name) { return expected }
        var column = spelled.value(of: name)
        if column == nil {
            column = try self.column(of: String(utf8: name), line: line)
            spelled.remember(column ?? 0, of: name)
        }
        followers[previous + 1] = column ?? 0
        return column ?? 0
    }

    /// Removes all columns but the first `count`: the others came from something that was not a
    /// row.
    mutating func keep(_ count: Int) {
        guard names.count > count else { return }
        for name in names[count...] { columns[name] = nil }
        nameBytes.removeLast(nameBytes.count - nameRanges[count].lowerBound)
        nameRanges.removeLast(names.count - count)
        names.removeLast(names.count - count)
        spelled = BytesMemo()
        followers = Array(repeating: -1, count: count + 1)
    }

    @inline(__always) private func isName(_ column: Int, _ name: Span<UInt8>) -> Bool {
        let range = nameRanges[column]
        guard range.count == name.count else { return false }
        for index in name.indices where nameBytes[range.lowerBound &+ index] != name[index] { return false }
        return true
    }
}
