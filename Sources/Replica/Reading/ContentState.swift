extension Replica {
    /// Identifies the state of the replica's content: every change gives another text.
    package func contentState() throws -> String {
        try read { try ReplicaKey.value(of: .stamp, $0) ?? "" }
    }
}
