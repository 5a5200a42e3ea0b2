import ArgumentParser
import Foundation
import Model
import Pipeline
import Replica

/// `fichero history`: what people did, newest first; the life of one record; or the books as they
/// are.
struct HistoryCommand: FicheroCommand {
    static let task = CommandTask.look
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Who did what, when and why, newest first; or the life of a record.",
        discussion: """
            With a record, by its id or its code, it shows what became of the record and its parts. With a list \
            (changes, runs, exports, activity) it shows these entries with their ids. --raw shows all lists, or for \
            each value of a record the import that set it last: file, SHA-256, sheet, row, time.

            Examples:
              fichero history
              fichero history C-12 --project CHU-2025
              fichero history C-12 --project CHU-2025 --raw
              fichero history changes
              fichero history exports --project CHU-2025 --limit 20
            """)

    enum Kind: String, CaseIterable {
        case changes, runs, exports, activity
    }

    @OptionGroup var options: CommonOptions

    @Argument(
        help: ArgumentHelp("A record; or a list: changes, runs, exports, activity.", valueName: "what"),
        completion: .names(of: .records))
    var what: String?

    @Option(
        name: .long, help: ArgumentHelp("Only what belongs to this project.", valueName: "code"),
        completion: .names(of: .projects))
    var project: String?

    @Option(name: .long, help: ArgumentHelp("How many acts, or how many of each list.", valueName: "n"))
    var limit: Int = 20

    @Flag(name: .long, help: "The entries as they are stored, with ids and paths.")
    var raw = false

    func validate() throws {
        if limit < 0 { throw ValidationError("--limit counts from 0.") }
    }

    func run() throws {
        let session = try WorkSession.existing(options)
        let replica = try session.openReplica()
        let actor = try session.actor(in: replica, to: .read)
        let projects = try session.workProjectIDs(of: actor, project, replica)
        let kind = what.flatMap(Kind.init)
        if let what, kind == nil {
            if raw {
                let record = try replica.provenance(of: what, projectIDs: projects, actor: actor)
                options.output.show(record, text: RecordHistoryText(session).text(record))
            } else {
                let life = try replica.life(of: what, projectIDs: projects, actor: actor)
                var newest = life
                newest.acts = Array(life.acts.prefix(limit))
                options.output.show(newest, text: ActText(session).text(life, first: limit))
            }
            return
        }
        guard raw || kind != nil else {
            let acts = try replica.acts(
                projectIDs: projects, isOfAll: project == nil, limit: limit, reader: actor)
            options.output.show(["acts": acts], text: ActText(session).text(acts))
            return
        }
        let history = try replica.history(projectIDs: projects, limit: limit, reader: actor)
        let text = HistoryText(session).text(history, kind: kind)
        switch kind {
        case nil: options.output.show(history, text: text)
        case .changes: options.output.show(["changes": history.changes], text: text)
        case .runs: options.output.show(["runs": history.runs], text: text)
        case .exports: options.output.show(["exports": history.exports], text: text)
        case .activity: options.output.show(["activity": history.activity], text: text)
        }
    }
}

/// Changes, runs, exports and activity, formatted for display: newest first, in the office's time
/// zone.
struct HistoryText {
    private let session: WorkSession

    init(_ session: WorkSession) {
        self.session = session
    }

    func text(_ history: ReplicaHistory, kind: HistoryCommand.Kind?) -> String {
        var blocks: [String] = []
        if kind == nil || kind == .changes, !history.changes.isEmpty { blocks.append(changes(history.changes)) }
        if kind == nil || kind == .runs, !history.runs.isEmpty { blocks.append(runs(history.runs)) }
        if kind == nil || kind == .exports, !history.exports.isEmpty { blocks.append(exports(history.exports)) }
        if kind == nil || kind == .activity, !history.activity.isEmpty { blocks.append(activity(history.activity)) }
        return blocks.isEmpty ? session.text("cli.history.none") : blocks.joined(separator: "\n\n")
    }

    private func columns(_ names: String...) -> [String] { names.map { session.text("cli.columns." + $0) } }

    private func time(written: String?, stated: String) -> String {
        TwoClocks(session: session).time(written: written, stated: stated)
    }

    private func runs(_ runs: [PipelineRun]) -> String {
        var table = TextTable(columns("when", "what", "state", "code"), [.left, .left, .left, .right])
        for run in runs {
            table.add([
                time(written: run.startedAt, stated: run.asOf),
                [run.command, run.job].compactMap { $0 }.joined(separator: " "),
                session.text("cli.history.run." + run.state.rawValue),
                run.exitCode.map(String.init) ?? "",
            ])
        }
        return table.text
    }

    private func changes(_ changes: [ReplicaHistory.Change]) -> String {
        var table = TextTable(
            columns("when", "who", "import", "what", "state", "reason"), Array(repeating: .left, count: 6))
        for change in changes {
            let who = change.actorEmail ?? change.actorID.map { "…" + $0.suffix(8) } ?? ""
            let state = change.undoneAt == nil ? "" : session.text("cli.history.undone")
            table.add([
                time(written: change.writtenAt, stated: change.time), who, String(change.id.suffix(8)), change.source,
                state, change.reason ?? "",
            ])
        }
        return table.text
    }

    private func exports(_ exports: [RegisteredExport]) -> String {
        var table = TextTable(
            columns("when", "who", "project", "line", "path", "version", "rows", "bytes", "state", "sha256"),
            [.left, .left, .left, .left, .left, .right, .right, .right, .left, .left])
        for export in exports {
            table.add([
                time(written: export.finishedAt, stated: export.asOf),
                export.actorEmail ?? export.actorID.map { "…" + $0.suffix(8) } ?? "", export.project ?? "",
                line(export),
                export.fileName, String(export.version), String(export.rows), String(export.bytes),
                RecordWords(session).word(export.status, of: "export_status"),
                String(export.sha256.prefix(12)),
            ])
        }
        return table.text
    }

    /// The delivery line of the file (its series of versions), and the selection if the line's name
    /// does not contain the selection.
    private func line(_ export: RegisteredExport) -> String {
        let line = export.line ?? ""
        guard !line.hasPrefix("selection:") else {
            return line == "selection:" ? session.text("cover.all") : String(line.dropFirst(10))
        }
        let selection = export.selection.flatMap {
            try? JSONDecoder().decode(SelectionRequest.self, from: Data($0.utf8))
        }
        return ([line] + (selection?.parts ?? [])).joined(separator: " ")
    }

    private func activity(_ activity: [ReplicaHistory.Activity]) -> String {
        var table = TextTable(columns("when", "who", "what", "entity"), [.left, .left, .left, .left])
        for entry in activity {
            let action = session.pack.texts.textIfAny("action." + entry.action, in: session.language) ?? entry.action
            table.add([
                time(written: entry.writtenAt, stated: entry.createdAt),
                entry.actorEmail ?? entry.actorID.map { "…" + $0.suffix(8) } ?? "",
                entry.isClaimed ? session.text("cli.history.claimed", ["action": action]) : action,
                [entry.entity.map(RecordWords(session).table), entry.entityID].compactMap { $0 }.joined(separator: " "),
            ])
        }
        return table.text
    }
}

/// The machine's time at which something was written, and its run's time if that differs
/// (`--as-of`).
struct TwoClocks {
    let session: WorkSession

    /// Smaller differences in seconds are ignored: a long run records the time of its start.
    private static let longRun = 60.0

    func time(written: String?, stated: String) -> String {
        guard let written, let clock = Timestamp.parse(written) else { return time(stated) }
        guard let date = Timestamp.parse(stated), abs(clock.timeIntervalSince(date)) >= Self.longRun else {
            return time(written)
        }
        return session.text("cli.history.as_of", ["written": time(written), "stated": time(stated)])
    }

    func time(_ stored: String) -> String {
        Timestamp.parse(stored).map { OfficeDay.time(of: $0, in: session.timeZone) } ?? stored
    }
}

/// The origin of a record's values, formatted for display: one line for each value.
struct RecordHistoryText {
    private let session: WorkSession

    init(_ session: WorkSession) {
        self.session = session
    }

    func text(_ record: RecordHistory) -> String {
        var lines = ["\(record.entity) \(record.key ?? record.id)  \(record.key == nil ? "" : record.id)"]
        if record.isChangedSince { lines.append(session.text("cli.history.changed_since")) }
        let names = ["field", "value", "path", "sheet", "row", "when", "import", "sha256"]
        var table = TextTable(
            names.map { session.text("cli.columns." + $0) }, [.left, .left, .left, .left, .right, .left, .left, .left])
        let clocks = TwoClocks(session: session)
        for value in record.values {
            let time = value.importedAt.map { clocks.time(written: value.writtenAt, stated: $0) }
            table.add([
                value.field, RecordWords.short(value.value, most: 40),
                value.isOwn ? session.text("cli.history.own") : value.file ?? "",
                value.sheet ?? "", value.row.map(String.init) ?? "", time ?? "",
                value.importID.map { String($0.suffix(8)) } ?? "", value.sha256.map { String($0.prefix(12)) } ?? "",
            ])
        }
        return (lines + ["", table.text]).joined(separator: "\n")
    }
}
