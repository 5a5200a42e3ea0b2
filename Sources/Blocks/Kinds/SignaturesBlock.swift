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
        ])

    private let signatures: [(label: ReportText, name: String?)]

    init?(_ template: PackNode) {
        signatures = template.items("items").compactMap { item in item.reportText("label").map { ($0, item.text("name")) } }
    }

    func content(_ row: ReportRow?, _ context: ReportContext) -> SignaturesContent? {
        SignaturesContent(signatures.map { label, name in
            SignatureContent(label: context.text(label, row) ?? "", name: name.flatMap { row?.text($0) })
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
}
