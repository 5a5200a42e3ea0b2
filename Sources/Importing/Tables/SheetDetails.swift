package import Model

/// Properties of a sheet in addition to its values, read only on request: forms laid out on a sheet
/// need them.
package struct SheetDetails: Sendable, Equatable {
    package typealias Position = SheetCell

    /// A merged range of cells: its value is that of the first cell.
    package struct CellRange: Sendable, Hashable {
        package var first: Position
        package var last: Position
    }

    /// A picture placed over a sheet, by the cell under its upper left corner.
    package struct Picture: Sendable, Hashable {
        package var cell: Position
        /// Name of the picture's entry in the workbook's archive.
        package var entry: String
    }

    package var mergedRanges: [CellRange] = []
    package var links: [Position: String] = [:]
    package var pictures: [Picture] = []
    /// Hidden columns and rows, counted from 0.
    package var hiddenColumns: [ClosedRange<Int>] = []
    package var hiddenRows: [Int] = []
}
