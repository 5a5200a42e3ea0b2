import Foundation

/// Why no file can go or come now, whatever waits.
enum TransferObstacle: Hashable, Sendable {
    /// The central database keeps no files.
    case noStorage
    /// Files may not go over the network of this machine, or it has none that leads out.
    case network(NetworkKind?, allowed: [NetworkKind])

    /// Nil: files may go.
    ///
    /// - Parameters:
    ///   - stated: the kind of network that the person states, where the machine cannot know it
    ///     (`FICHERO_NETWORK`): a telephone on a cable looks like a wire.
    ///   - current: tells the kind that the machine knows.
    init?(_ address: RemoteAddress, _ policy: FilePolicy, stated: String?, current: () -> NetworkKind? = { NetworkKind.current() }) {
        guard address.keepsFiles else {
            self = .noStorage
            return
        }
        guard let allowed = policy.networks else { return nil }
        let known = stated.flatMap(NetworkKind.init)
        if known == nil, address.isOfThisMachine { return nil }
        let kind = known ?? current()
        if let kind, allowed.contains(kind) { return nil }
        self = .network(kind, allowed: allowed)
    }

    /// For the configuration of a session; nil also if it names no central database.
    init?(_ session: CommandSession) {
        guard let address = RemoteAddress(session.configuration) else { return nil }
        self.init(address, session.configuration.files, stated: ProcessInfo.processInfo.environment["FICHERO_NETWORK"])
    }

    /// For people.
    func text(_ session: CommandSession) -> String {
        switch self {
        case .noStorage: session.text("cli.files.noStorage")
        case .network(nil, let allowed): session.text("cli.files.noNetwork", ["allowed": names(allowed, session)])
        case .network(let kind?, let allowed):
            session.text("cli.files.network", ["network": session.text("cli.network." + kind.rawValue), "allowed": names(allowed, session)])
        }
    }

    private func names(_ kinds: [NetworkKind], _ session: CommandSession) -> String {
        kinds.map { session.text("cli.network." + $0.rawValue) }.joined(separator: ", ")
    }

    /// For programs.
    var name: String {
        switch self {
        case .noStorage: "noStorage"
        case .network(let kind, _): "network:" + (kind?.rawValue ?? "none")
        }
    }
}
