import Model

/// Finds a table on a sheet that no part of the mapping reads. Such a table is a row of words,
/// followed immediately by rows with numbers or days. Below the end of the table that is read, such
/// rows are enough without a row of words.
struct UnreadTableSearch {
    private struct Row {
        let number: Int
        let columns: ClosedRange<Int>
        let names: [String]
    }

    private var heading: Row?
    private var last: Row?
    private var rows = 0
    /// The first unread table that was found.
    private var found: (range: String, names: [String], rows: Int)?

    /// A row with fewer cells is a title, not a row of a table.
    private static let leastCells = 3

    /// - Parameters:
    ///   - isBelow: whether all tables that are read have ended above this row.
    ///   - isTaken: whether a column of this row belongs to another table.
    mutating func note(
        _ batch: borrowing ForeignBatch, _ row: Int, isBelow: Bool = false, isTaken: (Int) -> Bool = { _ in false }
    ) {
        let filled = (0..<batch.width(row)).filter {
            !isTaken($0) && (batch.string(row, $0) ?? "").contains { !$0.isWhitespace }
        }
        let isWords = filled.allSatisfy { column in
            let cell = batch.cell(row, column)
            return cell.kind == .text && ApparentType(batch.text.span.extracting(cell.range)) == .text
        }
        guard found == nil || heading != nil, filled.count >= Self.leastCells, let first = filled.first,
            let end = filled.last
        else { return endTable() }
        let own = Row(
            number: batch.rows[row].number, columns: first...end, names: filled.compactMap { batch.string(row, $0) })
        if let last, last.number + 1 != own.number { endTable() }
        if isWords, rows == 0 {
            heading = own
        } else if heading != nil {
            rows += 1
        } else if isBelow, !isWords, batch.cell(row, first).kind != .text || UnreadRows.isValue(own.names[0]) {
            (heading, rows) = (own, 1)
        }
        last = own
    }

    private mutating func endTable() {
        if found == nil, let heading, let last, rows > 0 {
            let columns =
                min(
                    heading.columns.lowerBound, last.columns.lowerBound)...max(
                    heading.columns.upperBound, last.columns.upperBound)
            let range =
                ColumnName.letters(columns.lowerBound) + String(heading.number) + ":"
                + ColumnName.letters(columns.upperBound) + String(last.number)
            found = (range, heading.names, rows)
        }
        (heading, last, rows) = (nil, nil, 0)
    }

    /// Nil if there is no such table, or if the mapping leaves it out on purpose.
    func finding(name: String, at place: Place, _ mapping: ImportMapping) -> Finding? {
        var whole = self
        whole.endTable()
        guard let found = whole.found, found.names.first.map(mapping.ignores) != true else { return nil }
        let columns =
            found.names.prefix(8).map { String($0.prefix(40)) }.joined(separator: ", ")
            + (found.names.count > 8 ? ", …" : "")
        return Finding(
            "IMPORT-UNREAD-TABLE", place: place,
            arguments: ["name": name, "range": found.range, "columns": columns, "count": String(found.rows)])
    }
}

/// Replaces a mapping's references to the table that it reads (`{table: columns}`) by the table's
/// name, columns and key. Afterwards, the mapping is as if it had named each column.
extension ImportMapping.Table {
    func bound(to table: ForeignTable) -> ImportMapping.Table {
        guard targets.contains(where: { $0.fields.contains(where: \.isOfTable) }) else { return self }
        var part = self
        let columns = table.columns ?? (try? HeadingSearch(table, self).heading(wanting: []).names) ?? []
        let named = columns.reduce(into: [String]()) {
            if !$1.allSatisfy(\.isWhitespace), !$0.contains($1) { $0.append($1) }
        }
        let key = table.key.isEmpty ? Array(named.prefix(1)) : table.key
        part.targets = targets.map { target in
            var target = target
            target.fields = target.fields.map { $0.bound(to: table.ownName, columns: named, key: key) }
            return target
        }
        return part
    }
}

extension ImportMapping.Field {
    var isOfTable: Bool {
        switch value {
        case .ofTable: true
        case .parent(_, let by), .identifier(let by), .object(let by), .merge(let by): by.contains(where: \.isOfTable)
        case .other(let other): other.by.contains(where: \.isOfTable)
        default: false
        }
    }

    fileprivate func bound(to name: String, columns: [String], key: [String]) -> ImportMapping.Field {
        func all(_ fields: [ImportMapping.Field]) -> [ImportMapping.Field] {
            fields.map { $0.bound(to: name, columns: columns, key: key) }
        }
        var field = self
        switch value {
        case .ofTable(.name): field.value = .constant(name)
        case .ofTable(.columns): field.value = .object(columns.map { ImportMapping.Field($0, .column([$0])) })
        case .ofTable(.key): field.value = .join(key, separator: " / ")
        case .parent(let entity, let by): field.value = .parent(entity: entity, by: all(by))
        case .identifier(let parts): field.value = .identifier(all(parts))
        case .object(let members): field.value = .object(all(members))
        case .merge(let parts): field.value = .merge(all(parts))
        case .other(var other):
            other.by = all(other.by)
            field.value = .other(other)
        default: break
        }
        return field
    }
}
