import Foundation
import Model
import Mustache

/// Paragraphs from a Mustache file in the report's folder, filled from the section's row.
struct PageBlock: Block {
    static let name = "page"
    static let keys: [BlockKey] = [
        .required("file", .page, "A mustache file beside the template, filled from the section's row.")
    ]

    private let file: String

    init?(_ template: PackNode) {
        guard let file = template.text("file") else { return nil }
        self.file = file
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> TextContent? {
        do {
            let compiled = try context.page(file)
            guard let row else { return TextContent(compiled.render([String: String]())) }
            let cells = row.columns.query.columns.map { ($0.name, context.values.cell(row.value($0.name), $0)) }
            // An empty value counts as missing, so that sections and inverted sections can test for
            // it.
            let values = cells.filter { !$0.1.isEmpty }.map { ($0.0, $0.1.text) }
            return TextContent(compiled.render(Dictionary(values) { first, _ in first }))
        } catch let error as MustacheTemplate.ParserError {
            throw ReportFailure.page(
                report: context.definition.name, file: file, reason: "\(error.error) (\(error.context.lineNumber))")
        }
    }
}

/// Starts a new page for the following blocks.
struct PageBreakBlock: Block {
    static let name = "pageBreak"
    static let keys: [BlockKey] = []

    init?(_ template: PackNode) {}

    func content(_ row: ReportRow?, _ context: ReportContext) -> PageBreakContent? { PageBreakContent() }
}

package struct PageBreakContent: BlockContent {
    package init() {}
}

/// Paragraphs.
struct TextBlock: Block {
    static let name = "text"
    static let keys: [BlockKey] = [
        .required("text", .text(.section), "Key of a text, or a pattern."),
        .optional("style", .word(of: TextContent.Style.self), "normal by default."),
    ]

    private let text: ReportText
    private let style: TextContent.Style

    init?(_ template: PackNode) {
        guard let text = template.reportText("text") else { return nil }
        self.text = text
        style = template.word("style", TextContent.Style.self) ?? .normal
    }

    func content(_ row: ReportRow?, _ context: ReportContext) -> TextContent? {
        TextContent(context.text(text, row) ?? "", style: style)
    }
}

package struct TextContent: BlockContent, Equatable {
    package enum Style: String, Sendable, CaseIterable {
        case normal, small, note
    }

    package var text: String
    package var style: Style

    package init(_ text: String, style: Style = .normal) {
        self.text = text
        self.style = style
    }
}
