import ArgumentParser
import Importing
import Model
import Replica
import Validating

/// `fichero review`: moves records to another state, as the role may, where nothing stands in the way.
struct ReviewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "Move records to another state: send to review, approve, observe.",
        discussion: """
            Which role may make which move stands in the pack. Records with findings of severity error that nobody accepted are not \
            moved to a state further on; the findings are told. All records move, or none.

            Examples:
              fichero review C-05 C-06 --to APROBADO
              fichero review C-07 --to OBSERVADO --reason "water level missing"
            """)

    @OptionGroup var options: CommonOptions
    @OptionGroup var change: ChangeOptions

    @Argument(help: ArgumentHelp("Records: codes or ids.", valueName: "record"))
    var records: [String]

    @Option(name: .long, help: ArgumentHelp("The state that they move to.", valueName: "state"))
    var to: String

    func run() throws {
        let run = try ChangeRun(options, change, may: .read)
        let found = try records.map { try run.record($0) }
        let rows = try found.map { entity, id in
            guard let field = entity.states?.field else { throw ChangeStatementFailure.noState(entity.name) }
            return StatedRows.Row(entity: entity.name, id: id, values: [(field, to)])
        }
        let faulty = try RecordFindings(run).faulty(found, movingTo: to)
        guard faulty.isEmpty else { throw ChangeStatementFailure.findings(records: faulty) }
        try run.perform("review", rows, permission: .read)
    }
}

/// Which of some records have errors that nobody accepted.
private struct RecordFindings {
    private let run: ChangeRun

    init(_ run: ChangeRun) { self.run = run }

    /// `C-05 (PIT-GAP, PIT-TOTAL)` for each record with errors that is to move further on in the order of states.
    func faulty(_ records: [(entity: Entity, id: String)], movingTo state: String) throws -> [String] {
        let session = run.session
        let reading = try ReadSession(
            path: session.replicaPath, pack: session.pack, actor: run.actor, projects: run.options.project.map { [$0] } ?? [],
            timeZone: session.timeZone, asOf: session.asOf)
        let ids = Set(records.map(\.id)), roots = Set(records.map(\.entity.name))
        guard records.contains(where: { isFurther($0.entity, state) }) else { return [] }
        _ = try session.validator.validate(reading, into: reading.findings)
        var found: [String] = []
        for kind in session.pack.records where roots.contains(kind.root) {
            for project in reading.projects {
                var request = SelectionRequest()
                request.syncStates = SyncState.allCases
                _ = try reading.select(kind, in: project, request, hasRemote: session.hasRemote)
                guard try reading.withholdRecordsWithErrors() > 0 else { continue }
                found += try reading.leftOut(limit: -1).filter { ids.contains($0.id) && $0.reason == .findings }.map { "\($0.key) (\($0.detail))" }
            }
        }
        return found
    }

    /// Who sends a record back to be mended needs no record without faults.
    private func isFurther(_ entity: Entity, _ state: String) -> Bool {
        guard let states = entity.states else { return false }
        return states.initial != state && !states.transitions.contains { $0.from == state && $0.to == states.initial }
    }
}
