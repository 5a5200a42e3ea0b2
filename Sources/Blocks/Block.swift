import Model

/// One kind of block that sections consist of. Its file declares which keys a template may write,
/// what those must resolve to, and what the block makes of rows; how the result is drawn is defined
/// in `Reporting`, once for pages and once for sheets.
protocol Block: Sendable {
    /// Name of the block in templates.
    static var name: String { get }
    static var keys: [BlockKey] { get }
    /// What the block makes, for the test that all of it can be drawn.
    associatedtype Content: BlockContent

    /// Nil where a required key is missing, which the template's check has already reported.
    init?(_ template: PackNode)

    /// What the block shows of a section's row; nil where the block is left out.
    func content(_ row: ReportRow?, _ context: ReportContext) throws -> Content?
}

/// The content of a block, texts and values, as every renderer receives it.
package protocol BlockContent: Sendable {}
