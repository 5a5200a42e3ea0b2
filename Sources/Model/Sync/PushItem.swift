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
        id: String, entity: String, rowID: String, operation: PushOperation, payload: String?, base: String?, known: String? = nil, projectID: String? = nil,
        attempts: Int = 0, queuedAt: String, position: PushPosition
    ) {
        (self.id, self.entity, self.rowID, self.operation, self.payload) = (id, entity, rowID, operation, payload)
        (self.base, self.known, self.projectID) = (base, known, projectID)
        (self.attempts, self.queuedAt, self.position) = (attempts, queuedAt, position)
    }
}
