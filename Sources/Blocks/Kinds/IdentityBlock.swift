import Model

/// What a record is, at the head of each of its pages: code, depth, state, revision, who signed.
struct IdentityBlock: Block {
    static let name = "identity"
    static let keys: [BlockKey] = [
        .required("items", .values(FieldItem.object, .section, atLeast: 1), "The values with their labels, side by side on one line."),
        .optional("draft", .condition(.section), "Where it holds, every page is stamped as a draft, and the sheet says so."),
    ]

    private let items: [FieldItem]
    private let draft: Expression?

    init?(_ template: PackNode) {
        items = template.items("items").compactMap(FieldItem.init)
        draft = template.expression("draft")
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> IdentityContent? {
        IdentityContent(
            items: try items.compactMap { try $0.content(row, context) }, isDraft: try draft.map { try context.holds($0, row) } ?? false)
    }
}

/// The identity of a section's record.
package struct IdentityContent: BlockContent {
    package var items: [FieldsContent.Item]
    /// Whether the record is not approved yet.
    package var isDraft: Bool

    package init(items: [FieldsContent.Item], isDraft: Bool) {
        self.items = items
        self.isDraft = isDraft
    }

    package var columns: Int { items.reduce(0) { $0 + $1.span } }
}

extension SectionContent {
    /// What stands at the head of each of its pages.
    package var identity: IdentityContent? { blocks.lazy.compactMap { $0 as? IdentityContent }.first }
}
