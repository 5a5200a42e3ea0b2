import JSONReading
import Model

/// The columns of rows with named values: one for each name, in the order in which names first come.
struct NamedColumnList {
    private(set) var names: [String] = []
    private var columns: [String: Int] = [:]
    /// Names as they were spelled in bytes before.
    private var spelled = BytesMemo<Int>()
    /// By a column and one, with nought for a row's start: the column that came after it last, and where its name's bytes are.
    private var followers: [Int] = [-1]
    private var nameBytes: [UInt8] = []
    private var nameRanges: [Range<Int>] = []
    private let path: String
    private let limit: Int

    /// - Parameter limit: so many names are a table; more are refused.
    init(path: String, limit: Int) {
        (self.path, self.limit) = (path, limit)
    }

    /// Throws `TableFailure.tooLarge` where a row would have one column more than the limit.
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

    /// The column of a name in UTF-8: rows mostly have their members in the order of those before.
    ///
    /// - Parameter previous: the column of the row's member before; -1 for its first.
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

    /// Forgets all columns but the first of them: what came with them was no row.
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
