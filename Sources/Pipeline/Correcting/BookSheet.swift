import Exporting
import Foundation
import Importing
import Model

/// What is known of a sheet that comes back: its table, its headings as an export writes them now, and what each
/// column means.
struct BookSheet {
    /// The names of the workbook's sheets that have its rows: several if Excel's rows do not suffice.
    var names: [String]
    var headings: [String]
    var actionHeading: String
    var entity: Entity
    /// The fields that the columns change; nil for columns that only show something.
    var fields: [Field?]
    /// The column of the rows' ids, and those of the name by which people know a row.
    var id: Int
    var key: [Int]
    /// Whether a column says something of the record. When Fichero noted a change is no change.
    var isCompared: [Bool]
    /// Whether the reader may see a column's values. Nobody reads the others, whoever made the workbook.
    var isSeen: [Bool]
    /// The columns that show the project, which all rows of a workbook share, and its code.
    var project: (columns: [Int], code: String) = ([], "")
    /// Whether a workbook may lack the sheet, because its rows may have none.
    var isOptional = false
    /// What the words of a column stand for, by their folded form: the labels of its vocabulary in every language.
    var words: [Int: [String: String]] = [:]
    /// The reference to the row's owner, and the column that shows the owner's name.
    var owner: (field: Field, column: Int)?

    /// Whether a person reads the same in two cells of a column: also one word in two languages.
    func isSame(_ one: BookCell, _ other: BookCell, in column: Int) -> Bool {
        if one.isSame(as: other) { return true }
        if fields[column]?.type == .boolean {
            let truths = [one, other].map { ValueConversion.truth(ofWord: ColumnName.folded($0.text)) }
            return truths[0] != nil && truths[0] == truths[1]
        }
        guard let words = words[column], let value = words[ColumnName.folded(one.text)] else { return false }
        return words[ColumnName.folded(other.text)] == value
    }

    /// How messages name a row: by the texts of its key.
    func name(of cells: [BookCell?]) -> String {
        let texts = key.compactMap { cells.indices.contains($0) ? cells[$0]?.text : nil }
        return texts.filter { !$0.isEmpty }.joined(separator: " / ")
    }
}

/// The rows of one sheet in one workbook, in the order of the export's headings.
final class BookRows {
    /// The place of each heading in the workbook; nil: the column is not there.
    private(set) var places: [Int?] = []
    private(set) var action: Int?
    /// Headings that the export does not write.
    private(set) var added: [String] = []
    /// Headings that stand twice: nobody can say which column is meant.
    private(set) var doubled: [String] = []
    /// The texts of the row with the headings.
    private(set) var header: [String] = []
    private let sheet: BookSheet

    init(_ sheet: BookSheet) { self.sheet = sheet }

    /// The number of rows in which the headings are looked for: people put titles above them.
    private static let mostTitles = 30

    /// Reads the rows below the headings.
    ///
    /// - Returns: whether the table has the headings.
    func read(_ table: ForeignTable, _ body: (borrowing ForeignBatch, Int) throws -> Void) throws -> Bool {
        let rows = try table.open()
        var batch = ForeignBatch(), isBelow = false, seen = 0
        while true {
            try rows.fill(&batch)
            guard batch.rowCount > 0 else { return isBelow }
            for index in 0..<batch.rowCount {
                if isBelow { try body(batch, index) } else {
                    isBelow = seen < Self.mostTitles && takeHeadings(batch, index)
                }
                seen += 1
            }
            if !isBelow, seen >= Self.mostTitles { return false }
        }
    }

    /// Whether the table has the headings; reads no further than them.
    func findHeadings(in table: ForeignTable) throws -> Bool {
        let rows = try table.open()
        var batch = ForeignBatch()
        try rows.fill(&batch)
        for index in 0..<min(batch.rowCount, Self.mostTitles) where takeHeadings(batch, index) { return true }
        return false
    }

    /// Takes a row as that of the headings, if it has most of them.
    private func takeHeadings(_ batch: borrowing ForeignBatch, _ row: Int) -> Bool {
        var texts: [String] = [], columns: [String: [Int]] = [:]
        for column in 0..<batch.width(row) {
            texts.append(BookCell(batch, row, column).text)
            columns[Self.form(texts[column]), default: []].append(column)
        }
        let known = (sheet.headings + [sheet.actionHeading]).map(Self.form)
        let found = known.filter { columns[$0] != nil }
        guard found.count * 2 > sheet.headings.count || found.count == known.count else { return false }
        header = texts
        places = sheet.headings.indices.map { sheet.isSeen[$0] ? columns[known[$0]]?.first : nil }
        action = columns[Self.form(sheet.actionHeading)]?.first
        added = texts.filter { !$0.isEmpty && !known.contains(Self.form($0)) }
        doubled = sheet.headings.filter { (columns[Self.form($0)]?.count ?? 0) > 1 }
        return true
    }

    private static func form(_ heading: String) -> String { KeyText.form(of: heading).lowercased() }

    func cells(_ batch: borrowing ForeignBatch, _ row: Int) -> [BookCell?] {
        var cells: [BookCell?] = []
        for place in places { cells.append(place.map { BookCell(batch, row, $0) }) }
        return cells
    }

    /// The row's id, or the texts of its key where the workbook has no ids; nil: the row has no name.
    func identity(_ batch: borrowing ForeignBatch, _ row: Int) -> String? {
        if let id = places[sheet.id] {
            let text = BookCell(batch, row, id).text
            return text.isEmpty ? nil : text.lowercased()
        }
        return key(batch, row)
    }

    /// The texts of the row's key; nil where one is empty.
    func key(_ batch: borrowing ForeignBatch, _ row: Int) -> String? {
        var texts: [String] = []
        for column in sheet.key {
            guard let place = places[column] else { return nil }
            texts.append(BookCell(batch, row, place).text)
        }
        return texts.isEmpty || texts.contains("") ? nil : texts.joined(separator: "\u{1F}")
    }

    /// The row as bytes that equal rows share; columns that are not there differ from all others.
    func pack(_ batch: borrowing ForeignBatch, _ row: Int, into bytes: inout [UInt8]) {
        for place in places {
            if let place { BookCell.append(batch, row, place, to: &bytes) } else { bytes.append(Self.absent) }
            bytes.append(Self.end)
        }
    }

    private static let absent: UInt8 = 0x1E, end: UInt8 = 0x1F

    /// Whether two packed rows say the same, in the columns that both have.
    static func isSame(_ one: [UInt8], _ other: ArraySlice<UInt8>) -> Bool {
        if other.elementsEqual(one) { return true }
        let own = one.split(separator: end, omittingEmptySubsequences: false)
        let others = other.split(separator: end, omittingEmptySubsequences: false)
        return own.count == others.count && zip(own, others).allSatisfy { mine, theirs in
            mine.elementsEqual(theirs) || mine.elementsEqual([absent]) || theirs.elementsEqual([absent])
        }
    }

    /// The cells of a packed row; nil where the column was not there.
    static func unpack(_ bytes: ArraySlice<UInt8>) -> [BookCell?] {
        bytes.split(separator: end, omittingEmptySubsequences: false).dropLast().map {
            $0.elementsEqual([absent]) ? nil : BookCell(String(decoding: $0, as: UTF8.self))
        }
    }
}

/// Rows of a sheet by their identity, packed: a book of a hundred thousand rows fits in memory.
struct PackedRows {
    private var bytes: [UInt8] = []
    private var places: [String: Range<Int>] = [:]

    mutating func add(_ identity: String, _ pack: (inout [UInt8]) -> Void) {
        let start = bytes.count
        pack(&bytes)
        places[identity] = start..<bytes.count
    }

    subscript(identity: String) -> ArraySlice<UInt8>? { places[identity].map { bytes[$0] } }
}
