// Long file: the one wrapper of a library, whose pointers do not leave it.

import CXLSXWriter
import Counting
import Foundation
package import Model
package import OutputFiles

/// A workbook written by libxlsxwriter. Its pointers are not public, and its result codes become
/// `OutputFailure`s. This type checks limits that version 1.1.4 does not check, or checks in
/// characters though it copies bytes.
@safe package struct Workbook: ~Copyable {
    /// A sheet, by its index in the workbook.
    package struct SheetID: Hashable, Sendable {
        let index: Int
    }

    package struct Properties {
        package var title: String
        package var subject: String
        package var author: String
        package var company: String
        package var comments: String
        /// Seconds since 1970.
        package var created: Int
        /// Name of export or report, in the keywords, by which an import recognises the workbook.
        package var origin: BookOrigin?

        package init(
            title: String, subject: String, author: String, company: String, comments: String, created: Int,
            origin: BookOrigin? = nil
        ) {
            self.title = title
            self.subject = subject
            self.author = author
            self.company = company
            self.comments = comments
            self.created = created
            self.origin = origin
        }
    }

    /// A drop-down list: the values themselves, or the range that contains them.
    package enum Choices: Hashable, Sendable {
        case values([String])
        case range(String)
    }

    var book: UnsafeMutablePointer<lxw_workbook>?
    private(set) var sheets: [OwnedSheet] = []
    /// The cells passed to the library, which are compared with the file that it writes.
    var sent = SentCells()
    private var formats: [CellStyle: OwnedFormat] = [:]
    private let path: String
    /// The folder for the library's temporary files. If the run is killed, the next run removes it.
    private var drafts: PrivateFolder?

    // Sheets and formats whose memory the workbook owns and frees.
    @safe struct OwnedSheet {
        let pointer: UnsafeMutablePointer<lxw_worksheet>
        /// Number of links to addresses and cells so far.
        var links = 0
    }
    @safe private struct OwnedFormat {
        let pointer: UnsafeMutablePointer<lxw_format>
    }

    /// - Parameter isStreaming: each row is moved to a temporary file when the next row of its
    ///   sheet begins, so that memory use does not grow. Each sheet must then be written from top
    ///   to bottom, and cannot have tables.
    package init(path: String, isStreaming: Bool = false) throws(OutputFailure) {
        self.path = path
        sent.isStreaming = isStreaming
        let drafts = try Self.makeDrafts()
        self.drafts = drafts
        var options = unsafe lxw_workbook_options()
        unsafe options.constant_memory = isStreaming ? 1 : 0
        unsafe book = Self.make(path, drafts.url.path, &options)
        if unsafe book == nil { throw .library(name: "libxlsxwriter", reason: "workbook_new") }
    }

    private static func make(_ path: String, _ folder: String, _ options: inout lxw_workbook_options)
        -> UnsafeMutablePointer<lxw_workbook>?
    {
        unsafe folder.withCString { folder in
            // The library keeps a copy.
            unsafe options.tmpdir = UnsafeMutablePointer(mutating: folder)
            return unsafe workbook_new_opt(path, &options)
        }
    }

    private static func makeDrafts() throws(OutputFailure) -> PrivateFolder {
        do {
            return try PrivateFolder()
        } catch {
            throw .system(
                (error as? POSIXError)?.code.rawValue ?? EIO, path: FileManager.default.temporaryDirectory.path)
        }
    }

    deinit {
        if let book = unsafe book { unsafe lxw_workbook_free(book) }
    }

    /// Writes the file and compares its cells with those passed to the library, because the library
    /// overlooks some failed writes of its temporary files. No other method may be called
    /// afterwards.
    package mutating func close() throws(OutputFailure) {
        try write()
        do throws(CountFault) {
            guard try WrittenWorkbook(path: path) != sent.total() else { return }
            throw .damaged("cells, texts or pictures are missing")
        } catch {
            throw .libraryFileDamaged(
                name: "libxlsxwriter", reason: error.reason, folder: FileManager.default.temporaryDirectory.path)
        }
    }

    private mutating func write() throws(OutputFailure) {
        guard let closing = unsafe book else { return }
        // The library frees the workbook even if closing fails.
        unsafe book = nil
        errno = 0
        let result = unsafe workbook_close(closing)
        guard result != LXW_NO_ERROR else { return }
        switch result {
        case LXW_ERROR_CREATING_TMPFILE:
            throw OutputFailure.system(errno == 0 ? ENOSPC : errno, path: FileManager.default.temporaryDirectory.path)
        case LXW_ERROR_CREATING_XLSX_FILE, LXW_ERROR_ZIP_FILE_OPERATION, LXW_ERROR_ZIP_FILE_ADD, LXW_ERROR_ZIP_CLOSE:
            throw OutputFailure.system(errno == 0 ? ENOSPC : errno, path: path)
        default:
            throw Self.failure(result, "workbook_close")
        }
    }

    // MARK: The workbook

    package mutating func set(_ properties: Properties) throws(OutputFailure) {
        let result = unsafe withCStrings([
            Self.line(properties.title), Self.line(properties.subject), Self.line(properties.author),
            Self.line(properties.company),
            Self.line(properties.comments), Self.line(properties.origin?.keywords ?? ""),
        ]) { strings in
            var all = unsafe lxw_doc_properties()
            unsafe all.title = strings[0]
            unsafe all.subject = strings[1]
            unsafe all.author = strings[2]
            unsafe all.company = strings[3]
            unsafe all.comments = strings[4]
            if properties.origin != nil { unsafe all.keywords = strings[5] }
            // libxlsxwriter reads zero as “now”.
            unsafe all.created = time_t(properties.created == 0 ? 1 : properties.created)
            return unsafe workbook_set_properties(book, &all)
        }
        try Self.check(result, "workbook_set_properties")
    }

    /// Adds a sheet; `name` is from `SheetNames`.
    package mutating func addSheet(_ name: String) throws(OutputFailure) -> SheetID {
        guard let sheet = unsafe workbook_add_worksheet(book, name) else {
            throw .library(name: "libxlsxwriter", reason: "workbook_add_worksheet")
        }
        sheets.append(unsafe OwnedSheet(pointer: sheet))
        sent.addSheet()
        return SheetID(index: sheets.count - 1)
    }

    // MARK: Cells

    /// Writes a text that was prepared by `LibraryText`; row and column counted from zero.
    package mutating func write(_ text: String, _ sheet: SheetID, row: Int, column: Int, _ style: CellStyle)
        throws(OutputFailure)
    {
        guard !text.isEmpty else { return try writeBlank(sheet, row: row, column: column, style) }
        guard text.utf16.count <= XLSXLimits.excel.text else {
            throw Self.failure(LXW_ERROR_MAX_STRING_LENGTH_EXCEEDED, "text")
        }
        let format = try unsafe format(style)
        let result = unsafe worksheet_write_string(
            sheets[sheet.index].pointer, UInt32(row), UInt16(column), text, format)
        try Self.check(result, "worksheet_write_string")
        sent.put(sheet, row, column, text)
    }

    package mutating func writeBlank(_ sheet: SheetID, row: Int, column: Int, _ style: CellStyle) throws(OutputFailure)
    {
        let format = try unsafe format(style)
        let result = unsafe worksheet_write_blank(sheets[sheet.index].pointer, UInt32(row), UInt16(column), format)
        try Self.check(result, "worksheet_write_blank")
        sent.put(sheet, row, column)
    }

    package mutating func write(_ number: Double, _ sheet: SheetID, row: Int, column: Int, _ style: CellStyle)
        throws(OutputFailure)
    {
        guard number.isFinite else { return try write(String(number), sheet, row: row, column: column, style) }
        let format = try unsafe format(style)
        let result = unsafe worksheet_write_number(
            sheets[sheet.index].pointer, UInt32(row), UInt16(column), number, format)
        try Self.check(result, "worksheet_write_number")
        sent.put(sheet, row, column)
    }

    /// Writes a link to a cell of this workbook as a formula, since ordinary hyperlinks are limited
    /// to 65,530 in a sheet. `target` is a name from `SheetNames`; `label` was prepared by
    /// `LibraryText` with a limit of 255.
    package mutating func writeLink(
        to target: String, cell: String, label: String, _ sheet: SheetID, row: Int, column: Int
    ) throws(OutputFailure) {
        // A string in a formula may have at most 255 UTF-16 units, and its quotes are doubled.
        guard label.utf16.count <= 255 else { throw Self.failure(LXW_ERROR_255_STRING_LENGTH_EXCEEDED, "link") }
        let place = "#'\(target.replacing("'", with: "''"))'!\(cell)"
        let formula = "=HYPERLINK(\"\(Self.quoted(place))\",\"\(Self.quoted(label))\")"
        var style = CellStyle()
        style.isLink = true
        let format = try unsafe format(style)
        let result = unsafe worksheet_write_formula_str(
            sheets[sheet.index].pointer, UInt32(row), UInt16(column), formula, format, label)
        try Self.check(result, "worksheet_write_formula_str")
        sent.put(sheet, row, column, label)
    }

    private static func quoted(_ text: String) -> String { text.replacing("\"", with: "\"\"") }

    /// Adds a comment, at most one per cell; while streaming, only in the current row. `size` is in
    /// pixels.
    package mutating func comment(
        _ text: LibraryText, _ sheet: SheetID, row: Int, column: Int, size: (width: Int, height: Int)
    ) throws(OutputFailure) {
        guard text.string.utf16.count <= XLSXLimits.excel.text else {
            throw Self.failure(LXW_ERROR_MAX_STRING_LENGTH_EXCEEDED, "comment")
        }
        let pointer = unsafe sheets[sheet.index].pointer
        let result = unsafe withCStrings([text.string, "Fichero"]) { strings in
            var options = unsafe lxw_comment_options()
            unsafe options.author = strings[1]
            unsafe options.width = UInt16(clamping: size.width)
            unsafe options.height = UInt16(clamping: size.height)
            return unsafe worksheet_write_comment_opt(pointer, UInt32(row), UInt16(column), strings[0], &options)
        }
        try Self.check(result, "worksheet_write_comment_opt")
        sent.putComment(text.string)
    }

    // MARK: Sheets

    /// Adds filter buttons to a header row, for the rows below it.
    package mutating func addFilter(_ sheet: SheetID, header: Int, rows: Int, columns: Int) throws(OutputFailure) {
        let result = unsafe worksheet_autofilter(
            sheets[sheet.index].pointer, UInt32(header), 0, UInt32(header + max(rows, 1)), UInt16(max(columns, 1) - 1))
        try Self.check(result, "worksheet_autofilter")
    }

    package mutating func freeze(_ sheet: SheetID, rows: Int, columns: Int = 0) {
        unsafe worksheet_freeze_panes(sheets[sheet.index].pointer, UInt32(rows), UInt16(columns))
    }

    package mutating func setColumn(
        _ column: Int, _ sheet: SheetID, width: Double, _ style: CellStyle?, isHidden: Bool = false
    ) throws(OutputFailure) {
        let format = try unsafe style.map { style throws(OutputFailure) in try unsafe self.format(style) }
        var options = lxw_row_col_options()
        options.hidden = isHidden ? 1 : 0
        let result = unsafe worksheet_set_column_opt(
            sheets[sheet.index].pointer, UInt16(column), UInt16(column), width, format, &options)
        try Self.check(result, "worksheet_set_column")
    }

    package mutating func setRow(_ row: Int, _ sheet: SheetID, height: Double) throws(OutputFailure) {
        try Self.check(
            unsafe worksheet_set_row(sheets[sheet.index].pointer, UInt32(row), height, nil), "worksheet_set_row")
    }

    package mutating func hide(_ sheet: SheetID) {
        unsafe worksheet_hide(sheets[sheet.index].pointer)
    }

    package mutating func hideGridlines(_ sheet: SheetID) {
        unsafe worksheet_gridlines(sheets[sheet.index].pointer, UInt8(LXW_HIDE_ALL_GRIDLINES.rawValue))
    }

    /// The total column width, in characters, that is still readable on one A4 page in landscape.
    private static let readableWidth = 260.0

    /// Sets A4 landscape, one page wide, or as many pages as a readable size requires; the sheet's
    /// name at the top, the file's name and the page number at the bottom.
    /// - Parameter width: total width of all columns, in characters.
    package mutating func setPrinting(_ sheet: SheetID, width: Double = 0, repeatsHeader: Bool, banner: String)
        throws(OutputFailure)
    {
        let pointer = unsafe sheets[sheet.index].pointer
        unsafe worksheet_set_landscape(pointer)
        unsafe worksheet_set_paper(pointer, 9)
        let pagesAcross = max(1, (width / Self.readableWidth).rounded(.up))
        unsafe worksheet_fit_to_pages(pointer, UInt16(min(pagesAcross, 100)), 0)
        if repeatsHeader { try Self.check(unsafe worksheet_repeat_rows(pointer, 0, 0), "worksheet_repeat_rows") }
        // `&` begins a code, and the library frees the string of a header that seems to contain a
        // picture (`&&G`) and uses it afterwards.
        let text = LibraryText(banner, limit: 60, isOneLine: true).string.replacing("&", with: "＆")
        try Self.check(unsafe worksheet_set_header(pointer, "&L&A&R" + text), "worksheet_set_header")
        try Self.check(unsafe worksheet_set_footer(pointer, "&L&F&R&P / &N"), "worksheet_set_footer")
    }

    /// Adds a banded table with a filter over the header in row 0 and `rows` rows below it.
    /// `headers` are unique regardless of case, and were prepared by `LibraryText` with a limit of
    /// 255; the table writes them.
    package mutating func addTable(_ sheet: SheetID, headers: [String], rows: Int) throws(OutputFailure) {
        guard headers.allSatisfy({ !$0.isEmpty && $0.utf16.count <= 255 }) else {
            throw Self.failure(LXW_ERROR_255_STRING_LENGTH_EXCEEDED, "table header")
        }
        let format = try unsafe format(.header)
        let pointer = unsafe sheets[sheet.index].pointer
        let result = unsafe withCStrings(headers) { strings in
            var columns = unsafe [lxw_table_column](repeating: lxw_table_column(), count: headers.count)
            for index in headers.indices {
                unsafe columns[index].header = strings[index]
                unsafe columns[index].header_format = format
            }
            return unsafe columns.withUnsafeMutableBufferPointer { buffer in
                var list = unsafe buffer.indices.map { index in unsafe buffer.baseAddress.map { unsafe $0 + index } }
                unsafe list.append(nil)
                return unsafe list.withUnsafeMutableBufferPointer { list in
                    var options = unsafe lxw_table_options()
                    unsafe options.columns = list.baseAddress
                    unsafe options.style_type = UInt8(LXW_TABLE_STYLE_TYPE_LIGHT.rawValue)
                    unsafe options.style_type_number = 15
                    // Excel regards a table without a row below its header as damaged, so an empty
                    // row is added.
                    return unsafe worksheet_add_table(
                        pointer, 0, 0, UInt32(max(rows, 1)), UInt16(headers.count - 1), &options)
                }
            }
        }
        try Self.check(result, "worksheet_add_table")
        for (column, header) in headers.enumerated() { sent.put(sheet, 0, column, header) }
    }

    /// Adds a drop-down list to the rows below the header. Other values are refused if `isClosed`,
    /// else accepted.
    package mutating func addChoices(_ choices: Choices, isClosed: Bool, _ sheet: SheetID, column: Int, rows: Int)
        throws(OutputFailure)
    {
        var validation = unsafe lxw_data_validation()
        unsafe validation.show_error = UInt8(isClosed ? LXW_VALIDATION_DEFAULT.rawValue : LXW_VALIDATION_OFF.rawValue)
        let pointer = unsafe sheets[sheet.index].pointer
        let last = UInt32(max(rows, 1))
        let result: lxw_error
        switch choices {
        case .range(let range):
            unsafe validation.validate = UInt8(LXW_VALIDATION_TYPE_LIST_FORMULA.rawValue)
            result = unsafe withCStrings(["=" + range]) { strings in
                unsafe validation.value_formula = strings[0]
                return unsafe worksheet_data_validation_range(
                    pointer, 1, UInt16(column), last, UInt16(column), &validation)
            }
        case .values(let values):
            // The library joins the values in a buffer of 258 bytes, which it counts in characters,
            // with an 8-bit index.
            guard !values.isEmpty, values.count <= 100, values.joined(separator: ",").utf8.count <= 255 else {
                throw Self.failure(LXW_ERROR_255_STRING_LENGTH_EXCEEDED, "list")
            }
            unsafe validation.validate = UInt8(LXW_VALIDATION_TYPE_LIST.rawValue)
            result = unsafe withCStrings(values) { strings in
                var list = unsafe strings
                unsafe list.append(nil)
                return unsafe list.withUnsafeMutableBufferPointer { list in
                    unsafe validation.value_list = list.baseAddress
                    return unsafe worksheet_data_validation_range(
                        pointer, 1, UInt16(column), last, UInt16(column), &validation)
                }
            }
        }
        try Self.check(result, "worksheet_data_validation_range")
    }

    // MARK: Formats

    mutating func format(_ style: CellStyle) throws(OutputFailure) -> UnsafeMutablePointer<lxw_format> {
        if let known = formats[style] { return unsafe known.pointer }
        guard let made = unsafe workbook_add_format(book) else {
            throw .library(name: "libxlsxwriter", reason: "workbook_add_format")
        }
        unsafe style.apply(to: made)
        formats[style] = unsafe OwnedFormat(pointer: made)
        return unsafe made
    }

    /// Counts a link of a sheet. Returns false if the sheet already has as many links as Excel
    /// allows.
    mutating func takesLink(_ sheet: SheetID) -> Bool {
        guard sheets[sheet.index].links < 65_530 else { return false }
        sheets[sheet.index].links += 1
        return true
    }

    // MARK: Results

    private static func line(_ text: String) -> String { LibraryText(text, limit: 255, isOneLine: true).string }

    static func check(_ result: lxw_error, _ function: String) throws(OutputFailure) {
        guard result == LXW_NO_ERROR else { throw failure(result, function) }
    }

    static func failure(_ result: lxw_error, _ function: String) -> OutputFailure {
        let reason = unsafe lxw_strerror(result).map { unsafe String(cString: $0) } ?? String(result.rawValue)
        return .library(name: "libxlsxwriter", reason: function + ": " + reason)
    }
}

/// Passes copies of the strings as C strings, which are valid while `body` runs.
func withCStrings<R>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R) -> R {
    let copies = unsafe strings.map { unsafe strdup($0) }
    defer { for unsafe copy in unsafe copies { unsafe free(copy) } }
    return unsafe body(copies)
}
