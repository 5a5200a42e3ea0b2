import Expressions
import Model

/// One foreign table as a part of a mapping reads it: each of its rows feeds the part's targets, in flat memory but for the keys of repeated
/// rows.
final class MappedTable {
    let table: ForeignTable
    let part: ImportMapping.Table
    /// It holds these rows itself, and must go when the import is over: pictures taken out of a workbook go with it.
    private unowned let source: MappedSource
    /// `registro/0/1` of each target: the mapping, its table, the table's target.
    private let addresses: [String]
    private let sheet: String?
    /// The table's own file, where the source is a folder of several.
    var file: String { table.file ?? source.path }
    /// Of each target, shared by the tables that are alike.
    private let repeated: [RepeatedRows]
    /// Of a form, whose photos lie in the file itself.
    private let pictures: FormPictures?
    /// Nil where the columns are not those of the file.
    let use: ColumnUse?
    /// Set for rejected rows that are tried again.
    private let again: RowsAgain?
    /// As of the last reading.
    private(set) var alternatives: AlternativeColumns?
    /// As of the last reading: rows that are not blank, and those of them that a condition left out.
    private(set) var tally = (rows: 0, leftOut: 0)
    /// As of the last reading, of tables of a file: what its rows hold and the mapping does not take.
    private var leftOut: LeftOutRecords?
    private var nameless: NamelessCells?
    private var unsaved = UnsavedFormulas()
    private var above = TableAbove()
    /// As of the last reading, of one table of several on its sheet: where it stands.
    private(set) var block: TableBlock?

    init(
        table: ForeignTable, part: ImportMapping.Table, source: MappedSource, addresses: [String], sheet: String?, repeated: [RepeatedRows]? = nil,
        pictures: FormPictures? = nil, isOfFile: Bool = false, again: RowsAgain? = nil
    ) {
        self.again = again
        (self.table, self.part, self.source, self.addresses, self.sheet, self.pictures) = (table, part, source, addresses, sheet, pictures)
        self.repeated = repeated ?? part.targets.map { _ in RepeatedRows() }
        use = isOfFile ? ColumnUse(file: table.file ?? source.path, table: table.ownName) : nil
    }

    /// Headings without which no row of a target can be made, by any of their names.
    private var needed: [[String]] {
        (part.down + part.requires).map { [$0] } + part.targets.filter { $0.each == nil }.flatMap { target in
            target.requires.map { [$0] } + target.fields.filter { target.key.contains($0.name) || $0.name == "id" }.flatMap(Self.groups)
        }
    }

    private static func groups(_ field: ImportMapping.Field) -> [[String]] {
        switch field.value {
        case .column(let names): [names]
        case .parent(_, let by), .identifier(let by): by.flatMap(groups)
        case .other(let other): other.by.flatMap(groups)
        case .join, .constant, .expression, .ordinal, .layer, .object, .merge: []
        }
    }

    /// What a row must have or be to come in, as the mapping says it; empty where nothing is asked.
    var conditions: String {
        func words(_ requires: [String], _ filter: Expression?) -> [String] {
            (requires.isEmpty ? [] : ["requires: " + requires.joined(separator: ", ")]) + (filter.map { ["where: \($0)"] } ?? [])
        }
        let own = words(part.requires, part.filter) + part.targets.flatMap { words($0.requires, $0.filter) }
        return own.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: "; ")
    }

    /// The heading, with what is missing of it.
    func heading() throws -> Heading {
        let wanted = part.targets.flatMap(\.fields).flatMap(\.headings) + part.columns.flatMap(\.headings) + part.down + part.requires
        let heading = try HeadingSearch(table, part).heading(wanting: Set(wanted.map(ColumnName.normal)))
        let missing = needed.filter { names in names.allSatisfy { heading[$0] == nil } }.reduce(into: [[String]]()) { list, names in
            // What two targets lack is told once.
            let normal = Set(names.map(ColumnName.normal))
            if !list.contains(where: { !normal.isDisjoint(with: $0.map(ColumnName.normal)) }) { list.append(names) }
        }
        guard missing.isEmpty else {
            throw ImportFailure.missingColumns(
                path: file, table: table.name, columns: missing.map { $0.joined(separator: " | ") })
        }
        return heading
    }

    /// Reads the rows of all targets, each row once; see `SourceTable.read`.
    func read(_ taken: Int, _ take: (inout ImportedStretch) throws -> Void) throws {
        let reading = try Reading(self)
        guard let scene = reading.groups.first?.scenes.first else { return }
        tally = (0, 0)
        let alternatives = AlternativeColumns(part, reading.heading, source.pack)
        self.alternatives = alternatives
        let rows = try table.open()
        let down = part.down.isEmpty ? nil : DownRows(rows, columns: reading.heading.places(of: part.down), after: reading.heading.row)
        use?.begin(reading.groups.enumerated().flatMap { $1.numbers(of: $0) })
        defer { use?.name(reading.heading.names) }
        for scene in reading.groups.flatMap(\.scenes) { scene.naming = rows as? any CellNaming }
        let forms = rows as? FormRows
        defer { forms?.finish() }
        leftOut = use.map { _ in LeftOutRecords(part, pack: source.pack, heading: reading.heading) }
        let isNameless = part.header != .none && !part.isBlock && (again != nil || (table.columns == nil && use != nil))
        nameless = isNameless ? NamelessCells(reading.heading.names, isAgain: again != nil) : nil
        (unsaved, above) = (UnsavedFormulas(), TableAbove())
        block = part.isBlock && table.columns == nil ? TableBlock(reading.heading) : nil
        try StretchReading.read(
            down ?? rows, into: reading.groups.flatMap { $0.converters.map(\.empty) }, taken: taken,
            convert: { batch, row, stretch in
                // Titles and the heading are no rows.
                guard table.columns != nil || batch.rows[row].number > reading.heading.row else {
                    use?.note(batch, row) { _ in .left }
                    use?.noteNumbers(batch, row) { _, _ in false }
                    if part.header == .auto, block == nil, batch.rows[row].number < reading.heading.row { above.note(batch, row) }
                    return false
                }
                let isOutside = block != nil && block?.takes(batch.rows[row].number) {
                    down?.isGiven(row, $0) != true && scene.isFilled(batch, row, $0)
                } != true
                if isOutside {
                    use?.note(batch, row) { down?.isGiven(row, $0) == true ? nil : .left }
                    use?.noteNumbers(batch, row, isGiven: { down?.isGiven(row, $0) == true }) { _, _ in false }
                    return false
                }
                if batch.hasUnsaved { unsaved.note(batch, row) { reading.users(of: $0) != 0 } }
                var (taken, faulty, made): (UInt64, UInt64, UInt64) = (0, 0, 0)
                do {
                    guard reading.isFilled(batch, row, scene) else {
                        use?.note(batch, row) { _ in .left }
                        use?.noteNumbers(batch, row) { _, _ in false }
                        for group in reading.groups { stretch.batches[group.start].filter() }
                        return true
                    }
                    tally.rows += 1
                    try checkWidth(batch, row, scene)
                    var isLeftOut = true
                    if try reading.takes(batch, row, scene) {
                        for (index, group) in reading.groups.enumerated() {
                            switch try group.convert(batch, row, into: &stretch) {
                            case .row:
                                taken |= 1 << UInt64(min(index, 63))
                                made |= 1 << UInt64(min(index, 63))
                            case .repeated: taken |= 1 << UInt64(min(index, 63))
                            case .rejected: faulty |= 1 << UInt64(min(index, 63))
                            case .filtered: try note(batch, row, leftOut: index, reading, scene)
                            }
                        }
                        isLeftOut = taken | faulty == 0
                    } else {
                        for (index, group) in reading.groups.enumerated() {
                            stretch.batches[group.start].filter()
                            try note(batch, row, leftOut: index, reading, scene)
                        }
                    }
                    if isLeftOut {
                        tally.leftOut += 1
                    } else {
                        nameless?.note(width: batch.width(row)) { scene.isFilled(batch, row, $0) }
                        if !alternatives.isEmpty { alternatives.note(scene.foreign(batch, row)) }
                    }
                } catch let fault as MappingFault {
                    faulty = .max
                    for group in reading.groups { group.converters[0].reject(batch, row, [fault], into: &stretch.batches[group.start]) }
                }
                // What the rows above gave does not stand here.
                let isGiven = { (column: Int) in down?.isGiven(row, column) == true }
                use?.noteNumbers(batch, row, isGiven: isGiven) { target, column in
                    let isFilled = scene.isFilled(batch, row, column)
                    return isFilled && made & 1 << UInt64(target) != 0
                }
                func fate(_ column: Int) -> ColumnUse.Fate {
                    let users = reading.users(of: column)
                    return users & faulty != 0 ? .faulty : users & taken != 0 ? .read : .left
                }
                use?.note(batch, row) { isGiven($0) ? nil : fate($0) }
                forms?.note(row, fate)
                return true
            }, take: take)
    }

    /// What people know the record by that the first row refers to in one of its fields.
    func parentKey(_ field: String) throws -> String? {
        let reading = try Reading(self)
        guard let scene = reading.groups.first?.scenes.first else { return nil }
        var batch = ForeignBatch()
        try table.open().fill(&batch)
        guard batch.rowCount > 0 else { return nil }
        _ = try reading.takes(batch, 0, scene)
        return try scene.values.parentKey(field, scene.foreign(batch, 0))
    }

    /// A row of a text with more cells than the table has columns: its values stand in the wrong ones, as those of `1,50` between commas do.
    private func checkWidth(_ batch: borrowing ForeignBatch, _ row: Int, _ scene: TextReading.Scene) throws(MappingFault) {
        guard let nameless, let cells = nameless.beyond(width: batch.width(row), isFilled: { scene.isFilled(batch, row, $0) }) else { return }
        guard table.isText || (again != nil && TableFiles.mayBeText(table.file ?? source.path)) else { return }
        throw MappingFault(code: "IMPORT-MORE-CELLS", arguments: ["count": String(cells), "expected": String(nameless.width)])
    }

    private func note(
        _ batch: borrowing ForeignBatch, _ row: Int, leftOut target: Int, _ reading: Reading, _ scene: TextReading.Scene
    ) throws {
        try leftOut?.note(
            batch.rows[row].number, target: target, isFilled: { scene.isFilled(batch, row, $0) },
            hasDigit: { batch.text[batch.cell(row, $0).range].contains { $0 &- 0x30 <= 9 } },
            isUnwanted: { try reading.isUnwanted(batch, row, scene, target: target) })
    }

    /// What is told of the table when all its rows have been read.
    var lastFindings: [Finding] {
        let place = Place(file: file, sheet: table.name)
        return (leftOut?.findings(name: table.name, at: place) ?? []) + [nameless?.finding(name: table.name, at: place), unsaved.finding(at: place), above.finding(name: table.name, at: place)].compactMap(\.self)
    }

    /// What the rows of the table share while it is read.
    private struct Reading {
        let heading: Heading
        private let columns: NamedColumns
        private let filter: ExpressionProgram?
        private let required: [Int]
        private let words: ConversionWords
        private let needsColumns: Bool
        let groups: [Group]
        /// By column, a bit for each group that reads it.
        private var users: [UInt64] = []

        init(_ table: MappedTable) throws {
            let heading = try table.heading()
            let (part, source) = (table.part, table.source)
            let columns = try NamedColumns(part.columns, heading: heading, table: table.table.name, other: source.other)
            filter = try part.filter.map { try columns.program(of: $0) }
            required = part.requires.compactMap { heading[$0] }
            needsColumns = !part.columns.isEmpty
            words = source.words
            var start = 0
            groups = try part.targets.indices.compactMap { index in
                guard let entity = source.pack.entity(part.targets[index].entity) else { return nil }
                let group = try Group(table, index, entity, heading, columns, start: start)
                start += group.converters.count
                return group
            }
            (self.heading, self.columns) = (heading, columns)
            let shared = part.down + part.requires + part.columns.flatMap { $0.headings + ($0.other?.headings ?? []) }
            for (index, target) in part.targets.enumerated() {
                let own = target.fields.flatMap(\.headings) + target.requires + (target.photo?.headings ?? []) + target.several.flatMap(\.headings)
                let names = target.each.map { numbers in numbers.flatMap { number in own.map { $0.replacing("{n}", with: String(number)) } } } ?? own
                for place in heading.places(of: names + shared) {
                    while users.count <= place { users.append(0) }
                    users[place] |= 1 << UInt64(min(index, 63))
                }
            }
        }

        func users(of column: Int) -> UInt64 { column < users.count ? users[column] : 0 }

        func isFilled(_ batch: borrowing ForeignBatch, _ row: Int, _ scene: TextReading.Scene) -> Bool {
            for column in 0..<batch.width(row) where scene.isFilled(batch, row, column) { return true }
            return false
        }

        /// Whether a filled row is one of data, with the columns' values made ready for whoever asks; throws `MappingFault`.
        func takes(_ batch: borrowing ForeignBatch, _ row: Int, _ scene: TextReading.Scene) throws -> Bool {
            for column in required where !scene.isFilled(batch, row, column) {
                do throws(MappingFault) {
                    guard try scene.naming?.takes(row: row, without: column) == true else { return false }
                } catch {
                    // Whoever rejects the row asks what it says.
                    if needsColumns { try? columns.read(scene.foreign(batch, row), words) }
                    throw error
                }
            }
            if needsColumns { try columns.read(scene.foreign(batch, row), words) }
            return filter.map { columns.isTrue($0) } ?? true
        }

        /// Whether a condition says of a filled row that it is none of a target's.
        func isUnwanted(_ batch: borrowing ForeignBatch, _ row: Int, _ scene: TextReading.Scene, target: Int) throws -> Bool {
            let filters = [filter, groups[target].filter].compactMap(\.self)
            guard !filters.isEmpty else { return false }
            try columns.read(scene.foreign(batch, row), words)
            return filters.contains { columns.isFalse($0) }
        }
    }

    /// The converters of one target: one, or one for each of the rows that a row may give.
    private struct Group {
        /// Where its batches begin in a stretch.
        let start: Int
        private(set) var converters: [MappedConverter] = []
        private(set) var scenes: [TextReading.Scene] = []
        private let isNumbered: Bool
        private var plans: [(field: Field, plan: ValuePlan)] = []

        /// Fields whose numbers are those of one column; of rows that a line gives several of, they stand in several.
        func numbers(of target: Int) -> [FieldUse] {
            guard !isNumbered, target < 63, let place = converters.first?.empty.place else { return [] }
            return plans.compactMap { FieldUse(place, $0.field, $0.plan, target: target) }
        }

        /// Of a target whose rows are one each.
        var filter: ExpressionProgram? { isNumbered ? nil : scenes.first?.values.filter }

        init(_ table: MappedTable, _ index: Int, _ entity: Entity, _ heading: Heading, _ columns: NamedColumns, start: Int) throws {
            let (target, source) = (table.part.targets[index], table.source)
            self.start = start
            isNumbered = target.each != nil
            table.repeated[index].begin(table.table.name)
            let setting = MappedConverter.Setting(
                target: target, address: table.addresses[index], file: table.file, sheet: table.sheet, headings: heading.names)
            for number in target.each.map({ $0.map(Optional.some) }) ?? [nil] {
                let values = try MappedValues(
                    target, scene: .init(heading: heading, columns: columns, other: source.other, number: number), words: source.words,
                    pack: source.pack, keys: source.keys, table: table.table.name, again: table.again)
                values.names = source.names
                let scene = TextReading.Scene(values: values, words: source.words, table: table.table.name)
                scenes.append(scene)
                plans = values.plans.compactMap { name, plan in entity.field(name).map { ($0, plan) } }
                converters.append(MappedConverter(
                    values, setting, of: entity, source: source, scene: scene, several: SeveralValues(target.several, heading),
                    repeated: table.repeated[index], pictures: table.pictures))
            }
        }

        /// What became of the row; of several rows that it gives, the worst.
        func convert(_ batch: borrowing ForeignBatch, _ row: Int, into stretch: inout ImportedStretch) throws -> RowOutcome {
            var whole = RowOutcome.filtered
            for (index, converter) in converters.enumerated() {
                let outcome = try converter.convert(batch, row, into: &stretch.batches[start + index])
                if whole != .rejected, outcome != .filtered { whole = outcome }
            }
            // A row that gives none of several is left out.
            if isNumbered, whole == .filtered { stretch.batches[start].filter() }
            return whole
        }
    }
}
