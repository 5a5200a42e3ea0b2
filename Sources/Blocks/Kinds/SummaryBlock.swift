import Model

/// A box with a heading and a sentence that sums up a query's rows, such as their number or the
/// deepest of them.
struct SummaryBlock: Block {
    static let name = "summary"
    static let keys: [BlockKey] = [
        .title, .query,
        .required("text", .totals(of: "query"), "Key of a text, or a pattern, with totals of the rows: {count}, {max(depth_m)}."),
        .optional("one", .totals(of: "query"), "The same where there is one row."), .empty,
    ]

    private let title: ReportText?
    private let query: String
    private let text: ReportText
    private let one: ReportText?
    private let empty: ReportText?

    init?(_ template: PackNode) {
        guard let query = template.text("query"), let text = template.reportText("text") else { return nil }
        title = template.reportText("title")
        self.query = query
        self.text = text
        one = template.reportText("one")
        empty = template.reportText("empty")
    }

    /// Nil where there are no rows and no text for that case.
    func content(_ row: ReportRow?, _ context: ReportContext) throws -> SummaryContent? {
        guard let query = context.query(self.query) else { return nil }
        let rows = try context.rows(self.query, for: row)
        let said = rows.isEmpty ? empty : rows.count == 1 ? one ?? text : text
        let heading = context.text(title, row, totalsOf: rows, query)
        return context.text(said, row, totalsOf: rows, query).map { SummaryContent(heading: heading, text: $0) }
    }
}

package struct SummaryContent: BlockContent, Equatable {
    package var heading: String?
    package var text: String
}
