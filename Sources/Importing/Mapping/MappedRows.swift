import Model

/// Reads the rows of one external table. Each row is converted for every target that uses it, and
/// the use of its cells is recorded.
final class MappedRows {
    private let table: MappedTable
    private let heading: Heading
    private let notes: TableNotes
    private let columns: NamedColumns
    private let filter: ExpressionProgram?
    private let required: [Int]
    private let groups: [Group]
    /// Values of the first target; its rules also decide whether a cell of the table is filled.
    private let values: MappedValues
    /// By column, a bit for each group that reads it.
    private let users: [UInt64]
    /// Fills values down into the blank cells of the following rows.
    private let down: DownValues?
    private var forms: FormRows?

    /// Nil if the pack defines none of the part's entities.
    init?(_ table: MappedTable, _ notes: TableNotes) throws {
        (self.table, self.notes, heading) = (table, notes, notes.heading)
        let (part, heading) = (table.part, notes.heading)
        let columns = try NamedColumns(
            part.columns, heading: heading, table: table.table.name, other: table.source.other,
            given: table.source.mapping.given)
        self.columns = columns
        filter = try part.filter.map { try columns.program(of: $0) }
        required = part.requires.compactMap { heading[$0] }
        var start = 0
        groups = try part.targets.indices.compactMap { index in
            guard let entity = table.source.pack.entity(part.targets[index].entity) else { return nil }
            let group = try Group(table, index, entity, heading, columns, start: start)
            start += group.converters.count
            return group
        }
        users = Self.users(of: part, heading)
        down = part.down.isEmpty ? nil : DownValues(heading.places(of: part.down), after: heading.row)
        guard let values = groups.first?.values.first else { return nil }
        self.values = values
    }

    private static func users(of part: ImportMapping.Table, _ heading: Heading) -> [UInt64] {
        var users: [UInt64] = []
        let shared = part.down + part.requires + part.columns.flatMap { $0.headings + ($0.other?.headings ?? []) }
        for (index, target) in part.targets.enumerated() {
            let own =
                target.fields.flatMap(\.headings) + target.requires + (target.photo?.headings ?? [])
                + target.several.flatMap(\.headings)
            let names =
                target.each.map { numbers in
                    numbers.flatMap { number in own.map { $0.replacing("{n}", with: String(number)) } }
                } ?? own
            for place in heading.places(of: names + shared) {
                while users.count <= place { users.append(0) }
                users[place] |= bit(index)
            }
        }
        return users
    }

    private static func bit(_ group: Int) -> UInt64 { 1 << UInt64(min(group, 63)) }

    private func users(of column: Int) -> UInt64 { column < users.count ? users[column] : 0 }

    func read(_ taken: Int, _ take: (inout ImportedStretch) throws -> Void) throws {
        let spared = Set(groups.flatMap(\.contentColumns))
        // A rejected row that is retried is in memory; the table provides only its files.
        let rows =
            try spared.isEmpty || table.again != nil
            ? table.table.open() : table.table.contents?.rows(sparing: spared) ?? table.table.open()
        for values in groups.flatMap(\.values) { values.naming = rows as? any CellNaming }
        forms = rows as? FormRows
        table.use?.begin(groups.enumerated().flatMap { $1.numbers(of: $0) })
        defer {
            table.use?.name(heading.names)
            forms?.finish()
        }
        var tally = table.table.beginTally()
        try SourceTable.read(
            rows, into: groups.flatMap { $0.converters.map(\.empty) }, taken: taken,
            oneByOne: table.part.targets.contains { $0.operation != .add },
            learn: { batch in
                // The cells are counted as they are in the file, before values are filled down.
                tally.add(batch)
                down?.fill(&batch)
            }, convert: convert, take: take)
    }

    /// The human-readable key of the record that one of the first row's fields refers to.
    func parentKey(_ field: String) throws -> String? {
        var batch = ForeignBatch()
        try table.table.open().fill(&batch)
        guard batch.rowCount > 0 else { return nil }
        _ = try takes(batch, 0)
        return try values.parentKey(field, values.foreign(batch, 0))
    }

    /// Converts a row for all targets; returns false for titles and the heading.
    private func convert(_ batch: borrowing ForeignBatch, _ row: Int, _ stretch: inout ImportedStretch) throws -> Bool {
        guard table.table.columns != nil || batch.rows[row].number > heading.row else {
            leave(batch, row)
            notes.noteTitle(batch, row)
            return false
        }
        let isGiven = { [down] (column: Int) in down?.isGiven(row, column) == true }
        if notes.isOutside(batch.rows[row].number, isFilled: { !isGiven($0) && values.isFilled(batch, row, $0) }) {
            table.use?.note(batch, row) { isGiven($0) ? nil : .left }
            table.use?.noteNumbers(batch, row, isGiven: isGiven) { _, _ in false }
            return false
        }
        if !batch.remarks.isEmpty, let remark = batch.remarks[row], let fault = remark.fault {
            reject(batch, row, fault, remark.findings, &stretch)
            return true
        }
        notes.noteFormulas(batch, row) { users(of: $0) != 0 }
        guard isFilled(batch, row) else {
            leave(batch, row)
            for group in groups { stretch.batches[group.start].filter() }
            return true
        }
        var (taken, faulty, made): (UInt64, UInt64, UInt64) = (0, 0, 0)
        do {
            try notes.noteRow(batch, row, values)
            if try takes(batch, row) {
                for (index, group) in groups.enumerated() {
                    switch try group.convert(batch, row, into: &stretch) {
                    case .row:
                        taken |= Self.bit(index)
                        made |= Self.bit(index)
                    case .repeated: taken |= Self.bit(index)
                    case .rejected: faulty |= Self.bit(index)
                    case .filtered: try note(batch, row, leftOut: index)
                    }
                }
            } else {
                for (index, group) in groups.enumerated() {
                    stretch.batches[group.start].filter()
                    try note(batch, row, leftOut: index)
                }
            }
            notes.noteTaken(taken | faulty != 0, batch, row, values)
        } catch let fault as MappingFault {
            faulty = .max
            for group in groups { group.converters[0].reject(batch, row, [fault], into: &stretch.batches[group.start]) }
        }
        account(batch, row, taken: taken, faulty: faulty, made: made)
        return true
    }

    /// Records the use of the row's cells, except those with a value from a row above.
    private func account(_ batch: borrowing ForeignBatch, _ row: Int, taken: UInt64, faulty: UInt64, made: UInt64) {
        let isGiven = { [down] (column: Int) in down?.isGiven(row, column) == true }
        func fate(_ column: Int) -> ColumnUse.Fate {
            let users = users(of: column)
            return users & faulty != 0 ? .faulty : users & taken != 0 ? .read : .left
        }
        table.use?.noteNumbers(batch, row, isGiven: isGiven) { target, column in
            let isFilled = values.isFilled(batch, row, column)
            return isFilled && made & 1 << UInt64(target) != 0
        }
        table.use?.note(batch, row) { isGiven($0) ? nil : fate($0) }
        forms?.note(row, fate)
    }

    /// Adds an unreadable row as one rejected row of the last target's entity, with the text and
    /// the findings from the source.
    private func reject(
        _ batch: borrowing ForeignBatch, _ row: Int, _ fault: String, _ said: [Finding],
        _ stretch: inout ImportedStretch
    ) {
        table.use?.note(batch, row) { _ in .faulty }
        for group in groups.dropLast() { stretch.batches[group.start].filter() }
        guard let last = groups.last?.start else { return }
        let place = batch.place(row, in: stretch.batches[last].place)
        let findings = said.isEmpty
            ? [Finding("IMPORT-UNREADABLE", place: place, arguments: ["reason": fault])]
            : said.map { Finding($0.code, place: place, arguments: $0.arguments) }
        stretch.batches[last].reject(row, of: batch, findings)
    }

    private func leave(_ batch: borrowing ForeignBatch, _ row: Int) {
        table.use?.note(batch, row) { _ in .left }
        table.use?.noteNumbers(batch, row) { _, _ in false }
    }

    private func isFilled(_ batch: borrowing ForeignBatch, _ row: Int) -> Bool {
        for column in 0..<batch.width(row) where values.isFilled(batch, row, column) { return true }
        return false
    }

    /// Whether a filled row is a data row; prepares the values of its columns. Throws
    /// `MappingFault`.
    private func takes(_ batch: borrowing ForeignBatch, _ row: Int) throws -> Bool {
        for column in required where !values.isFilled(batch, row, column) {
            do throws(MappingFault) {
                guard try values.naming?.takes(row: row, without: column) == true else { return false }
            } catch {
                // The named columns are still read, because their values are needed to reject the
                // row.
                try? readColumns(batch, row)
                throw error
            }
        }
        try readColumns(batch, row)
        return filter.map { columns.isTrue($0) } ?? true
    }

    private func readColumns(_ batch: borrowing ForeignBatch, _ row: Int) throws {
        if !table.part.columns.isEmpty { try columns.read(values.foreign(batch, row), values.words) }
    }

    private func note(_ batch: borrowing ForeignBatch, _ row: Int, leftOut target: Int) throws {
        try notes.note(batch, row, leftOut: target, values) {
            let filters = [filter, groups[target].filter].compactMap(\.self)
            guard !filters.isEmpty else { return false }
            try columns.read(values.foreign(batch, row), values.words)
            return filters.contains { columns.isFalse($0) }
        }
    }

    /// The converters of one target: one for each row that a line may contain.
    private struct Group {
        /// Position of its first batch in a stretch.
        let start: Int
        private(set) var converters: [MappedConverter] = []
        private(set) var values: [MappedValues] = []
        private let isNumbered: Bool
        private var plans: [(field: Field, plan: ValuePlan)] = []

        /// Fields whose numbers come from a single column. None if a line may contain several rows,
        /// because the numbers then come from several columns.
        func numbers(of target: Int) -> [FieldUse] {
            guard !isNumbered, target < 63, let place = converters.first?.empty.place else { return [] }
            return plans.compactMap { FieldUse(place, $0.field, $0.plan, target: target) }
        }

        /// Columns whose cells contain the rows' pictures.
        var contentColumns: [Int] { converters.first?.rowPictures != nil ? values.flatMap(\.photo) : [] }

        /// The condition of a target with one row for each line.
        var filter: ExpressionProgram? { isNumbered ? nil : values.first?.filter }

        init(
            _ table: MappedTable, _ index: Int, _ entity: Entity, _ heading: Heading, _ columns: NamedColumns,
            start: Int
        ) throws {
            let (target, source) = (table.part.targets[index], table.source)
            self.start = start
            isNumbered = target.each != nil
            table.repeated[index].begin(table.table.name)
            let setting = MappedConverter.Setting(
                target: target, address: table.addresses[index], file: table.file, sheet: table.sheet,
                headings: heading.names,
                isRepeat: table.table.isRepeat)
            for number in target.each.map({ $0.map(Optional.some) }) ?? [nil] {
                let values = try MappedValues(
                    target,
                    scene: .init(
                        heading: heading, columns: columns, other: source.other, number: number,
                        given: source.mapping.given),
                    words: source.words, pack: source.pack, keys: source.keys, table: table.table.name,
                    numbersByLine: table.numbersByLine(target), again: table.again)
                values.names = source.names
                self.values.append(values)
                plans = values.plans.compactMap { name, plan in entity.field(name).map { ($0, plan) } }
                let rowPictures = try RowPictures(
                    target, of: entity, mapped: values.plans.map(\.name), values.photo, heading.names, in: table.table)
                converters.append(
                    MappedConverter(
                        values, setting, of: entity, source: source, several: SeveralValues(target.several, heading),
                        repeated: table.repeated[index],
                        pictures: table.pictures, rowPictures: rowPictures))
            }
        }

        /// The outcome of converting a line; if it contains several rows, the worst one.
        func convert(_ batch: borrowing ForeignBatch, _ row: Int, into stretch: inout ImportedStretch) throws
            -> RowOutcome
        {
            var whole = RowOutcome.filtered
            for (index, converter) in converters.enumerated() {
                let outcome = try converter.convert(batch, row, into: &stretch.batches[start + index])
                if whole != .rejected, outcome != .filtered { whole = outcome }
            }
            // A line that contains none of its possible rows is left out.
            if isNumbered, whole == .filtered { stretch.batches[start].filter() }
            return whole
        }
    }
}
