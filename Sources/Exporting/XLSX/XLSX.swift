// Workbooks. libxlsxwriter makes a whole package in which every data sheet has a header and one pattern row (PatternWorkbook);
// then the final package is put together: every part copied as it is, except the data sheets, whose rows are streamed as bytes
// between the pattern's head and tail (XLSXWriter, RowFormatter). ECMA-376 part 1, section 18, says what the bytes mean.

/// What Excel can hold. Tests use smaller numbers.
package struct XLSXLimits: Sendable, Hashable {
    /// Rows of a sheet, the header among them.
    package var rows = 1_048_576
    package var columns = 16_384
    /// UTF-16 units of a cell's text.
    package var text = 32_767
    /// UTF-16 units of a sheet's name.
    package var sheetName = 31

    package static let excel = XLSXLimits()
}
