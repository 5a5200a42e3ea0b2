package import Model

/// A section with all its content: pages that begin on a new page, or a sheet.
package struct SectionContent: Sendable {
    /// Machine name of the template's section.
    package var name: String
    /// The entry in the outline and the sheet's name.
    package var title: String
    /// Target of links: `pits/ID`, or the section's name; unique in the document.
    package var anchor: String
    /// Whether the section represents a row of a query: its pages are then numbered separately
    /// (sheet n of m).
    package var isOfRow: Bool
    package var paper: ReportPaper
    /// Where it begins on paper.
    package var begins: ReportBeginning
    package var blocks: [any BlockContent]
    /// The rows behind them; nil: nothing but what the run itself says.
    package var data: SectionData?

    package init(
        name: String, title: String, anchor: String, isOfRow: Bool, paper: ReportPaper, begins: ReportBeginning = .page, blocks: [any BlockContent], data: SectionData? = nil
    ) {
        self.name = name
        self.title = title
        self.anchor = anchor
        self.isOfRow = isOfRow
        self.paper = paper
        self.begins = begins
        self.blocks = blocks
        self.data = data
    }
}
