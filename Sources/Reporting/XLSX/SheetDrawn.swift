import Blocks

/// A block's content that draws itself onto a sheet, and states its needs of the sheet before.
protocol SheetDrawn: BlockContent {
    func draw(with pen: inout SheetPen) throws
    /// The widths of its own columns in points, where the sheet may take them over.
    func columns(usable: Double, fit: TextFit) -> [Double]
    /// The number of columns that the sheet must have.
    var leastColumns: Int { get }
    /// The number of tables that it counts as. A sheet with more than one cannot be filtered as a
    /// table.
    var tables: Int { get }
    /// Whether it may stand below a table whose header is repeated on every page.
    var mayFollowTable: Bool { get }
}

extension SheetDrawn {
    func columns(usable: Double, fit: TextFit) -> [Double] { [] }
    var leastColumns: Int { 1 }
    var tables: Int { 0 }
    var mayFollowTable: Bool { false }
}

extension SectionContent {
    /// The section's blocks, as drawable on sheets. Throws where a block is not.
    func drawnOnSheets() throws -> [any SheetDrawn] {
        try blocks.map { block in
            guard let drawn = block as? any SheetDrawn else { throw ReportFailure.template(name, String(describing: type(of: block))) }
            return drawn
        }
    }
}
