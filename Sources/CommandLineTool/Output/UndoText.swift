import Model
import Replica

/// What an undo did, for people.
struct UndoText {
    private let session: CommandSession

    init(_ session: CommandSession) {
        self.session = session
    }

    func text(_ report: UndoAccount) -> String {
        var table = TextTable(
            [session.text("cli.columns.entity"), session.text("cli.undo.columns.removed"), session.text("cli.undo.columns.restored")],
            [.left, .right, .right])
        for line in report.lines { table.add([line.entity, String(line.removed), String(line.restored)]) }
        return [session.text("cli.undo.done", ["source": report.source, "import": report.importID]), table.text].joined(separator: "\n\n")
    }
}
