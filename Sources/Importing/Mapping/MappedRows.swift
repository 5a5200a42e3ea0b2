import JSONReading
import Model

/// Gives the rows of one foreign table as rows of one entity, in flat memory but for the keys of repeated rows.
struct MappedRows {
    let table: ForeignTable
    let part: ImportMapping.Table
    let target: ImportMapping.Target
    let path: String
    let pack: String
    let existing: MappedSource.Existing
    private let lookups: [String: [String: String]]

    /// The heading stands among the first rows or not at all.
    private static let headingRows = 30

    init(
        table: ForeignTable, part: ImportMapping.Table, target: ImportMapping.Target, lookups: [String: [String: String]], path: String,
        pack: String, existing: @escaping MappedSource.Existing
    ) {
        (self.table, self.part, self.target, self.path, self.pack, self.existing) = (table, part, target, path, pack, existing)
        self.lookups = lookups.mapValues { words in
            Dictionary(words.map { (ColumnName.normal($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
        }
    }

    private struct Heading {
        var row = 0
        var names: [String] = []
        var columns: [String: Int] = [:]

        init(row: Int, names: [String]) {
            (self.row, self.names) = (row, names)
            for (index, name) in names.enumerated() where !name.isEmpty && columns[ColumnName.normal(name)] == nil {
                columns[ColumnName.normal(name)] = index
            }
        }
    }

    private struct Fault: Error { var reason: String }

    func forEach(_ body: (SourceRow) throws -> Void) throws -> MappedSource.Count {
        var count = MappedSource.Count(table: table.name, entity: target.entity)
        var seen: Set<String> = []
        let heading = try heading()
        let rows = try table.open()
        var batch = ForeignBatch()
        while true {
            try rows.fill(&batch)
            guard batch.rowCount > 0 else { return count }
            for row in 0..<batch.rowCount where batch.rows[row].number > heading.row || table.columns != nil {
                count.read += 1
                if (0..<batch.width(row)).allSatisfy({ isEmpty(batch, row, $0) }) { count.blank += 1; try leaveOut(batch, row, body); continue }
                if part.requires.contains(where: { cell([$0], heading, batch, row) == nil }) { count.filtered += 1; try leaveOut(batch, row, body); continue }
                let number = batch.rows[row].number
                var source = SourceRow(value: .null, file: path, line: number, pointer: "\(table.name)!A\(number)")
                do {
                    let (id, value) = try record(heading, batch, row)
                    if target.repeats, !seen.insert(id).inserted { count.repeated += 1; try leaveOut(batch, row, body); continue }
                    source.value = value
                    count.handed += 1
                } catch let fault as Fault {
                    source.value = raw(heading, batch, row)
                    source.fault = fault.reason
                    count.faulty += 1
                }
                try body(source)
            }
        }
    }

    private func leaveOut(_ batch: ForeignBatch, _ row: Int, _ body: (SourceRow) throws -> Void) throws {
        try body(SourceRow(value: .null, isFiltered: true, file: path, line: batch.rows[row].number))
    }

    /// The first row that has the most of the columns that the mapping asks for.
    private func heading() throws -> Heading {
        if let columns = table.columns { return Heading(row: 0, names: columns) }
        let wanted = Set(part.targets.flatMap(\.fields).flatMap(Self.columns).map(ColumnName.normal))
        let rows = try table.open()
        var batch = ForeignBatch()
        var best = (score: 0, heading: Heading(row: 0, names: []))
        var looked = 0
        while looked < Self.headingRows {
            try rows.fill(&batch)
            guard batch.rowCount > 0 else { break }
            for row in 0..<min(batch.rowCount, Self.headingRows - looked) {
                let heading = Heading(row: batch.rows[row].number, names: (0..<batch.width(row)).map { batch.string(row, $0) ?? "" })
                let score = heading.columns.keys.count { wanted.contains($0) }
                if score > best.score { best = (score, heading) }
            }
            looked += batch.rowCount
        }
        return best.heading
    }

    private static func columns(_ field: ImportMapping.Field) -> [String] {
        switch field.value {
        case .column(let names), .join(let names, _): names
        case .constant: []
        case .parent(_, let by): by.flatMap(columns)
        }
    }

    private func isEmpty(_ batch: ForeignBatch, _ row: Int, _ column: Int) -> Bool {
        batch.string(row, column)?.allSatisfy(\.isWhitespace) ?? true
    }

    /// The first filled cell under any of the headings.
    private func cell(_ names: [String], _ heading: Heading, _ batch: ForeignBatch, _ row: Int) -> (text: String, column: Int)? {
        for name in names {
            guard let column = heading.columns[ColumnName.normal(name)], !isEmpty(batch, row, column) else { continue }
            return batch.string(row, column).map { ($0, column) }
        }
        return nil
    }

    private func record(_ heading: Heading, _ batch: ForeignBatch, _ row: Int) throws -> (id: String, value: JSONValue) {
        var members: [JSONValue.Member] = []
        var values: [String: String] = [:]
        for field in target.fields {
            // A column that the file has not says nothing about the field.
            let columns = Self.columns(field)
            if !columns.isEmpty, !columns.contains(where: { heading.columns[ColumnName.normal($0)] != nil }) { continue }
            let value = try value(field, heading, batch, row)
            values[field.name] = value
            members.append(.init(key: field.name, value: value.map(JSONValue.string) ?? .null))
        }
        if let id = values["id"] { return (id, .object(members)) }
        let key = try target.key.map { name in
            guard let value = values[name] else { throw Fault(reason: "row \(batch.rows[row].number): \(name) is empty") }
            return value
        }
        let id = existing(target.entity, key) ?? NaturalID.id(pack: pack, entity: target.entity, key: key)
        members.insert(.init(key: "id", value: .string(id)), at: 0)
        return (id, .object(members.filter { $0.key != "id" || $0.value != .null }))
    }

    private func value(_ field: ImportMapping.Field, _ heading: Heading, _ batch: ForeignBatch, _ row: Int) throws -> String? {
        switch field.value {
        case .constant(let text): return text
        case .parent(let entity, let by):
            let key = try by.map { try value($0, heading, batch, row) }
            let filled = key.compactMap { $0 }
            guard filled.count == key.count else { return nil }
            return existing(entity, filled) ?? NaturalID.id(pack: pack, entity: entity, key: filled)
        case .column(let names):
            guard let cell = cell(names, heading, batch, row) else { return nil }
            return try converted(cell, field, batch, row)
        case .join(let names, let separator):
            let texts = try names.compactMap { name in
                try cell([name], heading, batch, row).map { try converted($0, field, batch, row) }
            }
            return texts.isEmpty ? nil : texts.joined(separator: separator)
        }
    }

    private func converted(_ cell: (text: String, column: Int), _ field: ImportMapping.Field, _ batch: ForeignBatch, _ row: Int) throws -> String {
        let place = "\(table.name)!\(ColumnName.letters(cell.column))\(batch.rows[row].number)"
        let kind = batch.cell(row, cell.column).kind
        guard kind != .error else { throw Fault(reason: "\(place): \(cell.text)") }
        var text = cell.text
        for conversion in field.conversions {
            // A file that keeps binary numbers writes them with a point, whatever its people do.
            if kind == .number, conversion == .decimalComma { continue }
            do {
                text = try conversion.apply(text, lookups: lookups)
            } catch {
                // The value itself may be private; the quarantine keeps it.
                throw Fault(reason: "\(place): the value \(error.reason)")
            }
        }
        return text
    }

    /// The whole row under its headings, for the quarantine.
    private func raw(_ heading: Heading, _ batch: ForeignBatch, _ row: Int) -> JSONValue {
        .object((0..<batch.width(row)).map { column in
            let name = heading.names.indices.contains(column) ? heading.names[column] : ""
            return .init(
                key: name.isEmpty ? ColumnName.letters(column) : name,
                value: batch.string(row, column).map(JSONValue.string) ?? .null)
        })
    }
}
