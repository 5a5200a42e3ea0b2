import Replica

/// What a sync by packages did, or would do.
struct PackageExchange: Encodable, Sendable {
    /// Changes that the other side has acknowledged.
    var acknowledged = 0
    /// Names of the files that were read, or would be.
    var received: [String] = []
    /// The files that were written.
    var sent: [SentBatch] = []
    /// Changes that no package holds.
    var untaken = 0
}
