import Model
import Replica
import Validating

/// Judges, before they are sent, the records with changes that wait. Records with errors are told
/// and go all the same: a draft has gaps by its nature, and is safer there than here alone.
struct WaitingRecordErrors {
    private let session: CommandSession
    private let replica: Replica
    private let actor: Actor

    private static let limit = 100

    init(_ session: CommandSession, _ replica: Replica, _ actor: Actor) {
        (self.session, self.replica, self.actor) = (session, replica, actor)
    }

    func report(_ findings: any FindingSink) throws {
        guard actor.role.permissions.contains(.sync) else { return }
        let changed = try session.pack.records.map { ($0, try replica.recordsWithChanges($0)) }.filter { !$0.1.isEmpty }
        guard !changed.isEmpty else { return }
        let reading = try ReadSession(
            path: session.replicaPath, pack: session.pack, actor: actor, projects: [], timeZone: session.timeZone, asOf: session.asOf)
        // What was judged before and has not changed is not judged again.
        _ = try session.validate(reading, keepingIn: replica)
        for (kind, waiting) in changed {
            for record in try reading.recordsWithErrors(of: kind, among: waiting).prefix(Self.limit) {
                let place = Place(table: kind.root, id: record.id, key: record.key)
                try findings.add(Finding("SYNC-UNSOUND", place: place, arguments: ["codes": record.detail]))
            }
        }
    }
}
