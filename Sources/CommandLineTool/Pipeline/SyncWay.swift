import Model

/// A way in which a replica is kept in step, with what the configuration names.
protocol SyncWay {
    /// The person who syncs, with the role that counts there.
    var actor: Actor { get }
    /// Whether the other side can be asked what it has.
    var canProve: Bool { get }

    /// What a sync would do; where it retries, what was refused before, or is not acknowledged,
    /// counts too.
    func plan(_ request: SyncRequest) throws -> SyncResult
    func perform(_ request: SyncRequest) throws -> SyncResult
}

extension CommandSession {
    /// Connects with what the configuration names: a central database counts before folders for
    /// packages.
    ///
    /// - Parameter isPlan: nothing is changed.
    func sync(wait: Int, isPlan: Bool = false) throws -> any SyncWay {
        guard RemoteAddress(configuration) == nil, let folders = configuration.packages else { return try SyncRun(self, wait: wait, isPlan: isPlan) }
        return try PackageSync(self, folders, wait: wait)
    }
}
