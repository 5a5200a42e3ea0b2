import Model
import Recording

/// A verification for people: what is not as it was registered, then how many files are.
struct VerifyText {
    private let session: CommandSession

    init(_ session: CommandSession) {
        self.session = session
    }

    func text(_ report: Verification) -> String {
        var lines: [String] = []
        for entry in report.entries where ![.ok, .superseded, .draft].contains(entry.state) {
            lines.append("\(session.text("cli.verify." + entry.state.rawValue)): \(entry.path)")
        }
        lines.append(session.text("cli.verify.summary", ["count": String(report.count(.ok))]))
        return lines.joined(separator: "\n")
    }
}
