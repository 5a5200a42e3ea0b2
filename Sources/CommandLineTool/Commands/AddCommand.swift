import ArgumentParser
import Foundation
import Importing
import Model

/// `fichero add`: makes a new record, or a part of one.
struct AddCommand: FicheroCommand {
    static let task = CommandTask.change
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Make a new record, or a part of one.",
        discussion: """
            A record belongs to the project that --project names, a part to the record that --in names. It begins in the state in which \
            records begin, and waits to go up. `fichero describe` names the tables and their fields.

            Examples:
              fichero add TABLE --project CSM-2025 --set code=C-31 --set description="left lane"
              fichero add PART --in C-31 --set description="brown clay"
              fichero add document_nodes --project CSM-2025 --file plan.pdf --set type=file
            """)

    @OptionGroup var options: CommonOptions
    @OptionGroup var change: ChangeOptions

    @Argument(help: ArgumentHelp("The table.", valueName: "table"))
    var entity: String

    @Option(name: .customLong("in"), help: ArgumentHelp("The record that it is a part of: code or id.", valueName: "record"))
    var owner: String?

    @Option(name: .long, help: ArgumentHelp("A value. May be repeated.", valueName: "field=value"))
    var set: [String] = []

    @Option(name: .long, help: ArgumentHelp("The file that the row stands for, such as a photo or a document. It is kept beside the replica.", valueName: "file"))
    var file: String?

    func run() throws {
        let run = try ChangeRun(options, change, may: .edit)
        // Files that are shared with everybody are made here as well, by administrators.
        let known = run.session.pack.entities.filter { $0.writer == .people || ($0.writer == .administrators && $0.fileFolder != nil) }
        guard let entity = known.first(where: { $0.name == entity || $0.aliases.contains(entity) }) else {
            throw ChangeStatementFailure.unknownEntity(entity, known: known.map(\.name))
        }
        var values = try set.map { try run.value($0, of: entity) }
        func add(_ field: String, _ value: @autoclosure () throws -> String?) rethrows {
            guard entity.field(field) != nil, !values.contains(where: { $0.field == field }), let value = try value() else { return }
            values.append((field, value))
        }
        // The new row's owner, author and time.
        if let path = entity.projectPath?.parts.first, path != "id", let target = entity.field(path)?.references { try add(path, ownerID(target, of: entity, run)) }
        if let states = entity.states { add(states.field, states.initial) }
        if entity.field("created_by")?.references == "profiles" { add("created_by", run.actor.id) }
        for field in ["created_at", "updated_at"] { add(field, Timestamp.format(run.session.asOf)) }
        if let file {
            for (field, value) in try StatedFile(file, of: entity).keep(beside: run.session.replicaPath, isNew: true, isDryRun: change.dryRun) { add(field, value) }
        }
        let id = UUIDv7.make(at: Date())
        let row = StatedRows.Row(entity: entity.name, id: id, values: values)
        try run.perform("add", [row], permission: entity.writer == .administrators ? .administer : .edit)
    }

    private func ownerID(_ target: String, of entity: Entity, _ run: ChangeRun) throws -> String? {
        if target == run.session.pack.project.entity {
            guard change.project != nil || run.projects.count == 1 else { throw ChangeStatementFailure.noOwner(entity: entity.name, owner: "--project") }
            return run.projects[0]
        }
        guard let owner else { throw ChangeStatementFailure.noOwner(entity: entity.name, owner: "--in") }
        let found = try run.record(owner)
        guard found.entity.name == target else { throw ChangeStatementFailure.noOwner(entity: entity.name, owner: "--in (\(target))") }
        return found.id
    }
}
