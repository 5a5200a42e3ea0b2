/// The operation that the remote must perform on a row.
package enum PushOperation: String, Sendable, Hashable, Codable {
    case insert = "INSERT"
    case update = "UPDATE"
    case delete = "DELETE"
}

/// A position in the order of uploaded changes, after which a page begins.
package enum PushPosition: Sendable, Hashable {
    /// A queue item: the number of its write and its id.
    case item(stamp: Int64, id: String)
    /// A row of a log.
    case log(entity: String, row: Int64)
}

/// One change to upload to the remote.
package struct PushItem: Sendable, Hashable {
    /// The queue item's id. A row of a log has none; its id is `activity_logs/` and the row's.
    package var id: String
    package var entity: String
    package var rowID: String
    /// The operation to perform now. A new row that the remote already has, as shown by a resolved
    /// conflict, is an update.
    package var operation: PushOperation
    /// The row's fields as a JSON object, at the time of the change.
    package var payload: String?
    /// The row's last version from the remote, letter for letter; nil: the remote never sent one.
    package var base: String?
    /// The row's fields as the remote last sent them, as a JSON object; nil: unknown.
    package var known: String?
    /// The project of the row; nil: none, or no longer known.
    package var projectID: String?
    /// The number of earlier failed attempts.
    package var attempts: Int
    package var queuedAt: String
    /// The start of the next page when this is the last item of a page.
    package var position: PushPosition

    package init(
        id: String, entity: String, rowID: String, operation: PushOperation, payload: String?, base: String?,
        known: String? = nil, projectID: String? = nil,
        attempts: Int = 0, queuedAt: String, position: PushPosition
    ) {
        (self.id, self.entity, self.rowID, self.operation, self.payload) = (id, entity, rowID, operation, payload)
        (self.base, self.known, self.projectID) = (base, known, projectID)
        (self.attempts, self.queuedAt, self.position) = (attempts, queuedAt, position)
    }
}

/// The parts of a pack that are stored in the central database. The queue and the conflicts of a
/// replica concern that replica alone, and a few fields belong to one device.
extension Pack {
    package var centralEntities: [Entity] { entities.filter { !["sync_queue", "conflicts"].contains($0.name) } }

    /// The tables of records whose rows are deleted with a row of this entity, each with the
    /// referring field.
    package func parts(deletedWith entity: Entity) -> [(entity: Entity, field: Field)] {
        centralEntities.filter { $0.writer == .people && $0.owner == nil }.flatMap { part in
            part.fields.filter { $0.deletesWithParent && $0.references == entity.name }.map { (part, $0) }
        }
    }
}

extension Entity {
    /// The fields in the central database, as positions among the entity's fields: all but the path
    /// of a file on the device, and the time when the device last fetched a profile.
    package var centralFields: [Int] {
        let path = field(of: .path)?.name
        return fields.indices.filter {
            fields[$0].name != path && !["local_path", "cached_at"].contains(fields[$0].name)
        }
    }
}

/// A file to upload to the central Storage, or to download from the central Storage.
package struct FileTransfer: Sendable, Hashable {
    package var entity: String
    /// The row that the file belongs to. This row exists in the central database.
    package var rowID: String
    package var projectID: String?
    /// The queue item that requests the transfer; nil: an empty field of the row requests it.
    package var itemID: String?
    /// The local path of the file: beside the replica, or anywhere if a queue item requests it;
    /// nil: the replica does not have it yet.
    package var localPath: String?
    /// Bucket and path; nil: it has no place in Storage yet.
    package var storagePath: String?
    /// The size recorded in the row.
    package var bytes: Int64?
    package var sha256: String?
    /// The file's displayed name.
    package var name: String
    /// The row's values as texts, from which the place in Storage is made.
    package var values: [String: String]

    package init(
        entity: String, rowID: String, projectID: String?, itemID: String? = nil, localPath: String?,
        storagePath: String?, bytes: Int64?, sha256: String?,
        name: String? = nil, values: [String: String] = [:]
    ) {
        let place = storagePath ?? localPath ?? rowID
        self.name =
            name ?? String(place[(place.lastIndex(of: "/").map { place.index(after: $0) } ?? place.startIndex)...])
        (self.entity, self.rowID, self.projectID, self.itemID) = (entity, rowID, projectID, itemID)
        (self.localPath, self.storagePath, self.bytes, self.sha256, self.values) = (
            localPath, storagePath, bytes, sha256, values
        )
    }
}

/// The reason why the remote did not accept a change.
package enum PushFailureClass: String, Sendable, Hashable, Codable, CaseIterable {
    /// The remote's tables differ from those of the pack.
    case schema
    /// A row-level security policy of the remote refused it.
    case rls
    /// The person may never do this.
    case permission
    /// The remote could not store it.
    case storage
    /// Anything else.
    case sync
}

/// The remote's reply to one change.
package struct PushOutcome: Sendable, Hashable {
    package enum Result: Sendable, Hashable {
        /// The remote has stored it; its row now has this version.
        case confirmed(version: String)
        /// The row does not exist (any more).
        case gone
        /// The remote's row differs from the one that the change was based on: that row as JSON.
        case contested(remote: String)
        case failed(class: PushFailureClass, message: String)
        /// The change was sent and waits for the acknowledgement, since the remote replies later.
        case sent
    }

    package var itemID: String
    package var result: Result

    package init(itemID: String, result: Result) { (self.itemID, self.result) = (itemID, result) }
}

/// The part of the queue for a remote that replies later and does not accept every table.
package struct PushReach: Sendable, Hashable {
    /// The remote's address, under which sent changes wait for its reply.
    package var remote: String
    /// The tables whose rows it accepts, each row in the batch of its project.
    package var entities: Set<String>

    package init(remote: String, entities: Set<String>) { (self.remote, self.entities) = (remote, entities) }
}
