/// What of the queue a remote takes that answers later and does not take everything.
package struct PushReach: Sendable, Hashable {
    /// Its address: what was sent there waits for its answer.
    package var remote: String
    /// The tables whose rows it takes, each row in the batch of its project.
    package var entities: Set<String>

    package init(remote: String, entities: Set<String>) { (self.remote, self.entities) = (remote, entities) }
}
