import Model
import Replica

/// What an erasure took away, or would take, for people.
struct EraseText {
    private let session: CommandSession

    init(_ session: CommandSession) { self.session = session }

    func text(_ account: ErasureAccount) -> String {
        var rows = TextTable(
            [session.text("cli.columns.entity"), session.text("cli.erase.columns.removed"), session.text("cli.erase.columns.anonymised")], [.left, .right, .right])
        for line in account.lines { rows.add([line.entity, String(line.removed), String(line.anonymised)]) }
        var parts = [session.text(account.isDryRun ? "cli.erase.plan" : "cli.erase.done")]
        if !rows.isEmpty { parts.append(rows.text) }
        if !account.books.isEmpty { parts.append(counts("cli.erase.books", account.books)) }
        if account.photos > 0 { parts.append(session.text("cli.erase.photos", ["count": String(account.photos)])) }
        if !account.others.isEmpty { parts.append(counts("cli.erase.others", account.others)) }
        if !account.exports.isEmpty { parts.append(files("cli.erase.exports", account.exports)) }
        if !account.copies.isEmpty { parts.append(files("cli.erase.copies", account.copies)) }
        return parts.joined(separator: "\n\n")
    }

    private func counts(_ key: String, _ counts: [String: Int]) -> String {
        session.text(key) + "\n" + counts.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }.joined(separator: "\n")
    }

    private func files(_ key: String, _ files: [ErasureAccount.File]) -> String {
        session.text(key) + "\n" + files.map { "  " + $0.path + ($0.time.map { "  " + $0 } ?? "") }.joined(separator: "\n")
    }
}
