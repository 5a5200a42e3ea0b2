import Model

/// When a sync may move files, and how many at once. Rows always go.
struct FilePolicy: Sendable, Hashable {
    /// The kinds of networks over which files may go; nil: all.
    var networks: [NetworkKind]?
    var atOnce = Self.most

    static let most = 3

    init() {}

    /// Of the key `files` of the configuration.
    ///
    /// - Throws: what is wrong, as a text.
    init(networks: [String]?, atOnce: String?) throws(Trouble) {
        if let networks {
            let known = NetworkKind.allCases.map(\.rawValue)
            if let unknown = networks.first(where: { !known.contains($0) }) { throw Trouble(text: "networks: \(unknown): unknown; known: \(known.joined(separator: ", "))") }
            guard !networks.isEmpty else { throw Trouble(text: "networks: none; fichero sync --no-files moves no files") }
            self.networks = networks.compactMap(NetworkKind.init)
        }
        if let atOnce {
            guard let number = Int(atOnce), (1...Self.most).contains(number) else { throw Trouble(text: "atOnce: 1 to \(Self.most)") }
            self.atOnce = number
        }
    }

    struct Trouble: Error { var text: String }
}
