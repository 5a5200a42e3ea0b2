import Foundation
import Model
import Replica

/// Rejected rows for people.
struct RejectsText {
    private let session: CommandSession

    init(_ session: CommandSession) {
        self.session = session
    }

    func list(_ rows: [RejectedRow]) -> String {
        guard !rows.isEmpty else { return session.text("cli.rejects.none") }
        // For most rows no other rows wait; then this column is left out.
        let hasWaiting = rows.contains { $0.waiting > 0 }
        let names = ["id", "entity", "key", "where", "code", "state"].map { session.text("cli.columns." + $0) }
        var table = TextTable(
            names + (hasWaiting ? [session.text("cli.rejects.waiting_rows")] : []), Array(repeating: .left, count: 6) + (hasWaiting ? [.right] : []))
        for row in rows {
            table.add([
                String(row.id.suffix(8)), row.entity ?? row.place.table ?? "", row.findings.lazy.compactMap(\.place.key).first ?? "", place(row),
                row.findings.map(\.code).joined(separator: ", "), session.text("cli.rejects." + row.state.rawValue),
            ] + (hasWaiting ? [String(row.waiting)] : []))
        }
        return table.text
    }

    /// - Parameter waiting: rows that wait for this row.
    func whole(_ row: RejectedRow, _ waiting: [RejectedRow] = []) -> String {
        var blocks = [list([row]), row.raw, FindingLines(session).text(row.findings, limit: 20).trimmingCharacters(in: .newlines)]
        if !waiting.isEmpty { blocks += [session.text("cli.rejects.wait_for_it", ["count": String(waiting.count)]), list(waiting)] }
        return blocks.joined(separator: "\n\n")
    }

    /// The file's own name: its folder may have been somewhere else at the time.
    private func place(_ row: RejectedRow) -> String {
        let file = row.place.file.map { URL(fileURLWithPath: $0).lastPathComponent } ?? row.source
        return [file, row.place.line.map(String.init), row.place.pointer].compactMap { $0 }.joined(separator: ":")
    }
}
