/// Excel's limits. Tests use smaller numbers.
package struct XLSXLimits: Sendable, Hashable {
    /// Rows of a sheet, including the header.
    package var rows: Int = 1_048_576
    package var columns: Int = 16_384
    /// UTF-16 units of a cell's text.
    package var text: Int = 32_767
    /// UTF-16 units of a sheet's name.
    package var sheetName: Int = 31

    package static let excel = XLSXLimits()
}
