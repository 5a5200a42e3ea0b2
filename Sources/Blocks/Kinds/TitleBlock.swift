import Model

/// A heading, kept together with what follows it.
struct TitleBlock: Block {
    static let name = "title"
    static let keys: [BlockKey] = [
        .required("text", .text(.section), "Key of a text, or a pattern."), .optional("level", .integer(1...3), "1 by default."),
    ]

    private let text: ReportText
    private let level: Int

    init?(_ template: PackNode) {
        guard let text = template.reportText("text") else { return nil }
        self.text = text
        level = template.integer("level") ?? 1
    }

    func content(_ row: ReportRow?, _ context: ReportContext) -> TitleContent? {
        TitleContent(context.text(text, row) ?? "", level: level)
    }
}

package struct TitleContent: BlockContent, Equatable {
    package var text: String
    package var level: Int

    package init(_ text: String, level: Int) {
        self.text = text
        self.level = level
    }
}
