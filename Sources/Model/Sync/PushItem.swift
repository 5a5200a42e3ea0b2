/// What the remote is to do with a row.
package enum PushOperation: String, Sendable, Hashable, Codable {
    case insert = "INSERT"
    case update = "UPDATE"
    case delete = "DELETE"
}

/// A place in the order in which changes go up, after which a page begins.
package enum PushPosition: Sendable, Hashable {
    /// A queue item: the number of its write and its id.
    case item(stamp: Int64, id: String)
    /// A row of a log.
    case log(entity: String, row: Int64)
}

/// One change that goes up to the remote.
package struct PushItem: Sendable, Hashable {
    /// The queue item's id. A row of a log has no queue item: `activity_logs/` and the row's id.
    package var id: String
    package var entity: String
    package var rowID: String
    /// What is to be done now. A new row that the remote has all the same, as the end of a conflict
    /// made known, is an update.
    package var operation: PushOperation
    /// The row's fields as a JSON object, as they were when the change was made.
    package var payload: String?
    /// The version of the row that the remote gave last, letter for letter; nil: it never gave one.
    package var base: String?
    /// The row's fields as the remote gave them last, as a JSON object; nil: not known.
    package var known: String?
    /// The project of the row; nil: none, or not known any more.
    package var projectID: String?
    /// How often it failed before.
    package var attempts: Int
    package var queuedAt: String
    /// Where the next page begins when this is the last item of a page.
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

/// What of a pack the central database holds. The queue and the conflicts of a replica describe
/// that replica, and a few fields belong to one device alone.
extension Pack {
    package var centralEntities: [Entity] { entities.filter { !["sync_queue", "conflicts"].contains($0.name) } }

    /// The tables of records whose rows go when a row of this entity goes, each with the field that
    /// refers to it.
    package func parts(deletedWith entity: Entity) -> [(entity: Entity, field: Field)] {
        centralEntities.filter { $0.writer == .people && $0.owner == nil }.flatMap { part in
            part.fields.filter { $0.deletesWithParent && $0.references == entity.name }.map { (part, $0) }
        }
    }
}

extension Entity {
    /// The fields that the central database has, as positions among the entity's fields: all but
    /// where a device keeps a file, and when it last asked for a profile.
    package var centralFields: [Int] {
        let path = field(of: .path)?.name
        return fields.indices.filter {
            fields[$0].name != path && !["local_path", "cached_at"].contains(fields[$0].name)
        }
    }
}

/// A file that the central Storage is to have, or that this replica is to have from there.
package struct FileTransfer: Sendable, Hashable {
    package var entity: String
    /// The row that the file belongs to. The central database has it.
    package var rowID: String
    package var projectID: String?
    /// The queue item that asks for it; nil: the row itself does, by a field without a value.
    package var itemID: String?
    /// Where the file is here: beside the replica, or anywhere if a queue item asks for it; nil: it
    /// is not here yet.
    package var localPath: String?
    /// Bucket and path; nil: it has no place there yet.
    package var storagePath: String?
    /// What the row says of it.
    package var bytes: Int64?
    package var sha256: String?
    /// What people call the file.
    package var name: String
    /// The row's values as texts, for the place in Storage.
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

/// Why the remote did not take a change.
package enum PushFailureClass: String, Sendable, Hashable, Codable, CaseIterable {
    /// The remote's tables are not those of the pack.
    case schema
    /// A policy of the remote's rows refused it.
    case rls
    /// The person may not do this at all.
    case permission
    /// The remote could not store it.
    case storage
    /// Anything else.
    case sync
}

/// What the remote answered to one change.
package struct PushOutcome: Sendable, Hashable {
    package enum Result: Sendable, Hashable {
        /// The remote has it; its row has this version now.
        case confirmed(version: String)
        /// The row is not there (any more).
        case gone
        /// The remote's row is another one than the change was made on: the row as JSON.
        case contested(remote: String)
        case failed(class: PushFailureClass, message: String)
        /// It is on its way, and the remote answers later: the change waits for its acknowledgement.
        case sent
    }

    package var itemID: String
    package var result: Result

    package init(itemID: String, result: Result) { (self.itemID, self.result) = (itemID, result) }
}

/// What of the queue a remote takes that answers later and does not take everything.
package struct PushReach: Sendable, Hashable {
    /// Its address: what was sent there waits for its answer.
    package var remote: String
    /// The tables whose rows it takes, each row in the batch of its project.
    package var entities: Set<String>

    package init(remote: String, entities: Set<String>) { (self.remote, self.entities) = (remote, entities) }
}
