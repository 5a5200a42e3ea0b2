import Model
import Replica

/// A replica's status for people.
struct StatusText {
    private let session: CommandSession

    init(_ session: CommandSession) {
        self.session = session
    }

    func text(_ status: ReplicaStatus) -> String {
        var blocks = [session.text("cli.status.title", ["pack": session.text("pack.title"), "environment": session.environment])]
        let told = SyncStatusText(session), sync = status.sync ?? []
        let columns = ["cli.columns.code", "cli.columns.name"] + (told.isTold(sync) ? ["cli.status.sync.last", "cli.status.sync.from"] : [])
        var projects = TextTable(columns.map { session.text($0) }, columns.map { _ in .left })
        for project in status.projects {
            let last = told.isTold(sync) ? told.last(sync.first { $0.projectID == project.id }) : []
            projects.add([project.code, project.name] + last)
        }
        blocks.append(session.text(status.isOfAll ? "cli.status.projects" : "cli.status.members") + "\n" + projects.text)
        var tables = TextTable(
            ["cli.columns.entity", "cli.columns.rows", "cover.sync_states", "cover.states"].map { session.text($0) }, [.left, .right, .left, .left])
        for table in status.tables where table.rows > 0 {
            tables.add([session.text("entity." + table.entity), String(table.rows), Self.counts(table.bySyncState), Self.counts(table.byState)])
        }
        blocks.append(tables.text)
        blocks.append([
            // Files are counted apart, with why they wait.
            session.text("cli.status.queue", ["count": String(status.queue.reduce(0) { $0 + (told.isTold(sync) && $1.key == "UPLOAD" ? 0 : $1.value) })]),
            session.text("cli.status.conflicts", ["count": String(status.openConflicts)]),
            session.text("cli.status.rejects", ["count": String(status.openRejects)]),
        ].joined(separator: "\n"))
        if let exchange = told.exchange(sync) { blocks.append(exchange) }
        if told.isTold(sync), let pending = told.pending(sync) { blocks.append(pending) }
        return blocks.joined(separator: "\n\n")
    }

    private static func counts(_ counts: [String: Int]) -> String {
        counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}
