import Blocks

/// What draws a block's content onto a sheet, and what it asks of the sheet before. Each block has its own.
protocol SheetDrawn: BlockContent {
    func draw(with pen: inout SheetPen) throws
    /// Points that each of its columns wants, where the sheet's columns could be its own.
    func columns(usable: Double, fit: TextFit) -> [Double]
    /// How many columns a sheet must have for it.
    var leastColumns: Int { get }
    /// How many tables it counts for: where there is more than one, the sheet is no table that can be filtered.
    var tables: Int { get }
    /// Whether the header of a table above it, repeated on every page, would not stand over it wrongly.
    var mayFollowTable: Bool { get }
}

extension SheetDrawn {
    func columns(usable: Double, fit: TextFit) -> [Double] { [] }
    var leastColumns: Int { 1 }
    var tables: Int { 0 }
    var mayFollowTable: Bool { false }
}

extension SectionContent {
    /// Its blocks as sheets take them.
    func drawnOnSheets() throws -> [any SheetDrawn] {
        try blocks.map { block in
            guard let drawn = block as? any SheetDrawn else { throw ReportFailure.template(name, String(describing: type(of: block))) }
            return drawn
        }
    }
}
