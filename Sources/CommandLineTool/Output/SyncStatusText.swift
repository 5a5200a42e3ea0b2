import Foundation
import Model
import Pipeline
import Replica

/// The sync status of projects, formatted for display; empty sections are left out.
struct SyncStatusText {
    private let session: WorkSession

    init(_ session: WorkSession) { self.session = session }

    /// Whether the sync status is shown: a central database is configured or was used before.
    func isTold(_ sync: [SyncStatus]) -> Bool {
        if case .postgres = session.syncing.remote { return true }
        return sync.contains { !$0.pulled.isEmpty }
    }

    /// The events, files and unacknowledged packages of each project; nil if no packages are
    /// exchanged.
    func exchange(_ sync: [SyncStatus]) -> String? {
        let told = sync.compactMap { status in status.exchange.map { (status.project ?? "", $0) } }
        guard session.syncing.packages != nil || told.contains(where: { !$0.1.batches.isEmpty }), !told.isEmpty
        else { return nil }
        let columns = ["waiting", "sent", "acknowledged", "files", "done"].map {
            session.text("cli.status.exchange." + $0)
        }
        var table = TextTable(
            [session.text("cli.columns.project")] + columns, [.left, .right, .right, .right, .right, .left])
        var lines: [String] = []
        for (project, status) in told {
            table.add(
                [project] + [status.waiting, status.sent, status.acknowledged].map(String.init)
                    + ["\(status.filesThere)/\(status.files)", session.text(status.isSynced ? "word.yes" : "word.no")])
            for batch in status.batches {
                let time =
                    Timestamp.parse(batch.madeAt).map { OfficeDay.time(of: $0, in: session.timeZone) } ?? batch.madeAt
                lines.append(
                    session.text(
                        "cli.status.exchange.batch",
                        ["project": project, "count": String(batch.waiting), "time": time, "file": batch.file]))
            }
        }
        return ([table.text(first: Self.most, session)] + lines.prefix(Self.most)).joined(separator: "\n")
    }

    /// The most lines of one table: an office may have a thousand projects. `--json` has them all.
    static let most = 20

    /// The last sync of a project: its time and age, and the remote's name.
    func last(_ status: SyncStatus?) -> [String] {
        guard let status, status.isOffline else { return [session.text("cli.status.sync.notOffline"), ""] }
        guard let pull = status.pulled.first else { return [session.text("cli.status.sync.never"), ""] }
        guard let time = Timestamp.parse(pull.at) else { return [pull.at, pull.remote] }
        return [OfficeDay.time(of: time, in: session.timeZone) + age(of: time), pull.remote]
    }

    /// ` (3 h ago)`; empty if the clock was set back since.
    private func age(of time: Date) -> String {
        let minutes = Int(session.asOf.timeIntervalSince(time) / 60)
        guard minutes >= 0 else { return "" }
        let (unit, count) =
            minutes < 120 ? ("minutes", minutes) : minutes < 2880 ? ("hours", minutes / 60) : ("days", minutes / 1440)
        return " (" + session.text("cli.status.sync.ago." + unit, ["count": String(count)]) + ")"
    }

    /// The changes that a sync would not send yet: the reason, the number, and the time of the next
    /// attempt.
    func held(_ push: PushSummary) -> [(text: String, count: Int, until: String)] {
        PushHoldReason.allCases.compactMap { reason in
            let held = push.held.filter { $0.reason == reason }
            let until = held.compactMap(\.until).min().flatMap(Timestamp.parse).map {
                session.text("cli.status.sync.until", ["time": OfficeDay.minute(after: $0, in: session.timeZone)])
            }
            return held.isEmpty
                ? nil
                : (
                    session.text("cli.status.sync.held." + reason.rawValue), held.reduce(0) { $0 + $1.count },
                    until ?? ""
                )
        }
    }

    /// The waiting, failed, blocked and conflicting changes of each project; nil if there are none.
    func pending(_ sync: [SyncStatus]) -> String? {
        var table = TextTable(
            ["cli.columns.project", "cli.status.sync.pending", "cli.columns.count", ""].map {
                $0.isEmpty ? "" : session.text($0)
            }, [.left, .left, .right, .left])
        for status in sync {
            let project = status.project ?? session.text("cli.status.sync.none")
            func add(_ text: String, _ count: Int, _ when: String = "") {
                if count > 0 { table.add([project, text, String(count), when]) }
            }
            add(session.text("cli.status.sync.waiting"), status.push.waiting.reduce(0) { $0 + $1.count })
            add(session.text("cli.status.sync.logs"), status.push.logs)
            for failed in status.push.failed {
                let since = Timestamp.parse(failed.since).map {
                    session.text("cli.status.sync.since", ["time": OfficeDay.time(of: $0, in: session.timeZone)])
                }
                add(session.text("cli.status.sync.failed.\(failed.kind.rawValue)"), failed.count, since ?? "")
            }
            for (text, count, until) in held(status.push) { add(text, count, until) }
            add(session.text("cli.status.sync.conflicts"), status.openConflicts)
            let wait = TransferObstacle(session)?.text(session) ?? ""
            add(session.text("cli.status.sync.filesToSend"), status.filesToSend, wait)
            add(session.text("cli.status.sync.filesToFetch"), status.filesToFetch, wait)
        }
        return table.isEmpty ? nil : table.text(first: Self.most, session)
    }
}

extension TransferObstacle {
    /// The obstacle formatted for display.
    func text(_ session: WorkSession) -> String {
        switch self {
        case .noStorage: session.text("cli.files.noStorage")
        case .network(nil, let allowed): session.text("cli.files.noNetwork", ["allowed": names(allowed, session)])
        case .network(let kind?, let allowed):
            session.text(
                "cli.files.network",
                ["network": session.text("cli.network." + kind.rawValue), "allowed": names(allowed, session)])
        }
    }

    private func names(_ kinds: [NetworkKind], _ session: WorkSession) -> String {
        kinds.map { session.text("cli.network." + $0.rawValue) }.joined(separator: ", ")
    }
}

/// A replica's status, formatted for display.
struct StatusText {
    private let session: WorkSession

    init(_ session: WorkSession) {
        self.session = session
    }

    func text(_ status: ReplicaStatus) -> String {
        var blocks = [
            session.text("cli.status.title", ["pack": session.text("pack.title"), "environment": session.environment])
        ]
        let told = SyncStatusText(session), sync = status.sync ?? []
        let columns =
            ["cli.columns.code", "cli.columns.name"]
            + (told.isTold(sync) ? ["cli.status.sync.last", "cli.status.sync.from"] : [])
        var projects = TextTable(columns.map { session.text($0) }, columns.map { _ in .left })
        for project in status.projects {
            let last = told.isTold(sync) ? told.last(sync.first { $0.projectID == project.id }) : []
            projects.add([project.code, project.name] + last)
        }
        blocks.append(
            session.text(status.isOfAll ? "cli.status.projects" : "cli.status.members") + "\n"
                + projects.text(first: SyncStatusText.most, session))
        var tables = TextTable(
            ["cli.columns.entity", "cli.columns.rows", "cover.sync_states", "cover.states"].map { session.text($0) },
            [.left, .right, .left, .left])
        let words = RecordWords(session)
        for table in status.tables where table.rows > 0 {
            let entity = session.pack.entity(table.entity)
            let states = entity?.states.flatMap { entity?.field($0.field)?.vocabulary }
            tables.add([
                words.tables(table.entity), String(table.rows), words.counts(table.bySyncState, of: "sync_state"),
                words.counts(table.byState, of: states),
            ])
        }
        blocks.append(tables.text)
        blocks.append(
            [
                // Files are counted separately, with the reason why they wait.
                session.text(
                    "cli.status.queue",
                    [
                        "count": String(
                            status.queue.reduce(0) { $0 + (told.isTold(sync) && $1.key == "UPLOAD" ? 0 : $1.value) })
                    ]),
                session.text("cli.status.conflicts", ["count": String(status.openConflicts)]),
                session.text("cli.status.rejects", ["count": String(status.openRejects)]),
            ].joined(separator: "\n"))
        if let exchange = told.exchange(sync) { blocks.append(exchange) }
        if told.isTold(sync), let pending = told.pending(sync) { blocks.append(pending) }
        return blocks.joined(separator: "\n\n")
    }
}
