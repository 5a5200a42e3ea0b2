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
        var table = TextTable(["id", "entity", "where", "code", "state"].map { session.text("cli.columns." + $0) }, Array(repeating: .left, count: 5))
        for row in rows {
            table.add([
                String(row.id.suffix(8)), row.entity ?? row.place.table ?? "", place(row), row.findings.map(\.code).joined(separator: ", "),
                session.text("cli.rejects." + row.state.rawValue),
            ])
        }
        return table.text
    }

    func whole(_ row: RejectedRow) -> String {
        [list([row]), row.raw, FindingLines(session).text(row.findings, limit: 20)].joined(separator: "\n\n").trimmingCharacters(in: .newlines)
    }

    /// The file's own name: its folder was somewhere else at the time.
    private func place(_ row: RejectedRow) -> String {
        let file = row.place.file.map { URL(fileURLWithPath: $0).lastPathComponent } ?? row.source
        return [file, row.place.line.map(String.init), row.place.pointer].compactMap { $0 }.joined(separator: ":")
    }
}
