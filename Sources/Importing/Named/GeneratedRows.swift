import JSONReading
package import Model

/// Rows that a source generates from events or a drawing. Each member of a row becomes a cell, in
/// the column with the member's name.
final class GeneratedRows: NamedRows {
    private let rows: [SourceRow]
    private var next = 0
    private var columns: NamedColumnList
    var names: [String] { columns.names }

    init(_ rows: [SourceRow], path: String, limits: TableLimits = TableLimits()) {
        self.rows = rows
        columns = NamedColumnList(path: path, limit: limits.columns)
    }

    func fill(_ batch: inout ForeignBatch) throws {
        batch.removeAll()
        while next < rows.count, !batch.isFull {
            try rows[next].append(to: &batch, &columns)
            next += 1
        }
    }
}

extension SourceRow {
    /// Appends the row's members as cells, with the source's remarks on the row.
    func append(to batch: inout ForeignBatch, _ columns: inout NamedColumnList) throws {
        for member in value.members ?? [] {
            let column = try columns.column(of: member.key, line: line ?? 0)
            switch member.value {
            case .null: batch.set(.null, at: column, "")
            case .bool(let truth): batch.set(.boolean, at: column, truth ? "true" : "false")
            case .number(let digits): batch.set(.number, at: column, digits)
            case .string(let text): batch.set(.text, at: column, text)
            case .array, .object: batch.set(.json, at: column, member.value.description)
            }
        }
        batch.setRowText(raw ?? value.description)
        if fault != nil || isFiltered || isDeletion || !findings.isEmpty {
            batch.remark(
                ForeignBatch.Remark(fault: fault, isLeftOut: isFiltered, isDeletion: isDeletion, findings: findings))
        }
        if let pointer { batch.point(pointer) }
        batch.endRow(number: line ?? 0)
    }
}

/// A row that a source generates from its contents: events, a drawing, a rejected row that is
/// retried.
struct SourceRow {
    var value: JSONValue
    /// Reason (in English) why the source could not read a row from this place; `value` is then the
    /// text found at the place.
    var fault: String? = nil
    /// Whether the row was read and is left out on purpose: it is counted but not imported.
    var isFiltered = false
    /// Whether the source reports the record with the id in `value` as deleted; `value` contains
    /// the details.
    var isDeletion = false
    /// Problems that the source found in the row; only errors cause its rejection.
    var findings: [Finding] = []
    /// The row as it was in its file, as JSON, if `value` was derived from it.
    var raw: String? = nil
    var file: String
    var line: Int? = nil
    var pointer: String? = nil
}

/// Rows that a person enters with a command: they are processed like any other rows.
package final class EnteredRows: Source {
    package struct Row: Sendable {
        package var entity: String
        package var id: String
        /// Values by field name; nil clears the field.
        package var values: [(field: String, value: String?)]
        package var isDeletion = false
        /// A readable name, for rows whose key means nothing to people.
        package var name: String?
        /// The row of the file that a person filled in, and its sheet; nil for a command's row.
        package var line: Int?
        package var sheet: String?

        package init(
            entity: String, id: String, values: [(field: String, value: String?)] = [], isDeletion: Bool = false,
            name: String? = nil
        ) {
            (self.entity, self.id, self.values, self.isDeletion, self.name) = (entity, id, values, isDeletion, name)
        }
    }

    package let tables: [SourceTable]
    package var photos: [SourcePhoto] { [] }
    package let findings: [Finding] = []

    /// The tables are in the pack's order, so that parents come before children.
    ///
    /// - Parameter name: the name of the command, used in places instead of a file's name.
    package init(_ rows: [Row], named name: String, pack: Pack) {
        let byEntity = Dictionary(grouping: rows, by: \.entity)
        tables = pack.entities.flatMap { entity -> [SourceTable] in
            // The origin of rows is noted for a table as a whole, so each sheet is one.
            let sheets = Dictionary(grouping: byEntity[entity.name] ?? []) { $0.sheet ?? "" }
            return sheets.sorted { $0.key < $1.key }.map { _, own in
                SourceTable(made: own.map { Self.row($0, of: entity, name) }, of: entity.name, file: name, pack: pack)
            }
        }
    }

    private static func row(_ row: Row, of entity: Entity, _ name: String) -> SourceRow {
        let members = [JSONValue.Member(key: "id", value: .string(row.id))] + row.values.map { field, value in
            JSONValue.Member(key: field, value: value.map { json($0, entity.field(field)) } ?? .null)
        }
        return SourceRow(
            value: .object(members), isDeletion: row.isDeletion, file: name, line: row.line,
            pointer: row.sheet.map { "\($0)!A\(row.line ?? 0)" })
    }

    /// Parses a value in the form in which people write it, for a field of a given type.
    private static func json(_ text: String, _ field: Field?) -> JSONValue {
        switch field?.type {
        case .integer, .decimal, .boolean, .json, .list, .point, .polygon: (try? JSONValue.parse(text)) ?? .string(text)
        default: .string(text)
        }
    }
}

/// The columns of rows with named values: one for each name, in the order of first occurrence.
struct NamedColumnList {
    private(set) var names: [String] = []
    private var columns: [String: Int] = [:]
    /// Columns by the bytes of their names, for fast lookup.
    private var spelled = BytesMemo<Int>()
    /// For each column plus one (0 is the start of a row), the column that followed in an earlier
    /// row.
    private var followers: [Int] = [-1]
    private var nameBytes: [UInt8] = []
    private var nameRanges: [Range<Int>] = []
    private let path: String
    private let limit: Int

    /// - Parameter limit: the largest number of columns; a table with more is rejected.
    init(path: String, limit: Int) {
        (self.path, self.limit) = (path, limit)
    }

    /// Throws `TableFailure.tooLarge` if a new column would exceed the limit.
    mutating func column(of name: String, line: Int) throws(TableFailure) -> Int {
        if let known = columns[name] { return known }
        guard names.count < limit else {
            throw .tooLarge(Place(file: path, line: line), kind: JSONFormat.kind, limit: "columns \(limit)")
        }
        columns[name] = names.count
        names.append(name)
        followers.append(-1)
        nameRanges.append(nameBytes.count..<nameBytes.count + name.utf8.count)
        nameBytes.append(contentsOf: name.utf8)
        return names.count - 1
    }

    /// The column of a name in UTF-8. The expected column is tried first: most rows have the same
    /// members in the same order as earlier rows.
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

    /// Removes all columns but the first `count`: the others came from a line that was not a row.
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
