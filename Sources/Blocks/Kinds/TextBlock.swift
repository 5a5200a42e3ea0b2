import Model

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
