import Model

/// One kind of block that sections consist of. Its file says what a template may write under its keys and what that must lead to, and
/// what the block makes of rows; how that is drawn stands in `Reporting`, once for pages and once for sheets.
protocol Block: Sendable {
    /// What a template calls it.
    static var name: String { get }
    static var keys: [BlockKey] { get }
    /// What it makes, for the test that all of it can be drawn.
    associatedtype Content: BlockContent

    /// Nil where something is missing, which the template's check has reported.
    init?(_ template: TemplateNode)

    /// What it shows of a section's row; nil where it is left out.
    func content(_ row: ReportRow?, _ context: ReportContext) throws -> Content?
}

/// A block with its texts and values, as every renderer takes it.
package protocol BlockContent: Sendable {}
