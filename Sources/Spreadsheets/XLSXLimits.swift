/// Excel's limits. Tests use smaller numbers.
package struct XLSXLimits: Sendable, Hashable {
    /// Rows of a sheet, including the header.
    package var rows: Int
    package var columns: Int
    /// UTF-16 units of a cell's text.
    package var text: Int
    /// UTF-16 units of a sheet's name.
    package var sheetName: Int

    package init(rows: Int = 1_048_576, columns: Int = 16_384, text: Int = 32_767, sheetName: Int = 31) {
        self.rows = rows
        self.columns = columns
        self.text = text
        self.sheetName = sheetName
    }

    package static let excel = XLSXLimits()
}
