import Model
import OutputFiles
import Spreadsheets

/// Writes the workbook's first sheet, the cover, which describes the export.
struct CoverSheet {
    private let cover: Cover
    private let sheet: Workbook.SheetID
    private var row = 0
    /// The number of characters that were replaced because a workbook cannot contain them.
    private(set) var replaced = 0

    static func write(_ cover: Cover, _ sheet: Workbook.SheetID, in book: inout Workbook) throws(OutputFailure) -> Int {
        var page = CoverSheet(cover: cover, sheet: sheet)
        try page.write(in: &book)
        return page.replaced
    }

    private init(cover: Cover, sheet: Workbook.SheetID) {
        self.cover = cover
        self.sheet = sheet
    }

    private mutating func write(in book: inout Workbook) throws(OutputFailure) {
        book.hideGridlines(sheet)
        try book.setPrinting(sheet, repeatsHeader: false, banner: cover.bannerLine)
        try setWidths(in: &book)
        try put(cover.title, 0, .title, in: &book)
        try next(height: 28, in: &book)
        if !cover.subtitle.isEmpty {
            try put(cover.subtitle, 0, .subtitle, in: &book)
            try next(height: 20, in: &book)
        }
        for (banner, style) in [
            (cover.environmentBanner, CellStyle.environmentBanner), (cover.draftBanner, .draftBanner),
        ] {
            guard let banner else { continue }
            for column in 0..<width { try put(column == 0 ? banner : "", column, style, in: &book) }
            try next(height: 24, in: &book)
        }
        row += 1
        for line in cover.lines {
            try put(line.label, 0, .label, in: &book)
            try put(line.value, 1, .value, in: &book)
            try next(fitting: [line.label, line.value], in: &book)
        }
        for table in cover.tables { try write(table, in: &book) }
    }

    private mutating func write(_ table: Cover.Table, in book: inout Workbook) throws(OutputFailure) {
        row += 1
        try put(table.title, 0, .tableTitle, in: &book)
        try next(height: 22, in: &book)
        for (column, header) in table.headers.enumerated() { try put(header, column, .tableHeader, in: &book) }
        row += 1
        for values in table.rows {
            for (column, value) in values.enumerated() { try put(value, column, .tableCell, in: &book) }
            try next(fitting: values, in: &book)
        }
    }

    /// The number of columns of the cover's widest table, at least 2; a banner extends over them.
    private var width: Int { max(2, cover.tables.map(\.headers.count).max() ?? 0) }

    private func setWidths(in book: inout Workbook) throws(OutputFailure) {
        for column in 0..<width {
            try book.setColumn(column, sheet, width: Self.width(of: column), nil)
        }
    }

    private static func width(of column: Int) -> Double {
        column == 0 ? 30 : column == 1 ? 64 : 22
    }

    /// Sets the height that the row's longest text needs, which not every program computes, and
    /// goes to the next row.
    private mutating func next(fitting texts: [String], in book: inout Workbook) throws(OutputFailure) {
        var highest = 1.0
        for (column, text) in texts.enumerated() {
            var lines = 0.0
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                lines += max(1, (Double(line.count) * 1.1 / Self.width(of: column)).rounded(.up))
            }
            highest = max(highest, lines)
        }
        if highest > 1 { try book.setRow(row, sheet, height: min(15 * highest, 400)) }
        row += 1
    }

    private mutating func put(_ text: String, _ column: Int, _ style: CellStyle, in book: inout Workbook)
        throws(OutputFailure)
    {
        let clean = LibraryText(text, limit: 32_000)
        replaced += clean.replaced
        try book.write(clean.string, sheet, row: row, column: column, style)
    }

    private mutating func next(height: Double, in book: inout Workbook) throws(OutputFailure) {
        try book.setRow(row, sheet, height: height)
        row += 1
    }
}

extension Cover {
    /// The banner text for every printed page.
    var bannerLine: String {
        [environmentBanner, draftBanner].compactMap { $0 }.joined(separator: " · ")
    }
}
