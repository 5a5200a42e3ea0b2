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
    func rows(of entity: Entity, in project: String?, since: RemotePosition?, _ take: (inout RowBatch) throws -> Void) throws -> Int

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
