import ArgumentParser
import Foundation
import Importing
import Model
import Pipeline
import Replica

private var conflictHelp: ArgumentHelp { ArgumentHelp("The conflict's id, or its record.", valueName: "conflict") }

/// `fichero conflicts`: lists rows with two conflicting versions, compares the versions and
/// resolves the conflicts.
struct ConflictsCommand: FicheroCommand {
    static let task = CommandTask.bringIn
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "Rows of which two versions wait for a decision: list, show, keep, merge.",
        discussion: """
            A conflict is named by its id, the last six or more characters of it, or by the record. What is kept \
            goes up like any change, and stays in the log; fichero undo opens the conflict again.

            Examples:
              fichero conflicts
              fichero conflicts show C-05
              fichero conflicts keep C-05 theirs
              fichero conflicts keep C-05 name=theirs description=mine
              fichero conflicts merge C-05
            """,
        subcommands: [List.self, Show.self, Keep.self, Merge.self], defaultSubcommand: List.self)

    /// `fichero conflicts list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List conflicts.", discussion: "Example: fichero conflicts list --all")

        @OptionGroup var options: CommonOptions

        @Option(
            name: .long, help: ArgumentHelp("Only those of this project.", valueName: "code"),
            completion: .names(of: .projects))
        var project: String?

        @Flag(name: .long, help: "Also those that were decided.")
        var all = false

        func run() throws {
            let session = try WorkSession.existing(options)
            let replica = try session.openReplica()
            let actor = try session.actor(in: replica, to: .read)
            let found = try replica.conflicts(
                projectIDs: session.workProjectIDs(of: actor, project, replica), reader: actor, isOpen: !all)
            options.output.show(found, text: ConflictsText(session).list(found))
        }
    }

    /// `fichero conflicts show`
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show both versions side by side.",
            discussion: "Example: fichero conflicts show C-05")

        @OptionGroup var options: CommonOptions

        @Argument(help: conflictHelp, completion: .names(of: .records))
        var name: String

        @Option(
            name: .long, help: ArgumentHelp("Only those of this project.", valueName: "code"),
            completion: .names(of: .projects))
        var project: String?

        func run() throws {
            let session = try WorkSession.existing(options)
            let replica = try session.openReplica()
            let actor = try session.actor(in: replica, to: .read)
            let found = try replica.conflict(
                named: name, projectIDs: session.workProjectIDs(of: actor, project, replica), reader: actor)
            options.output.show(found, text: ConflictsText(session).whole(found))
        }
    }

    /// `fichero conflicts keep`
    struct Keep: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keep", abstract: "Decide what is kept: local, theirs, or field by field.",
            discussion: """
                With fields, every other one is as merge makes it: what only the other side changed is taken. Where \
                both did, or where it is not known how the record was before, each has to be said: mine, theirs, or \
                another value that is written out. Whoever may edit and not resolve may take theirs in the place of \
                a change of their own.

                Examples:
                  fichero conflicts keep C-05 theirs --reason "the field book agrees"
                  fichero conflicts keep C-05 name=theirs
                """)

        private static let command = "conflicts keep"

        @OptionGroup var options: CommonOptions
        @OptionGroup var change: ChangeOptions

        @Argument(help: conflictHelp, completion: .names(of: .records))
        var name: String

        @Argument(help: ArgumentHelp("local, theirs, or FIELD=mine|theirs|VALUE.", valueName: "what"))
        var kept: [String]

        func run() throws {
            let run = try ChangeRun(options, change, may: .read)
            let (conflict, entity) = try run.openConflict(name, of: Self.command)
            let (side, values) = try decision(conflict, entity, run)
            // Editors may give up a local change; the check before writing ensures that they made
            // it themselves.
            let permission =
                side == .remote && !run.actor.role.permissions.contains(.resolve) ? Permission.edit : .resolve
            try run.actor.ensure(may: permission)
            let row = EnteredRows.Row(
                entity: conflict.entity, id: conflict.rowID, values: values,
                isDeletion: side == .remote && conflict.isDeletion)
            // A row that was removed from the replica stays removed.
            let rows = try side == .local && !run.replica.hasRow(of: conflict) ? [] : [row]
            let decision = ConflictDecision(conflictID: conflict.id, side: side)
            try options.show(
                run.perform(Self.command, rows, permission: permission, ending: decision), of: run)
        }

        private func decision(_ conflict: RowConflict, _ entity: Entity, _ run: ChangeRun) throws -> (
            ConflictDecision.Side, [(field: String, value: String?)]
        ) {
            switch kept {
            case ["local"], ["mine"]: return (.local, [])
            case ["theirs"], ["remote"]:
                return (.remote, conflict.isDeletion ? [] : try run.replica.remoteValues(of: conflict))
            default: break
            }
            return (.merged, try run.merged(kept, entity, conflict))
        }
    }

    /// `fichero conflicts merge`
    struct Merge: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "merge", abstract: "Take what only the other side changed, and keep what only this one did.",
            discussion: """
                Where both changed a field, each in its way, it has to be said which counts: mine, theirs, or \
                another value. Where it is not known how the record was before, this is so for each field that \
                differs.

                Examples:
                  fichero conflicts merge C-05 --dry-run
                  fichero conflicts merge C-05 name=theirs
                """)

        private static let command = "conflicts merge"

        @OptionGroup var options: CommonOptions
        @OptionGroup var change: ChangeOptions

        @Argument(help: conflictHelp, completion: .names(of: .records))
        var name: String

        @Argument(help: ArgumentHelp("FIELD=mine|theirs|VALUE, for fields that both changed.", valueName: "what"))
        var decided: [String] = []

        func run() throws {
            let run = try ChangeRun(options, change, may: .resolve)
            let (conflict, entity) = try run.openConflict(name, of: Self.command)
            let row = EnteredRows.Row(
                entity: conflict.entity, id: conflict.rowID, values: try run.merged(decided, entity, conflict))
            let decision = ConflictDecision(conflictID: conflict.id, side: .merged)
            try options.show(
                run.perform(Self.command, [row], permission: .resolve, ending: decision), of: run)
        }
    }
}

extension ChangeRun {
    /// The conflict with a given name, and the entity of its record. Throws if the conflict is not
    /// open; the error shows if a killed run already made the decision.
    fileprivate func openConflict(_ name: String, of command: String) throws -> (RowConflict, Entity) {
        let conflict: RowConflict
        do {
            conflict = try replica.conflict(named: name, projectIDs: projects, reader: actor)
        } catch let failure as ConflictFailure where failure.isUnknown {
            try ensureUnreported(command) { change in
                try replica.conflicts(projectIDs: projects, reader: actor, isOpen: false).contains {
                    change.decided($0) && $0.isOf(record: name)
                }
            }
            throw failure
        }
        guard conflict.status == "open" else {
            try ensureUnreported(command) { $0.decided(conflict) }
            throw ConflictFailure.notOpen(conflict.id)
        }
        guard let entity = session.pack.entity(conflict.entity) else { throw ConflictFailure.unknown(name) }
        return (conflict, entity)
    }

    /// The values that a merge changes in the replica: the decided fields, and those that only the
    /// sync partner changed. Throws if a field that both changed is not decided. If the common
    /// earlier version is unknown, every differing field counts as changed by both sides.
    fileprivate func merged(_ statements: [String], _ entity: Entity, _ conflict: RowConflict) throws -> [(
        field: String, value: String?
    )] {
        let decided = try decided(statements, entity, conflict, theirs: replica.remoteValues(of: conflict))
        let merged: (theirs: [(field: String, value: String?)], both: [String]) =
            conflict.hasBase || statements.isEmpty
            ? try replica.merge(of: conflict) : ([], conflict.differences.map(\.field))
        let open = merged.both.filter { field in !decided.contains { $0.field == field } }
        guard open.isEmpty else {
            let shown = open.map { name in
                entity.field(name).map { actor.sees($0, of: session.pack) } == true ? name : Pack.hiddenValue
            }
            throw ConflictFailure.bothChanged(conflict.key ?? conflict.id, fields: shown)
        }
        return merged.theirs.filter { theirs in !decided.contains { $0.field == theirs.field } }
            + decided.compactMap(\.value)
    }

    /// Parses `FIELD=mine|theirs|VALUE`. Returns each field with its new value; nil if the
    /// replica's value stays.
    fileprivate func decided(
        _ statements: [String], _ entity: Entity, _ conflict: RowConflict, theirs: [(field: String, value: String?)]
    ) throws -> [(field: String, value: (field: String, value: String?)?)] {
        try statements.map { statement in
            guard let (field, value) = try? value(statement, of: entity) else {
                throw ConflictFailure.noField(
                    String(statement.prefix { $0 != "=" }), fields: conflict.differences.map(\.field))
            }
            switch value {
            case "mine", "local": return (field, nil)
            case "theirs", "remote": return (field, theirs.first { $0.field == field })
            default: return (field, (field, value))
            }
        }
    }
}
