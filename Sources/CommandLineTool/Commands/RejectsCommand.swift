import ArgumentParser
import Exporting
import Foundation
import Importing
import JSONReading
import Model
import Pipeline
import Recording
import Replica

/// `fichero rejects`: lists, shows, edits, dismisses and retries rejected rows.
struct RejectsCommand: FicheroCommand {
    static let task = CommandTask.bringIn
    static let configuration = CommandConfiguration(
        commandName: "rejects",
        abstract: "Rows that could not be imported: list, show, edit, export, dismiss, retry.",
        discussion: """
            A row that cannot go in is kept with its place and its findings. Edit it and try it again, or dismiss \
            it with a reason. A row is named by its id or the last six or more characters of it.

            Examples:
              fichero rejects
              fichero rejects show 5f0e92
              fichero rejects edit 5f0e92 --set description=Norte
              fichero rejects export -o rejects.xlsx
              fichero rejects retry --from rejects.xlsx
            """,
        subcommands: [List.self, Show.self, Edit.self, Export.self, Dismiss.self, Retry.self],
        defaultSubcommand: List.self)

    /// `fichero rejects list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List rows that wait.",
            discussion: "Example: fichero rejects list --state dismissed")

        @OptionGroup var options: CommonOptions

        @Option(name: .long, help: ArgumentHelp("open, waiting, corrected or dismissed.", valueName: "state"))
        var state: RejectedRow.State = .open

        @Option(
            name: .customLong("import"), help: ArgumentHelp("Only those of one import, by its id.", valueName: "id"))
        var importID: String?

        func run() throws {
            let scene = try RejectsScene(options)
            let rows = scene.shown(
                try scene.replica.rejects(seenBy: scene.context.actor, state: state, importID: importID))
            options.output.show(rows, text: RejectsText(scene.session).list(rows))
        }
    }

    /// `fichero rejects show`
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show a row with what is wrong with it.",
            discussion: "Example: fichero rejects show 5f0e92")

        @OptionGroup var options: CommonOptions
        @Argument(help: ArgumentHelp("The row's id.", valueName: "id")) var id: String

        func run() throws {
            let scene = try RejectsScene(options)
            let found = try scene.row(id)
            let (row, waiting) = (
                scene.shown([found])[0],
                scene.shown(try scene.replica.rejects(waitingFor: [found], seenBy: scene.context.actor))
            )
            options.output.show(
                Shown(row: row, waitingRows: waiting), text: RejectsText(scene.session).whole(row, waiting))
        }
    }

    /// A rejected row, with the other rejected rows that depend on its record.
    private struct Shown: Encodable, Sendable {
        var row: RejectedRow
        var waitingRows: [RejectedRow]

        private enum Key: CodingKey { case waitingRows }

        func encode(to encoder: any Encoder) throws {
            try row.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(waitingRows, forKey: .waitingRows)
        }
    }

    /// `fichero rejects edit`
    struct Edit: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "edit", abstract: "Change values of a row that waits.",
            discussion: "Example: fichero rejects edit 5f0e92 --set description=Norte --set status=BORRADOR")

        @OptionGroup var options: CommonOptions
        @Argument(help: ArgumentHelp("The row's id.", valueName: "id")) var id: String

        @Option(
            name: .long,
            help: ArgumentHelp(
                "A value, as JSON or as plain text; an empty one takes the value away. May be repeated.",
                valueName: "name=value"))
        var set: [String] = []

        @Option(name: .long, help: ArgumentHelp("The whole row anew, as a JSON object.", valueName: "json"))
        var raw: String?

        @Option(name: .long, help: ArgumentHelp("The table that it belongs to.", valueName: "name"))
        var entity: String?

        func run() throws {
            let scene = try RejectsScene(options)
            let row = try scene.row(id)
            try scene.replica.editReject(
                row, raw: try RejectEdit(set: set, raw: raw).applied(to: row, entity: entity, pack: scene.session.pack),
                entity: entity, context: scene.context)
            let edited = try scene.shown([scene.row(row.id)])[0]
            options.output.show(edited, text: RejectsText(scene.session).whole(edited))
        }
    }

    /// `fichero rejects export`
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Write rows that wait to a workbook, to be corrected there.",
            discussion: """
                Correct the values and leave the first column as it is; `fichero rejects retry --from FILE` brings \
                the rows in.

                Example: fichero rejects export -o rejects.xlsx
                """)

        @OptionGroup var options: CommonOptions

        @Option(name: [.short, .customLong("output")], help: ArgumentHelp("The workbook.", valueName: "file"))
        var output: String = "rejects.xlsx"

        @Option(
            name: .customLong("import"), help: ArgumentHelp("Only those of one import, by its id.", valueName: "id"))
        var importID: String?

        struct Result: Encodable, Sendable {
            /// Nil: no row waits, and no file was written.
            var path: String?
            var rows: Int
            var bytes: Int
            var sha256: String?
        }

        func run() throws {
            let scene = try RejectsScene(options)
            let rows = scene.shown(try scene.replica.rejects(seenBy: scene.context.actor, importID: importID))
            try OutputCommit.check(final: output, replacing: .anything(but: scene.session.replicaFiles))
            guard !rows.isEmpty else {
                let nothing = Result(rows: 0, bytes: 0)
                return options.output.show(nothing, text: scene.session.text("cli.rejects.none"))
            }
            try OutputCommit.makeDirectory(for: output)
            let title = scene.session.text("cli.rejects.title")
            let file = try TableWorkbook(
                title: title, tables: RejectSheets(scene.session).tables(rows), asOf: scene.session.asOf
            ).write(to: output)
            try OutputCommit.publish(
                temporary: file.temporaryPath, final: file.finalPath,
                replacing: .anything(but: scene.session.replicaFiles))
            let result = Result(path: file.finalPath, rows: rows.count, bytes: Int(file.bytes), sha256: file.sha256)
            options.output.show(
                result,
                text: scene.session.text("cli.rejects.exported", ["path": file.finalPath, "rows": String(result.rows)]))
        }
    }

    /// `fichero rejects dismiss`
    struct Dismiss: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "dismiss", abstract: "Say that rows, and those that wait for them, are not to come in.",
            discussion: "Example: fichero rejects dismiss 5f0e92 --reason \"test data\"")

        @OptionGroup var options: CommonOptions
        @Argument(help: ArgumentHelp("Ids of rows.", valueName: "id")) var ids: [String]
        @Option(name: .long, help: ArgumentHelp("Why.", valueName: "text")) var reason: String

        func run() throws {
            let scene = try RejectsScene(options)
            let named = try ids.map { try scene.row($0) }
            let rows = try named + scene.replica.rejects(waitingFor: named, seenBy: scene.context.actor)
            for row in rows { try scene.replica.dismissReject(row, reason: reason, context: scene.context) }
            let dismissed = try scene.shown(rows.map { try scene.row($0.id) })
            options.output.show(dismissed, text: RejectsText(scene.session).list(dismissed))
        }
    }

    /// `fichero rejects retry`
    struct Retry: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retry", abstract: "Try rows again: all that wait, or the ones that are named.",
            discussion: "Example: fichero rejects retry 5f0e92")

        @OptionGroup var options: CommonOptions
        @Argument(help: ArgumentHelp("Ids of rows; none: all that wait.", valueName: "id")) var ids: [String] = []

        @Option(name: .long, help: ImportPolicy.help)
        var policy: ImportPolicy = .conflict

        @Option(
            name: .long, help: ArgumentHelp("Why closed records may be changed, and get new parts.", valueName: "text"))
        var reason: String?

        @Option(name: .long, help: ArgumentHelp("Seconds to wait for another run.", valueName: "seconds"))
        var wait: Int = 60

        @Option(
            name: .long,
            help: ArgumentHelp(
                "A workbook of `rejects export`: its corrections are taken, and its rows tried.", valueName: "file"))
        var from: String?

        @Option(
            name: .long,
            help: ArgumentHelp(
                "A folder with photos of the rows, where they are no longer where they came from. May be repeated.",
                valueName: "folder"))
        var photos: [String] = []

        func run() throws {
            let scene = try RejectsScene(options, waiting: wait)
            for folder in photos where !FileManager.default.fileExists(atPath: folder + "/.") {
                throw ImportFailure.notFound(path: folder)
            }
            let rows =
                try from.map { try corrected($0, scene) }
                ?? (ids.isEmpty ? scene.everyRow() : ids.map { try scene.row($0) })
            for row in rows where !row.isOpen { throw RejectFailure.notOpen(row.id) }
            // Other rejected rows that depend on these rows are imported with them.
            let all = try rows + scene.replica.rejects(waitingFor: rows, seenBy: scene.context.actor)
            let result = try RunScope.perform(
                scene.session, scene.replica, scene.context, command: "rejects retry", waitSeconds: wait
            ) { run in
                let result = try RejectRetry(scope: run, policy: policy, reason: reason, photoFolders: photos).run(all)
                let worst = result.findings.map(\.severity).max()
                return (result, FailOn.error.exitCode(for: worst), JSONString.document(result.report))
            }
            options.output.show(result, text: ImportText(scene.session).text(result))
            let exitCode = FailOn.error.exitCode(for: result.findings.map(\.severity).max())
            if exitCode != .done { throw CommandExit(exitCode: exitCode) }
        }

        /// Applies a workbook's corrections and returns the corrected rows; rows that are no longer
        /// open are skipped.
        private func corrected(_ path: String, _ scene: RejectsScene) throws -> [RejectedRow] {
            let corrections = try RejectSheets(scene.session).corrections(in: path) { try scene.row($0) }
            return try corrections.compactMap { correction in
                let row = try scene.row(correction.id)
                guard row.isOpen else { return nil }
                if correction.isChanged {
                    try scene.replica.editReject(row, raw: correction.raw, entity: nil, context: scene.context)
                }
                return try scene.row(correction.id)
            }
        }
    }
}

extension RejectedRow.State: ExpressibleByArgument {}

/// The common beginning of all commands about rejected rows: only actors who may import may see raw
/// rows.
private struct RejectsScene {
    let session: WorkSession
    let replica: Replica
    let context: RunContext

    init(_ options: CommonOptions, waiting seconds: Int = 5) throws {
        session = try WorkSession.existing(options)
        replica = try session.openReplica(waiting: seconds)
        context = session.context(try session.actor(in: replica, to: .import))
    }

    /// All open rows. For administrators, rows of users and memberships are left out: they must be
    /// retried one by one, by id.
    func everyRow() throws -> [RejectedRow] {
        let rows = try replica.rejects(seenBy: context.actor)
        guard context.actor.role.permissions.contains(.administer) else { return rows }
        return rows.filter { row in
            session.pack.entity(row.entity ?? row.place.table ?? "")?.writer != .administrators
        }
    }

    /// Rows as the actor's role may see them.
    func shown(_ rows: [RejectedRow]) -> [RejectedRow] {
        ShownRejects(session, for: context.actor, of: rows).shown(rows)
    }

    func row(_ name: String) throws -> RejectedRow {
        try replica.reject(name, seenBy: context.actor)
    }
}
