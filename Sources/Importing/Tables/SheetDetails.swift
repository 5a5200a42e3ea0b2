package import Model

/// What a sheet says beside its values, read only when asked for: forms laid out as a sheet need it.
package struct SheetDetails: Sendable, Equatable {
    package typealias Position = SheetCell

    /// Cells shown as one: their value is that of the first.
    package struct CellRange: Sendable, Hashable {
        package var first: Position
        package var last: Position
    }

    /// A picture that lies over a sheet, by the cell under its upper left corner.
    package struct Picture: Sendable, Hashable {
        package var cell: Position
        /// Name of the picture's entry in the workbook's archive.
        package var entry: String
    }

    package var mergedRanges: [CellRange] = []
    package var links: [Position: String] = [:]
    package var pictures: [Picture] = []
    /// Columns and rows that are not shown, counted from zero.
    package var hiddenColumns: [ClosedRange<Int>] = []
    package var hiddenRows: [Int] = []
}
