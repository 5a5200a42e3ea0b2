import Model

/// Lines to sign on, with the names or roles of the signers.
struct SignaturesBlock: Block {
    static let name = "signatures"
    static let keys: [BlockKey] = [.required("items", .objects(signature, atLeast: 1), "Who signs.")]

    private static let signature = BlockObject(
        name: "reportSignature", about: "A line to sign on.",
        keys: [
            .required("label", .text(.section), "Key of a text."),
            .optional("name", .column(.section), "The section's column with the name."),
            .optional("note", .text(.section), "A line below the name: key of a text, or a pattern like {registration_number}."),
        ])

    private let signatures: [(label: ReportText, name: String?, note: ReportText?)]

    init?(_ template: PackNode) {
        signatures = template.items("items").compactMap { item in item.reportText("label").map { ($0, item.text("name"), item.reportText("note")) } }
    }

    func content(_ row: ReportRow?, _ context: ReportContext) -> SignaturesContent? {
        SignaturesContent(signatures.map { label, name, note in
            SignatureContent(label: context.text(label, row) ?? "", name: name.flatMap { row?.text($0) }, note: context.text(note, row))
        })
    }
}

package struct SignaturesContent: BlockContent {
    package var signatures: [SignatureContent]

    package init(_ signatures: [SignatureContent]) { self.signatures = signatures }
}

package struct SignatureContent: Sendable, Hashable {
    package var label: String
    package var name: String?
    /// The number in a register, the day of signing.
    package var note: String?

    package init(label: String, name: String?, note: String? = nil) {
        self.label = label
        self.name = name
        self.note = note
    }
}
