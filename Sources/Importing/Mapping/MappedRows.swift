import Expressions
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
        case .join, .constant, .expression, .ordinal, .layer, .object, .merge: []
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
        let reading = try Reading(self)
        try table.forEachRow(after: reading.heading, blanks: source.words.blanks) { try read($0, reading, body) }
    }

    /// Gives most rows in batches, already converted, and only those one by one that are not of the plainest form; in order.
    ///
    /// - Parameter taken: how many of the first rows are known already: a batch ends with the last of them.
    func forEach(taken: Int, _ body: (SourceRow) throws -> Void, batch take: (inout ImportedBatch) throws -> Void) throws {
        let reading = try Reading(self)
        guard pictures == nil, reading.several.isEmpty, let entity = source.pack.entity(target.entity), reading.mappings.count == 1,
            let direct = DirectMapping(
                reading.mappings[0], target: target, entity: entity, source: source, repeated: repeated, table: table.name)
        else {
            return try table.forEachRow(after: reading.heading, blanks: source.words.blanks) { try read($0, reading, body) }
        }
        let place = Place(table: entity.name, file: file, sheet: sheet, mapping: address)
        let rows = try table.open()
        var batch = ForeignBatch()
        // Where the file has more columns than headings, they are named as they are when a row is shown.
        var made = ImportedBatch(entity: entity.name, fields: direct.fields, place: place, headings: reading.heading.names)
        var seen = 0
        func flush() throws {
            guard made.count > 0 else { return }
            try take(&made)
            made.removeAll()
        }
        let blanks = PlainForm.firstBytes(of: source.words.blanks)
        while true {
            try rows.fill(&batch)
            guard batch.rowCount > 0 else { return try flush() }
            for row in 0..<batch.rowCount where table.columns != nil || batch.rows[row].number > reading.heading.row {
                seen += 1
                switch try outcome(batch, row, reading, direct, blanks, &made) {
                case .row:
                    batch.pack(row, into: &made.raw)
                    made.endRow(line: batch.rows[row].number)
                case .filtered:
                    made.dropOpenRow()
                    made.filter()
                case .unfit:
                    made.dropOpenRow()
                    try flush()
                    let foreign = ForeignRow(batch: batch, index: row, blanks: source.words.blanks, naming: rows as? any CellNaming)
                    try read(foreign, reading, body)
                }
                if made.isFull || seen == taken { try flush() }
            }
        }
    }

    /// What becomes of a row the straight way.
    private func outcome(
        _ batch: borrowing ForeignBatch, _ row: Int, _ reading: Reading, _ direct: DirectMapping, _ blanks: [Bool], _ made: inout ImportedBatch
    ) throws -> DirectMapping.Outcome {
        func isFilled(_ column: Int) -> Bool? {
            let cell = batch.cell(row, column)
            if cell.kind == .empty { return false }
            return switch PlainForm.presence(batch.text.span.extracting(cell.range), blanks: blanks) {
            case .there: true
            case .nothing: false
            case .unsure: nil
            }
        }
        guard (0..<batch.width(row)).contains(where: { isFilled($0) == true }) else { return .unfit }
        for column in reading.required {
            guard let isFilled = isFilled(column) else { return .unfit }
            if !isFilled { return .filtered }
        }
        if reading.needsColumns {
            // Faults are found anew, by those who tell of them.
            let foreign = ForeignRow(batch: copy batch, index: row, blanks: source.words.blanks)
            guard (try? reading.columns.read(foreign, source.words)) != nil else { return .unfit }
            if let filter = reading.filter, !reading.columns.isTrue(filter) { return .filtered }
        }
        for column in reading.mappings[0].requires {
            guard let isFilled = isFilled(column) else { return .unfit }
            if !isFilled { return .filtered }
        }
        if let filter = reading.mappings[0].filter, !reading.columns.isTrue(filter) { return .filtered }
        return try direct.append(batch, row, to: &made)
    }

    /// What rows of the table share while it is read.
    private struct Reading {
        let heading: Heading
        let columns: NamedColumns
        let mappings: [RowMapping]
        let filter: ExpressionProgram?
        let required: [Int]
        let several: SeveralValues
        let needsColumns: Bool

        init(_ rows: MappedRows) throws {
            let (heading, source, target, table) = (try rows.heading(), rows.source, rows.target, rows.table)
            let columns = try NamedColumns(rows.part.columns, heading: heading, table: table.name, other: source.other)
            func mapping(_ number: Int?) throws -> RowMapping {
                try RowMapping(
                    target, scene: .init(heading: heading, columns: columns, other: source.other, number: number), words: source.words,
                    pack: source.pack, keys: source.keys, table: table.name)
            }
            mappings = try target.each.map { try $0.map(mapping) } ?? [mapping(nil)]
            filter = try rows.part.filter.map { try columns.program(of: $0) }
            required = rows.part.requires.compactMap { heading[$0] }
            several = SeveralValues(target.several, heading)
            needsColumns = !rows.part.columns.isEmpty || filter != nil
            (self.heading, self.columns) = (heading, columns)
            rows.repeated.begin(table.name)
        }
    }

    private func read(_ row: ForeignRow, _ reading: Reading, _ body: (SourceRow) throws -> Void) throws {
        let (heading, columns) = (reading.heading, reading.columns)
        guard !row.isBlank, reading.required.allSatisfy({ row.text($0) != nil }) else { return try body(leftOut(row)) }
        do throws(MappingFault) {
            try columns.read(row, source.words)
        } catch {
            return try body(faulty(row, heading, [error]))
        }
        if let filter = reading.filter, !columns.isTrue(filter) { return try body(leftOut(row)) }
        var isUsed = false
        for mapping in reading.mappings {
            switch try mapping.outcome(of: row) {
            // Of several that a row may give, those that it does not give are no rows.
            case .filtered: if target.each == nil { try body(leftOut(row)) }
            case .fault(let faults, let id, let key): try body(faulty(row, heading, faults, id: id, key: key))
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
                    if !reading.several.isEmpty {
                        let place = Place(table: target.entity, id: id, file: file, sheet: sheet, line: row.number)
                        result.findings += reading.several.findings(in: row, at: place)
                    }
                    try body(result)
                }
                isUsed = true
            }
        }
        if target.each != nil, !isUsed { try body(leftOut(row)) }
    }

    private func leftOut(_ row: ForeignRow) -> SourceRow {
        SourceRow(value: .null, isFiltered: true, file: file, line: row.number)
    }

    private func faulty(_ row: ForeignRow, _ heading: Heading, _ faults: [MappingFault], id: String? = nil, key: String? = nil) -> SourceRow {
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
                    table: target.entity, id: id, key: key, field: fault.field, file: file, sheet: sheet, cell: fault.cell, line: row.number, mapping: address),
                arguments: arguments)
        }
        return result
    }
}
