/// What is to be done to a row of the central database.
package enum PushOperation: String, Sendable, Codable {
    case insert = "INSERT"
    case update = "UPDATE"
    case delete = "DELETE"
}

/// One change that was made here and waits for the central database.
package struct PushItem: Sendable, Hashable {
    /// The queue item's id; of a row that has none, such as a log entry, the row's.
    package var id: String
    package var entity: String
    package var rowID: String
    package var operation: PushOperation
    /// A JSON object of the row's fields, as the replica stores them; nil: nothing is needed.
    package var payload: String?
    /// The version that the change was made on, as the central database gave it; nil: it has not
    /// confirmed the row yet.
    package var base: String?
    /// How often it was tried before.
    package var attempts: Int
    package var queuedAt: String

    package init(
        id: String, entity: String, rowID: String, operation: PushOperation, payload: String?, base: String?, attempts: Int = 0, queuedAt: String
    ) {
        (self.id, self.entity, self.rowID, self.operation) = (id, entity, rowID, operation)
        (self.payload, self.base, self.attempts, self.queuedAt) = (payload, base, attempts, queuedAt)
    }
}

/// Where the fault lies when a change cannot be pushed.
package enum PushFailureClass: String, Sendable, Codable, CaseIterable {
    /// The server's tables do not take the values.
    case schema
    /// Row security hides the row, or forbids what it would become.
    case rls
    case permission
    case storage
    case sync
}

/// What became of an item.
package enum PushResult: Sendable, Hashable {
    /// The server has it; the row's version is now this.
    case confirmed(version: String)
    /// The row that was to be deleted is not there.
    case gone
    /// The server's row is not the one that the change was made on. This is it, as a JSON object.
    case contested(remote: String)
    /// - Parameter message: the server's sentence, without values of rows.
    case failed(PushFailureClass, message: String)
}

package struct PushOutcome: Sendable, Hashable {
    package var item: PushItem
    package var result: PushResult

    package init(item: PushItem, result: PushResult) { (self.item, self.result) = (item, result) }
}
