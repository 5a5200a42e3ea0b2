import Foundation
import Model
import Replica

/// Where the values of a record come from, for people: one line for each value.
struct RecordHistoryText {
    private let session: CommandSession

    init(_ session: CommandSession) {
        self.session = session
    }

    func text(_ record: RecordHistory) -> String {
        var lines = ["\(record.entity) \(record.key ?? record.id)  \(record.key == nil ? "" : record.id)"]
        if record.isChangedSince { lines.append(session.text("cli.history.changed_since")) }
        let names = ["field", "value", "path", "sheet", "row", "when", "import", "sha256"]
        var table = TextTable(names.map { session.text("cli.columns." + $0) }, [.left, .left, .left, .left, .right, .left, .left, .left])
        let clocks = TwoClocks(session: session)
        for value in record.values {
            let time = value.importedAt.map { clocks.time(written: value.writtenAt, stated: $0) }
            table.add([
                value.field, Self.short(value.value), value.isOwn ? session.text("cli.history.own") : value.file ?? "", value.sheet ?? "", value.row.map(String.init) ?? "", time ?? "",
                value.importID.map { String($0.suffix(8)) } ?? "", value.sha256.map { String($0.prefix(12)) } ?? "",
            ])
        }
        return (lines + ["", table.text]).joined(separator: "\n")
    }

    /// A line of a table cannot hold a paragraph; `--json` shows the whole value.
    private static func short(_ value: String) -> String {
        let line = value.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count > 40 ? line.prefix(39) + "…" : line
    }
}
