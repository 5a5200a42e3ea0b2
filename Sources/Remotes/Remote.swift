internal import JSONReading
package import Model

/// A receiver of the replica's changes, used as one person. The same engine sends to all kinds.
package protocol Remote: AnyObject {
    /// The person who sends, and whose permissions apply to every request.
    var actor: Actor { get }
    /// Identifies the server and database, or the folder, in cursors and messages.
    var address: String { get }
    /// The changes that the remote accepts; nil: all.
    var reach: PushReach? { get }

    /// Makes changes in their order, each separately by compare and swap. Pushing an item twice has
    /// the same effect as once. Throws temporary errors (no connection, no resources); it is then
    /// not known which items took effect, and all can be pushed again.
    func push(_ items: [PushItem]) throws -> [PushOutcome]
}

extension Remote {
    package var reach: PushReach? { nil }
}

/// A remote that replies at once: a central database, seen by one person under row security.
/// `CentralDatabaseContractTests` define the behaviour of all kinds.
package protocol CentralDatabase: Remote {
    /// Creates an access to the stored files for one more thread; nil: this remote stores no files.
    var makeStorage: (@Sendable () -> any RemoteStorage)? { get }

    /// Reads the central database as of one moment, the snapshot's position.
    func withSnapshot<T>(_ body: (any RemoteSnapshot) throws -> T) throws -> T
}

/// The rows of a central database that one person sees, as of one moment.
package protocol RemoteSnapshot {
    /// The moment whose state the rows show: the next sync fetches later changes.
    var position: RemotePosition { get }

    /// Whether all replies come from the same state. If not, rows that changed after the moment are
    /// left out, and the next sync fetches them. Until then a row may refer to a missing row.
    var isOneMoment: Bool { get }

    /// Whether the server reports exactly what changed since a position. If not, changed rows are
    /// fetched with an overlap, and removals are found by comparing numbers of rows.
    var isExact: Bool { get }

    /// The fields of an entity that the server has, as positions, in the order of the fetched rows'
    /// values. The id is the first. Empty: the server has no such table.
    func fields(of entity: Entity) -> [Int]

    /// Whether the server reports when a row of the entity changed. If not, a row's version never
    /// changes.
    func isDated(_ entity: Entity) -> Bool

    /// The ids of all projects that the person sees.
    func projects() throws -> [String]

    /// Rows of an entity, batch after batch: the fields of `fields(of:)`, then the version. Returns
    /// how many rows the server reports as sent.
    ///
    /// - Parameters:
    ///   - project: only rows of this project; nil: all that the person sees.
    ///   - since: only rows that changed after this position; nil: all.
    func rows(of entity: Entity, in project: String?, since: RemotePosition?, _ take: (inout RowBatch) throws -> Void)
        throws -> Int

    /// Number of rows that `rows(of:in:since:)` would return.
    func count(of entity: Entity, in project: String?, since: RemotePosition?) throws -> Int

    /// The rows that were deleted or moved since a position, in order.
    func removed(since: RemotePosition) throws -> [RemovedRow]

    /// Number and digest of the rows of an entity that the person sees, in one project or in all.
    /// Rows that changed or were removed later are left out, and their ids are returned.
    func proof(of entity: Entity, in project: String?) throws -> (proof: RowsProof, later: Set<String>)

    /// The ids of an entity's rows with their versions, to find the rows that differ if a proof
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
    /// Rejects another system's database, which has no table of the pack's records. Tables of
    /// people and projects prove nothing, as another system may have them too.
    func ensureRecords(among tables: Set<String>, at address: String) throws(RemoteFailure) {
        let roots = records.map(\.root)
        guard let first = roots.first, tables.isDisjoint(with: roots) else { return }
        throw RemoteFailure.otherSystem(address: address, pack: name, table: first)
    }
}

extension Pack {
    /// Rejects a server on which a column still has its field's former name. The field would seem
    /// to be missing on the server, and its values would be neither sent nor fetched.
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

/// A person's profile on the server.
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

/// The sync partner of an exchange by packages, which accepts whole batches and replies later with
/// packages. Pushed items only count as sent; the caller writes the batch at the end.
package final class PackageRemote: Remote {
    package let actor: Actor
    /// The folder for sent packages.
    package let address: String
    package let reach: PushReach?
    private let pack: Pack

    /// - Parameter takesFiles: whether rows with a file are sent too, with the file.
    package init(_ address: String, pack: Pack, actor: Actor, takesFiles: Bool = true) {
        (self.address, self.pack, self.actor) = (address, pack, actor)
        let entities = pack.entities.filter { !$0.isCore && (takesFiles || $0.field(of: .path) == nil) }
        reach = PushReach(remote: address, entities: Set(entities.map(\.name)))
    }

    package func push(_ items: [PushItem]) -> [PushOutcome] {
        items.map { PushOutcome(itemID: $0.id, result: isKnownThere($0) ? .confirmed(version: $0.queuedAt) : .sent) }
    }

    /// Whether a row's values show that the partner has the row, as with an event that a device
    /// sent itself. Such a row is not sent again.
    private func isKnownThere(_ item: PushItem) -> Bool {
        guard let entity = pack.entity(item.entity), let acknowledgement = Acknowledgement(entity, in: pack),
            let payload = item.payload
        else { return false }
        return acknowledgement.isStated(entity.values(ofPayload: payload))
    }
}

/// The storage of a central database's files. An object is used by one thread at a time.
package protocol RemoteStorage: AnyObject {
    /// Sends a file to a bucket and path, and replaces any file at that path. Sending it twice has
    /// the same effect as once.
    ///
    /// - Parameter progress: receives the number of bytes that have arrived on the server.
    func send(_ file: OutgoingFile, to path: String, progress: (Int64) -> Void) throws

    /// Passes on the bytes of a file as they arrive.
    func fetch(_ path: String, _ take: (Span<UInt8>) throws -> Void) throws

    /// The size of a file in bytes; nil: the file does not exist, or is hidden.
    func size(of path: String) throws -> Int64?
}

/// A file that is sent in pieces.
package struct OutgoingFile {
    package var bytes: Int64
    /// `image/jpeg`
    package var type: String
    /// Reads `count` bytes from a position on.
    package var read: (_ position: Int64, _ count: Int) throws -> [UInt8]
    /// The address of an upload of the same bytes to the same place, which an earlier run began;
    /// nil: none is known.
    package var begun: String?
    /// Stores the address of an upload that has begun, so that another process can continue it;
    /// nil: the upload is over.
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
        // Row security, missing permissions and guards of states give the same SQLSTATE.
        case "42501": self = message.contains("row-level security") ? .rls : .permission
        case _ where ["22", "23", "42", "PGRST1", "PGRST2"].contains { state.hasPrefix($0) }: self = .schema
        default: self = .sync
        }
    }
}

extension PushOutcome {
    /// The server stored the change without a new version: other replicas would not fetch it.
    static let unmovedVersion = "the server's version of the row (updated_at) did not move with the change"

    /// Message for a row that the person sees, but the server did not change.
    static func refusedInSilence(_ operation: PushOperation) -> String {
        "the server does not let this person \(operation == .delete ? "delete" : "change") the row"
    }
}

extension PushItem {
    /// The fields to send. Of a changed row, only fields that differ from the remote's last known
    /// row are sent. The remote may have values that a replica cannot store, such as a number with
    /// more digits, and these must not change. The id is always sent, so that a change back to the
    /// first values is a change too.
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
