import Model
import Postgres
import Remotes

/// A fault that a simulation works with.
enum Fault: String, CaseIterable, Sendable {
    /// None but what people do at the same time.
    case none
    /// The connection breaks before the server hears the request, or while it answers.
    case cut
    /// The server did it, and nobody heard so.
    case lostAnswer
    /// The server did the first half of it.
    case halfDone
    /// The program is killed.
    case kill
    /// People change the server between two requests.
    case meanwhile
    /// Transactions that begin early and end late.
    case lateCommit
    /// Memberships come and go.
    case membership
    /// The clocks of the offices are wrong, and go back.
    case clock
    case all
}

/// The program ends here, as after a kill.
struct Killed: Error {}

/// A central database between which and the replica things go wrong.
final class TroubledRemote: CentralDatabase {
    private let remote: any CentralDatabase
    private let faults: Set<Fault>
    private let server: SimulatedServer
    /// Keeps the files as a kill at this point would leave them.
    private let dying: () throws -> Void

    init(_ remote: any CentralDatabase, _ faults: Set<Fault>, _ server: SimulatedServer, dying: @escaping () throws -> Void) {
        (self.remote, self.faults, self.server, self.dying) = (remote, faults, server, dying)
    }

    var actor: Actor { remote.actor }
    var address: String { remote.address }
    var makeStorage: (@Sendable () -> any RemoteStorage)? { nil }

    private var broken: PostgresFailure { .broken(address: address, reason: "simulated") }
    private func strikes(_ fault: Fault, in times: Int = 40) -> Bool { faults.contains(fault) && server.chance.isOne(in: times) }

    fileprivate func before() throws {
        if strikes(.meanwhile, in: 8) { try server.act() }
        if strikes(.kill) {
            try dying()
            throw Killed()
        }
        if strikes(.cut) { throw broken }
    }

    /// Within an answer.
    fileprivate func during() throws { if strikes(.cut, in: 10) { throw broken } }

    func withSnapshot<T>(_ body: (any RemoteSnapshot) throws -> T) throws -> T {
        try before()
        return try remote.withSnapshot { try body(TroubledSnapshot(look: $0, remote: self)) }
    }

    func push(_ items: [PushItem]) throws -> [PushOutcome] {
        try before()
        if strikes(.halfDone, in: 6), items.count > 1 {
            _ = try remote.push(Array(items.prefix(server.chance.number(1..<items.count))))
            throw broken
        }
        let outcomes = try remote.push(items)
        if strikes(.lostAnswer, in: 6) { throw broken }
        if strikes(.kill, in: 10) {
            try dying()
            throw Killed()
        }
        return outcomes
    }
}

private struct TroubledSnapshot: RemoteSnapshot {
    let look: any RemoteSnapshot
    let remote: TroubledRemote

    var position: RemotePosition { look.position }
    var isExact: Bool { look.isExact }
    var isOneMoment: Bool { look.isOneMoment }
    func fields(of entity: Entity) -> [Int] { look.fields(of: entity) }
    func isDated(_ entity: Entity) -> Bool { look.isDated(entity) }

    private func asked<T>(_ body: () throws -> T) throws -> T {
        try remote.before()
        return try body()
    }

    func projects() throws -> [String] { try asked { try look.projects() } }

    func rows(of entity: Entity, in project: String?, since: RemotePosition?, _ take: (inout RowBatch) throws -> Void) throws -> Int {
        try asked {
            try look.rows(of: entity, in: project, since: since) { batch in
                try take(&batch)
                try remote.during()
            }
        }
    }

    func count(of entity: Entity, in project: String?, since: RemotePosition?) throws -> Int { try asked { try look.count(of: entity, in: project, since: since) } }
    func removed(since: RemotePosition) throws -> [RemovedRow] { try asked { try look.removed(since: since) } }
    func proof(of entity: Entity, in project: String?) throws -> (proof: RowsProof, later: Set<String>) { try asked { try look.proof(of: entity, in: project) } }
    func versions(of entity: Entity, in project: String?) throws -> [String: String] { try asked { try look.versions(of: entity, in: project) } }
}
