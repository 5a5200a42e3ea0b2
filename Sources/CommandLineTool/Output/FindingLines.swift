import FindingDocuments
import Model
import Validating

/// Findings as text for a terminal.
struct FindingLines {
    private let session: CommandSession

    init(_ session: CommandSession) {
        self.session = session
    }

    /// - Parameter ofCommand: whether the findings come from a person's command and not from a
    ///   file.
    func text(_ findings: [Finding], limit: Int, ofCommand: Bool = false) -> String {
        let report = FindingListing(FindingText(session.pack.texts, of: session.pack, in: session.language, isCommand: ofCommand), first: limit)
        for finding in findings { report.add(finding) }
        return report.render()
    }
}

extension CommandSession {
    var findingText: FindingText { FindingText(pack.texts, of: pack, in: language) }

    /// A field's label as people read it, with its table.
    func label(ofField field: String, in entity: String) -> String {
        guard let described = pack.entity(entity), let named = described.field(field) else { return "\(entity).\(field)" }
        return text(described.textKey) + ": " + text(described.textKey(of: named))
    }
}
