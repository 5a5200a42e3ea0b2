extension Replica {
    /// Names a state of the replica's content: every change gives another.
    package func contentState() throws -> String {
        try read { try ReplicaKey.value(of: .stamp, $0) ?? "" }
    }
}
