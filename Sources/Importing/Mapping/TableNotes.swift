import Model

/// Observations about the rows of one external table. They are collected during the reading and
/// reported at its end. They do not affect the import, except that a line with too many cells is
/// rejected.
final class TableNotes {
    let heading: Heading
    /// Number of rows that are not blank, and how many of them a condition left out.
    private(set) var rows = 0
    private(set) var leftOut = 0
    /// Unowned, because the table owns these notes and must be released when the import ends.
    private unowned let table: MappedTable
    private let alternatives: AlternativeColumns
    /// For tables of a file: records and cells that the mapping leaves out.
    private var records: LeftOutRecords?
    private var nameless: NamelessCells?
    private var unsaved = UnsavedFormulas()
    private var above = UnreadTableSearch()
    /// The position of the table, if it is one of several on its sheet.
    private(set) var block: TableBlock?

    init(_ table: MappedTable, _ heading: Heading) {
        (self.table, self.heading) = (table, heading)
        let (part, pack) = (table.part, table.source.pack)
        alternatives = AlternativeColumns(part, heading, pack)
        records = table.use.map { _ in LeftOutRecords(part, pack: pack, heading: heading) }
        block = part.isBlock && table.table.columns == nil ? TableBlock(heading) : nil
        guard part.header != .none, !part.isBlock,
            table.again != nil || (table.table.columns == nil && table.use != nil)
        else { return }
        nameless = NamelessCells(heading.names, isAgain: table.again != nil)
    }

    /// Records a row above the heading, or the heading itself.
    func noteTitle(_ batch: borrowing ForeignBatch, _ row: Int) {
        if table.part.header == .auto, block == nil, batch.rows[row].number < heading.row { above.note(batch, row) }
    }

    /// Whether a row below the heading lies outside the table, which is one of several on its
    /// sheet; must be called for rows from the top down.
    func isOutside(_ row: Int, isFilled: (Int) -> Bool) -> Bool {
        block != nil && block?.takes(row, isFilled: isFilled) != true
    }

    /// Records the formulas without a result in a row below the heading, blank or not.
    ///
    /// - Parameter isRead: whether the mapping reads a column.
    func noteFormulas(_ batch: borrowing ForeignBatch, _ row: Int, isRead: (Int) -> Bool) {
        if batch.hasUnsaved { unsaved.note(batch, row, isRead: isRead) }
    }

    /// Counts a row that is not blank. In a text file, a row with more cells than the table has
    /// columns is rejected, because its values are in the wrong columns. An unquoted `1,50` between
    /// commas has this effect.
    func noteRow(_ batch: borrowing ForeignBatch, _ row: Int, _ values: MappedValues) throws(MappingFault) {
        rows += 1
        guard let nameless,
            let cells = nameless.beyond(width: batch.width(row), isFilled: { values.isFilled(batch, row, $0) })
        else { return }
        guard table.table.isText || (table.again != nil && TableFiles.mayBeText(table.file)) else { return }
        throw MappingFault(
            code: "IMPORT-MORE-CELLS", arguments: ["count": String(cells), "expected": String(nameless.width)])
    }

    /// Records whether a row that is not blank is used by a target, or would be used without its
    /// fault.
    func noteTaken(_ isTaken: Bool, _ batch: borrowing ForeignBatch, _ row: Int, _ values: MappedValues) {
        guard isTaken else { return leftOut += 1 }
        nameless?.note(width: batch.width(row)) { values.isFilled(batch, row, $0) }
        if !alternatives.isEmpty { alternatives.note(values.foreign(batch, row)) }
    }

    /// Records a row that is not used by a target.
    ///
    /// - Parameter isUnwanted: whether a condition excludes the row from the target.
    func note(
        _ batch: borrowing ForeignBatch, _ row: Int, leftOut target: Int, _ values: MappedValues,
        isUnwanted: () throws -> Bool
    ) rethrows {
        try records?.note(
            batch.rows[row].number, target: target, isFilled: { values.isFilled(batch, row, $0) },
            hasDigit: { batch.text[batch.cell(row, $0).range].contains { $0 &- 0x30 <= 9 } }, isUnwanted: isUnwanted)
    }

    /// Findings about alternative columns, of which a field uses the first filled one.
    var alternativeFindings: [Finding] { alternatives.findings(file: table.file, sheet: table.table.name) }

    var lastFindings: [Finding] {
        let (name, place) = (table.table.name, Place(file: table.file, sheet: table.table.name))
        return (records?.findings(name: name, at: place) ?? [])
            + [
                nameless?.finding(name: name, at: place), unsaved.finding(at: place),
                above.finding(name: name, at: place, table.source.mapping),
            ].compactMap(\.self)
    }
}

/// Finds formulas whose result is not saved in the file. Programs that write files without
/// calculating leave the results to Excel.
struct UnsavedFormulas {
    private var count = 0
    private var first: String?
    private var isRead = false

    /// - Parameter isRead: whether the mapping reads a column.
    mutating func note(_ batch: borrowing ForeignBatch, _ row: Int, isRead: (Int) -> Bool) {
        for column in 0..<batch.width(row) where batch.cell(row, column).mark == .unsaved {
            count += 1
            // If the mapping reads a cell, that cell is the better example.
            let isWanted = isRead(column)
            if first == nil || (isWanted && !self.isRead) {
                first = ColumnName.letters(column) + String(batch.rows[row].number)
            }
            self.isRead = self.isRead || isWanted
        }
    }

    func finding(at place: Place) -> Finding? {
        guard let first else { return nil }
        var place = place
        place.cell = first
        return Finding(
            // If the mapping reads none of the formulas, no value is lost.
            isRead ? "IMPORT-NO-RESULT" : "IMPORT-UNREAD-RESULT", place: place,
            arguments: ["name": place.sheet ?? "", "count": String(count), "cell": first])
    }
}

/// Finds cells of a table's rows in columns without a heading: no mapping can name them.
struct NamelessCells {
    private let isNamed: [Bool]
    private var columns: Set<Int> = []

    /// - Parameter isAgain: whether the names come from a rejected row, in which trailing cells
    ///   without a heading are named by their column letters.
    init(_ names: [String], isAgain: Bool) {
        let lettered =
            isAgain ? names.indices.reversed().prefix { $0 > 0 && names[$0] == ColumnName.letters($0) }.count : 0
        isNamed = names.dropLast(lettered).map { !$0.allSatisfy(\.isWhitespace) }
    }

    /// The number of columns up to the last one with a heading.
    var width: Int { (isNamed.lastIndex(of: true) ?? -1) + 1 }

    /// The number of cells of a row whose last filled cell lies beyond all headings; nil if there
    /// is no such cell.
    func beyond(width: Int, isFilled: (Int) -> Bool) -> Int? {
        guard width > isNamed.count else { return nil }
        return (isNamed.count..<width).last(where: isFilled).map { $0 + 1 }
    }

    mutating func note(width: Int, isFilled: (Int) -> Bool) {
        for column in 0..<width where column >= isNamed.count || !isNamed[column] {
            if !columns.contains(column), isFilled(column) { columns.insert(column) }
        }
    }

    func finding(name: String, at place: Place) -> Finding? {
        guard !columns.isEmpty else { return nil }
        return Finding(
            "IMPORT-UNUSED-COLUMN", place: place,
            arguments: ["name": name, "columns": columns.sorted().map(ColumnName.letters).joined(separator: ", ")])
    }
}

/// Finds rows without a column in `requires` that look like records because of their other values.
/// Usually the required value is written once for several rows.
struct LeftOutRecords {
    /// The columns that identify rows of one target.
    private struct Target {
        let entity: String
        let required: [(heading: String, place: Int)]
        /// Columns of fields that every record has.
        let needed: [Int]
        let all: [Int]
    }

    private let targets: [Target?]
    private var found: [(count: Int, lines: [Int], missing: Set<String>)]

    private static let shownLines = 10

    init(_ part: ImportMapping.Table, pack: Pack, heading: Heading) {
        targets = part.targets.map { target in
            let headings = part.requires + target.requires
            guard !headings.isEmpty, target.each == nil, let entity = pack.entity(target.entity) else { return nil }
            let required = headings.map { ($0, heading[$0] ?? .max) }
            func places(_ isWanted: (Field) -> Bool) -> [Int] {
                let wanted = target.fields.filter { field in
                    if case .column = field.value { entity.field(field.name).map(isWanted) ?? false } else { false }
                }
                return Set(wanted.flatMap { heading.places(of: $0.headings).prefix(1) }).sorted()
            }
            return Target(
                entity: target.entity, required: required,
                needed: places { $0.isRequired || target.key.contains($0.name) }, all: places { _ in true })
        }
        found = part.targets.map { _ in (0, [], []) }
    }

    /// Records a row that is not used by a target but looks like one of its records.
    ///
    /// - Parameters:
    ///   - isFilled: whether a column of the row is filled.
    ///   - hasDigit: whether a column contains a digit; a row of units below the heading has none.
    ///   - isUnwanted: whether a condition excludes the row from the target, whatever it contains.
    mutating func note(
        _ line: Int, target: Int, isFilled: (Int) -> Bool, hasDigit: (Int) -> Bool, isUnwanted: () throws -> Bool
    ) rethrows {
        guard let wanted = targets[target] else { return }
        let missing = wanted.required.filter { !isFilled($0.place) }
        guard !missing.isEmpty else { return }
        func others(_ places: [Int]) -> [Int] { places.filter { place in !missing.contains { $0.place == place } } }
        let (needed, all) = (others(wanted.needed), others(wanted.all))
        let filled = all.count(where: isFilled)
        // A row with a sum or a remark fills only one or two columns.
        guard (needed.count > 1 && needed.allSatisfy(isFilled)) || (filled > 1 && filled * 2 >= all.count) else {
            return
        }
        guard all.contains(where: hasDigit), try !isUnwanted() else { return }
        found[target].count += 1
        if found[target].lines.count < Self.shownLines { found[target].lines.append(line) }
        found[target].missing.formUnion(missing.map(\.heading))
    }

    func findings(name: String, at place: Place) -> [Finding] {
        zip(targets, found).compactMap { target, found in
            guard let target, found.count > 0 else { return nil }
            var place = place
            place.line = found.lines.first
            return Finding(
                "IMPORT-LEFT-OUT-RECORD", place: place,
                arguments: [
                    "name": name, "count": String(found.count), "target": target.entity,
                    "columns": found.missing.sorted().joined(separator: ", "),
                    "lines": found.lines.map(String.init).joined(separator: ", ")
                        + (found.count > found.lines.count ? ", …" : ""),
                ])
        }
    }
}
