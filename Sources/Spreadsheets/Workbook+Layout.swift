import CXLSXWriter
package import OutputFiles

/// The layout of a sheet: merged cells, heights, outlines, links, breaks.
extension Workbook {
    /// Merges empty cells, all in one style; a single cell is only styled. The content is then
    /// written into the first cell.
    package mutating func merge(_ sheet: SheetID, rows: Range<Int>, columns: Range<Int>, _ style: CellStyle)
        throws(OutputFailure)
    {
        guard let firstRow = rows.first, let lastRow = rows.last, let firstColumn = columns.first,
            let lastColumn = columns.last
        else { return }
        guard rows.count > 1 || columns.count > 1 else {
            return try writeBlank(sheet, row: firstRow, column: firstColumn, style)
        }
        let format = try unsafe format(style)
        let result = unsafe worksheet_merge_range(
            sheets[sheet.index].pointer, UInt32(firstRow), UInt16(firstColumn), UInt32(lastRow), UInt16(lastColumn), "",
            format)
        try Self.check(result, "worksheet_merge_range")
        for row in rows { for column in columns { sent.put(sheet, row, column) } }
    }

    /// Sets a row's height and outline level. `height` is in points, at most 409; `level` counts
    /// from 1 in Excel's outline, 0 is outside of it.
    package mutating func setRow(_ row: Int, _ sheet: SheetID, height: Double, level: Int) throws(OutputFailure) {
        var options = lxw_row_col_options()
        options.level = UInt8(clamping: min(level, 7))
        let result = unsafe worksheet_set_row_opt(sheets[sheet.index].pointer, UInt32(row), height, nil, &options)
        try Self.check(result, "worksheet_set_row_opt")
    }

    /// Sets a column's width. `pixels` are counted at 96 per inch; the minimum is 12.
    package mutating func setColumn(_ column: Int, _ sheet: SheetID, pixels: Int) throws(OutputFailure) {
        // The width of a column counts digits of 7 pixels, plus 5 pixels of padding.
        try setColumn(column, sheet, width: Double(max(pixels, 12) - 5) / 7, nil)
    }

    /// Sets whether the summary row of a group is below it.
    package mutating func setOutline(_ sheet: SheetID, summaryBelow: Bool) {
        unsafe worksheet_outline_settings(sheets[sheet.index].pointer, 1, summaryBelow ? 1 : 0, 1, 0)
    }

    package mutating func setTab(_ sheet: SheetID, color: UInt32) {
        unsafe worksheet_set_tab_color(sheets[sheet.index].pointer, CellStyle.libraryColor(color))
    }

    /// Sets the rows that begin a page, at most 1023 of them. Excel applies the breaks only if the
    /// scale is a fixed percentage.
    package mutating func setBreaks(_ sheet: SheetID, before rows: [Int]) throws(OutputFailure) {
        // libxlsxwriter's list ends with a zero, so row 0 is left out.
        var list = rows.filter { $0 > 0 }.prefix(1023).map { UInt32($0) } + [0]
        guard list.count > 1 else { return }
        let pointer = unsafe sheets[sheet.index].pointer
        let result = unsafe list.withUnsafeMutableBufferPointer {
            unsafe worksheet_set_h_pagebreaks(pointer, $0.baseAddress)
        }
        try Self.check(result, "worksheet_set_h_pagebreaks")
    }

    /// Makes Arial the workbook's default font, whose digits are the unit of column widths. Arial
    /// at 10 points has digits as wide as the library's default, Calibri at 11. Arial, or a font
    /// with the same metrics, exists wherever a workbook is opened. To be called before the first
    /// cell.
    package mutating func useArial() {
        guard let normal = unsafe book?.pointee.formats.pointee.stqh_first else { return }
        unsafe format_set_font_name(normal, "Arial")
        unsafe format_set_font_size(normal, 10)
    }

    // MARK: Links

    /// Adds a link on a cell that shows `label`, to a cell of a sheet; the cell may already have
    /// content. `target` is a name from `SheetNames`, `label` was prepared by `LibraryText`. Only
    /// the label is written if the sheet already has as many links as Excel allows.
    package mutating func link(
        to target: String, cell: String, label: String, _ sheet: SheetID, row: Int, column: Int, _ style: CellStyle
    ) throws(OutputFailure) {
        // libxlsxwriter looks for its prefix `external:` anywhere in the address.
        guard !target.contains("external:") else { return try write(label, sheet, row: row, column: column, style) }
        try link("internal:'\(target.replacing("'", with: "''"))'!\(cell)", label, sheet, row, column, style)
    }

    /// Adds a link on a cell that shows `label`, to an address.
    package mutating func link(
        to address: LinkAddress, label: String, _ sheet: SheetID, row: Int, column: Int, _ style: CellStyle
    ) throws(OutputFailure) {
        try link(address.text, label, sheet, row, column, style)
    }

    private mutating func link(
        _ url: String, _ label: String, _ sheet: SheetID, _ row: Int, _ column: Int, _ style: CellStyle
    ) throws(OutputFailure) {
        guard takesLink(sheet) else { return try write(label, sheet, row: row, column: column, style) }
        guard label.utf16.count <= XLSXLimits.excel.text else {
            throw Self.failure(LXW_ERROR_MAX_STRING_LENGTH_EXCEEDED, "link")
        }
        let format = try unsafe format(style)
        let pointer = unsafe sheets[sheet.index].pointer
        let result = unsafe withCStrings([url, label]) { strings in
            unsafe worksheet_write_url_opt(pointer, UInt32(row), UInt16(column), strings[0], format, strings[1], nil)
        }
        try Self.check(result, "worksheet_write_url_opt")
        sent.put(sheet, row, column, label)
    }
}

/// An address that a cell or a picture may link to: a page, a mailbox, or a file beside the
/// workbook. Addresses are refused if they run a program or open a network share, or if
/// libxlsxwriter would interpret them differently.
package struct LinkAddress: Hashable, Sendable {
    /// The address in the form that the library needs.
    let text: String

    /// The longest address that Excel accepts, in UTF-16 units.
    private static let longest = 2079

    /// Returns nil if the address is refused; callers then write it as plain text.
    package init?(_ address: String) {
        guard !address.isEmpty, address.utf16.count <= Self.longest / 3, address.first != " ", address.first != "#",
            !address.unicodeScalars.contains(where: {
                $0.value < 0x20 || $0 == "\"" || $0.value == 0x7F || $0.value == 0xFFFE || $0.value == 0xFFFF
            }),
            !address.hasPrefix("//"), !address.hasPrefix("\\\\"), !address.contains("internal:"),
            !address.contains("external:")
        else { return nil }
        let head = address.prefix { $0 != "/" && $0 != "\\" }
        if let colon = head.firstIndex(of: ":") {
            guard ["http", "https", "mailto"].contains(head[..<colon].lowercased()) else { return nil }
            text = address
        } else {
            // These are ordinary characters in a file's name, but have a meaning in a URL.
            text = address.replacing("%", with: "%25").replacing("#", with: "%23").replacing("?", with: "%3F")
        }
    }
}
