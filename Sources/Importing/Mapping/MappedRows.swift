import JSONReading
import Model

/// Gives the rows of one foreign table as rows of one entity, in flat memory but for the keys of repeated rows.
final class MappedRows {
    let table: ForeignTable
    let part: ImportMapping.Table
    let target: ImportMapping.Target
    /// It holds these rows itself, and must go when the import is over: pictures taken out of a workbook go with it.
    private unowned let source: MappedSource
    /// `registro/0/1`: the mapping, its table, the table's row.
    private let address: String
    private let sheet: String?
    /// The table's own file, where the source is a folder of several.
    private var file: String { table.file ?? source.path }
    private let repeated: RepeatedRows
    /// Of a form, whose photos lie in the file itself.
    var pictures: FormPictures?

    init(
        table: ForeignTable, part: ImportMapping.Table, target: ImportMapping.Target, source: MappedSource, address: String, sheet: String?,
        repeated: RepeatedRows = RepeatedRows()
    ) {
        (self.table, self.part, self.target, self.source, self.address, self.sheet) = (table, part, target, source, address, sheet)
        self.repeated = repeated
    }

    /// Headings without which no row of the target can be made, by any of their names.
    private var needed: [[String]] {
        part.requires.map { [$0] }
            + (target.each == nil ? target.requires.map { [$0] } : [])
            + target.fields.filter { target.key.contains($0.name) || $0.name == "id" }.filter { _ in target.each == nil }.flatMap(Self.groups)
    }

    private static func groups(_ field: ImportMapping.Field) -> [[String]] {
        switch field.value {
        case .column(let names): [names]
        case .parent(_, let by), .identifier(let by): by.flatMap(groups)
        case .other(let other): other.by.flatMap(groups)
        case .join, .constant, .expression, .ordinal, .object, .merge: []
        }
    }

    /// The heading, with what is missing of it.
    func heading() throws -> Heading {
        let wanted = part.targets.flatMap(\.fields).flatMap(\.headings) + part.columns.flatMap(\.headings) + part.requires
        let heading = try HeadingSearch(table, header: part.header).heading(wanting: Set(wanted.map(ColumnName.normal)))
        let missing = needed.filter { names in names.allSatisfy { heading[$0] == nil } }
        guard missing.isEmpty else {
            throw ImportFailure.missingColumns(
                path: file, table: table.name, columns: missing.map { $0.joined(separator: " | ") })
        }
        return heading
    }

    func forEach(_ body: (SourceRow) throws -> Void) throws {
        let heading = try heading()
        let columns = try NamedColumns(part.columns, heading: heading, table: table.name, other: source.other)
        let numbers = target.each.map(Array.init) ?? []
        func mapping(_ number: Int?) throws -> RowMapping {
            try RowMapping(
                target, scene: .init(heading: heading, columns: columns, other: source.other, number: number), words: source.words,
                pack: source.pack, keys: source.keys, table: table.name)
        }
        let mappings = try target.each == nil ? [mapping(nil)] : numbers.map { try mapping($0) }
        let filter = try part.filter.map { try columns.program(of: $0) }
        let required = part.requires.compactMap { heading[$0] }
        let several = SeveralValues(target.several, heading)
        repeated.begin(table.name)
        try table.forEachRow(after: heading, blanks: source.words.blanks) { row in
            guard !row.isBlank, required.allSatisfy({ row.text($0) != nil }) else { return try body(leftOut(row)) }
            do throws(MappingFault) {
                try columns.read(row, source.words)
            } catch {
                return try body(faulty(row, heading, [error]))
            }
            if let filter, !columns.isTrue(filter) { return try body(leftOut(row)) }
            var isUsed = false
            for mapping in mappings {
                switch try mapping.outcome(of: row) {
                // Of several that a row may give, those that it does not give are no rows.
                case .filtered: if target.each == nil { try body(leftOut(row)) }
                case .fault(let faults): try body(faulty(row, heading, faults))
                case .row(let id, let value, let photo):
                    if target.repeats, !repeated.isFirst(id, in: table.name) {
                        try body(leftOut(row))
                    } else {
                        var result = SourceRow(value: value, raw: row.raw(heading), file: file, line: row.number)
                        (result.sheet, result.mapping) = (sheet, address)
                        if let photo {
                            let place = Place(table: target.entity, file: file, sheet: sheet, line: row.number)
                            result.findings = try source.add(photo, of: target, id: id, at: place, pictures: pictures)
                        }
                        if !several.isEmpty {
                            let place = Place(table: target.entity, id: id, file: file, sheet: sheet, line: row.number)
                            result.findings += several.findings(in: row, at: place)
                        }
                        try body(result)
                    }
                    isUsed = true
                }
            }
            if target.each != nil, !isUsed { try body(leftOut(row)) }
        }
    }

    private func leftOut(_ row: ForeignRow) -> SourceRow {
        SourceRow(value: .null, isFiltered: true, file: file, line: row.number)
    }

    private func faulty(_ row: ForeignRow, _ heading: Heading, _ faults: [MappingFault]) -> SourceRow {
        var result = SourceRow(value: .null, raw: row.raw(heading), file: file, line: row.number)
        (result.sheet, result.mapping) = (sheet, address)
        let entity = source.pack.entity(target.entity)
        result.findings = faults.map { fault in
            var arguments = fault.arguments
            // A value whose cell is no longer known is told by its field.
            if let cell = fault.cell ?? (arguments["value"] == nil ? nil : fault.field) { arguments["cell"] = cell }
            if let name = fault.field, let field = entity?.field(name), field.privacy != "public", field.privacy != "internal",
                arguments["value"] != nil
            {
                arguments["value"] = "•••"
            }
            return Finding(
                code: fault.code, severity: .error,
                place: Place(
                    table: target.entity, field: fault.field, file: file, sheet: sheet, cell: fault.cell, line: row.number, mapping: address),
                arguments: arguments)
        }
        return result
    }
}
