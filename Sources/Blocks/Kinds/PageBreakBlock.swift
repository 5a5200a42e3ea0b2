import Model

/// Starts a new page for what follows.
struct PageBreakBlock: Block {
    static let name = "pageBreak"
    static let keys: [BlockKey] = []

    init?(_ template: PackNode) {}

    func content(_ row: ReportRow?, _ context: ReportContext) -> PageBreakContent? { PageBreakContent() }
}

package struct PageBreakContent: BlockContent {
    package init() {}
}
