import Model
import Replica
import Validating

/// Finds records with errors that are not accepted.
struct RecordFindings {
    private let run: ChangeRun

    init(_ run: ChangeRun) { self.run = run }

    /// Throws `ChangeStatementFailure.findings` if there are any.
    func ensureNone(_ records: [(entity: Entity, id: String)], movingTo state: String) throws {
        let found = try faulty(records, movingTo: state)
        if !found.isEmpty { throw ChangeStatementFailure.findings(records: found) }
    }

    /// `C-05 (PIT-GAP, PIT-TOTAL)` for each record with errors, where the state is one of those by
    /// which somebody vouches for it.
    private func faulty(_ records: [(entity: Entity, id: String)], movingTo state: String) throws -> [String] {
        guard records.contains(where: { $0.entity.states?.approves.contains(state) == true }) else { return [] }
        let session = run.session
        // Other projects do not affect these records.
        let projects = try Set(records.compactMap { try run.replica.projectCode(of: $0.entity, id: $0.id) }).sorted()
        let reading = try ReadSession(
            path: session.replicaPath, pack: session.pack, actor: run.actor, projects: projects, timeZone: session.timeZone, asOf: session.asOf)
        let ids = Set(records.map(\.id)), roots = Set(records.map(\.entity.name))
        _ = try session.validate(reading, keepingIn: run.replica)
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
}
