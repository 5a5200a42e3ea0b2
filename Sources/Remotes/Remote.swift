internal import JSONReading
package import Model

/// Where the changes of this side go, for one person. One engine sends them.
package protocol Remote: AnyObject {
    /// The person who sends, and for whom everything is asked.
    var actor: Actor { get }
    /// Which server and database it is, or which folder, for cursors and messages.
    var address: String { get }
    /// What it takes, if that is not everything.
    var reach: PushReach? { get }

    /// Makes changes, in their order: compare and swap, each by itself. To push an item twice has
    /// the effect of once. Throws what may pass by itself (no connection, no resources); then
    /// nobody knows which of the items were changed, and all of them can be pushed again.
    func push(_ items: [PushItem]) throws -> [PushOutcome]
}

extension Remote {
    package var reach: PushReach? { nil }
}

/// A remote that answers at once: a central database, seen by one person under row security. One
/// engine syncs with all of them, by what `CentralDatabaseContractTests` ask of each.
package protocol CentralDatabase: Remote {
    /// Makes what leads to the binaries, for one more thread; nil: this remote keeps none.
    var makeStorage: (@Sendable () -> any RemoteStorage)? { get }

    /// Looks at the central database as it was at one moment, the look's position.
    func look<T>(_ body: (any RemoteLook) throws -> T) throws -> T
}

/// What one person sees of a central database as of one moment.
package protocol RemoteLook {
    /// The moment: the next sync asks what changed since.
    var position: RemotePosition { get }

    /// Whether everything is answered from the same state. If not, rows that changed after the
    /// moment are left out: they have changed since, for the next sync. A row of an earlier moment
    /// may lack the row that it refers to until then.
    var isOneMoment: Bool { get }

    /// Whether the server tells exactly what changed since a position. If not, changed rows come
    /// with an overlap, no removals are told, and what is here is compared with the numbers there.
    var isExact: Bool { get }

    /// The fields of an entity that the server has, as positions, in the order in which rows bring
    /// them. The id is the first. Empty: the server has no such table.
    func fields(of entity: Entity) -> [Int]

    /// Whether the server says when a row of the entity changed. If not, a row has the same version
    /// for ever.
    func isDated(_ entity: Entity) -> Bool

    /// The ids of all projects that the person sees.
    func projects() throws -> [String]

    /// Rows of an entity, batch after batch: the fields of `fields(of:)`, then the version. Returns
    /// how many rows the server says that it sent.
    ///
    /// - Parameters:
    ///   - project: only rows of this project; nil: all that the person sees.
    ///   - since: only rows that changed since; nil: all.
    func rows(of entity: Entity, in project: String?, since: RemotePosition?, _ take: (inout RowBatch) throws -> Void)
        throws -> Int

    /// How many rows `rows(of:in:since:)` would bring.
    func count(of entity: Entity, in project: String?, since: RemotePosition?) throws -> Int

    /// What was deleted or moved since a position, in its order.
    func removed(since: RemotePosition) throws -> [RemovedRow]

    /// Number and digest of the rows of an entity that the person sees, in one project or in all;
    /// without those that changed or went later, whose ids are given.
    func proof(of entity: Entity, in project: String?) throws -> (proof: RowsProof, later: Set<String>)

    /// The ids of the rows of an entity with their versions: to find what differs where a proof
    /// fails.
    func versions(of entity: Entity, in project: String?) throws -> [String: String]
}

extension Entity {
    /// The fields that a server has, as positions, the id first; empty without an id.
    ///
    /// - Parameter columns: those of each table that the person may use.
    func fields(among columns: [String: Set<String>]) -> [Int] {
        let there = columns[name] ?? []
        return there.contains("id") ? centralFields.filter { there.contains(fields[$0].name) } : []
    }
}

extension Pack {
    /// Another system's database has people and projects too, and perhaps the same people.
    func ensureRecords(among tables: Set<String>, at address: String) throws(RemoteFailure) {
        let roots = records.map(\.root)
        guard let first = roots.first, tables.isDisjoint(with: roots) else { return }
        throw RemoteFailure.otherSystem(address: address, pack: name, table: first)
    }
}

extension Pack {
    /// A field whose column has its former name there would look like one that the server lacks: its values would stay
    /// here, and those of others would not come.
    ///
    /// - Parameter columns: those of each table that the person may use.
    func ensurePresentNames(among columns: [String: Set<String>], at address: String) throws(RemoteFailure) {
        for entity in centralEntities {
            let there = columns[entity.name] ?? []
            for field in entity.centralFields.map({ entity.fields[$0] }) where !there.contains(field.name) {
                guard let former = field.formerNames.last(where: there.contains) else { continue }
                throw .formerColumn(address: address, pack: name, table: entity.name, column: former, field: field.name)
            }
        }
    }
}

/// A profile as the server has it.
struct RemotePerson {
    var id: String
    var name: String?
    var role: String
    var status: String

    /// The person as an actor, if the profile may work.
    ///
    /// - Parameter active: the status of a profile that may work.
    func actor(email: String, pack: Pack, active: String) throws(RemoteFailure) -> Actor {
        guard status == active else { throw RemoteFailure.inactive(email: email, status: status) }
        guard let role = pack.role(role) else { throw RemoteFailure.unknownRole(email: email, role: self.role) }
        return Actor(id: id, email: email, fullName: name, role: role)
    }
}

/// The other side of an exchange by packages: it takes whole batches, and answers with packages of
/// its own, later. What is pushed is on its way; the caller puts a batch together at the end.
package final class PackageRemote: Remote {
    package let actor: Actor
    /// The folder for what is sent.
    package let address: String
    package let reach: PushReach?
    private let pack: Pack

    /// - Parameter takesFiles: whether rows with a file go too, with it.
    package init(_ address: String, pack: Pack, actor: Actor, takesFiles: Bool = true) {
        (self.address, self.pack, self.actor) = (address, pack, actor)
        let entities = pack.entities.filter { !$0.isCore && (takesFiles || $0.field(of: .path) == nil) }
        reach = PushReach(remote: address, entities: Set(entities.map(\.name)))
    }

    package func push(_ items: [PushItem]) -> [PushOutcome] {
        items.map { PushOutcome(itemID: $0.id, result: isKnownThere($0) ? .confirmed(version: $0.queuedAt) : .sent) }
    }

    /// Whether a row says itself that the other side has it, as the events of a device that sent
    /// them before: it does not travel again.
    private func isKnownThere(_ item: PushItem) -> Bool {
        guard let entity = pack.entity(item.entity), let acknowledgement = Acknowledgement(entity, in: pack),
            let payload = item.payload
        else { return false }
        return acknowledgement.isStated(entity.values(ofPayload: payload))
    }
}

/// Where a central database keeps binaries. One is used by one thread at a time.
package protocol RemoteStorage: AnyObject {
    /// Sends a file to a bucket and path; one that is there already is replaced. To send it twice
    /// has the effect of once.
    ///
    /// - Parameter progress: told how many bytes are there.
    func send(_ file: OutgoingFile, to path: String, progress: (Int64) -> Void) throws

    /// Gives the bytes of a file as they arrive.
    func fetch(_ path: String, _ take: (Span<UInt8>) throws -> Void) throws

    /// How many bytes a file has; nil: it is not there, or hidden.
    func size(of path: String) throws -> Int64?
}

/// A file that is sent in pieces.
package struct OutgoingFile {
    package var bytes: Int64
    /// `image/jpeg`
    package var type: String
    /// Some bytes from a position on.
    package var read: (_ position: Int64, _ count: Int) throws -> [UInt8]
    /// The address of an upload of the same bytes to the same place, which an earlier run began;
    /// nil: none is known.
    package var begun: String?
    /// Keeps the address of an upload that has begun, so that it outlives this process; nil: it is
    /// over.
    package var keep: (String?) throws -> Void

    package init(
        bytes: Int64, type: String, begun: String? = nil, keep: @escaping (String?) throws -> Void = { _ in },
        read: @escaping (Int64, Int) throws -> [UInt8]
    ) {
        (self.bytes, self.type, self.begun, self.keep, self.read) = (bytes, type, begun, keep, read)
    }
}

extension PushFailureClass {
    /// SQLSTATE classes of PostgreSQL 15, appendix A; codes of PostgREST 12.
    init(state: String, message: String) {
        switch state {
        // Row security, missing rights and the guards of states have the same state.
        case "42501": self = message.contains("row-level security") ? .rls : .permission
        case _ where ["22", "23", "42", "PGRST1", "PGRST2"].contains { state.hasPrefix($0) }: self = .schema
        default: self = .sync
        }
    }
}

extension PushOutcome {
    /// The server took the change, and others would not learn of it; it is tried again, and found done.
    static let unmovedVersion = "the server's version of the row (updated_at) did not move with the change"

    /// Why a row that the person sees stayed as it was.
    static func refusedInSilence(_ operation: PushOperation) -> String {
        "the server does not let this person \(operation == .delete ? "delete" : "change") the row"
    }
}

extension PushItem {
    /// The fields that go up. Of a changed row only what is not as the remote gave it last: the
    /// remote may have a number with more digits than a replica holds, or something that it cannot
    /// hold at all, and these stay as they are. The id always goes along, so that a change that
    /// leads back to where it began is a change too.
    func sentFields(_ fields: [Field]) -> [Field] {
        guard operation == .update, let known = known.flatMap({ try? JSONValue.stored($0) }),
            let payload = payload.flatMap({ try? JSONValue.parse($0) })
        else { return fields }
        return fields.filter { field in
            guard field.name != "id", let before = known[field.name] else { return true }
            return payload[field.name] != before
        }
    }
}
