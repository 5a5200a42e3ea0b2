import Model
import Replica

/// Accepted findings for people: what, where, why, by whom, until when.
struct AcceptanceText {
    private let session: CommandSession

    init(_ session: CommandSession) {
        self.session = session
    }

    func text(_ acceptances: [KeptAcceptance]) -> String {
        guard !acceptances.isEmpty else { return session.text("cli.accept.none") }
        var table = TextTable(
            ["code", "where", "state", "until", "who", "reason", "fingerprint"].map { session.text("cli.columns." + $0) },
            Array(repeating: .left, count: 7))
        for acceptance in acceptances {
            table.add([
                acceptance.code, [acceptance.key ?? acceptance.table, acceptance.field].compactMap { $0 }.joined(separator: " · "),
                session.text("cli.accept.state." + acceptance.state.rawValue), acceptance.until, acceptance.actor, acceptance.reason,
                String(acceptance.fingerprint.prefix(8)),
            ])
        }
        return table.text
    }
}
