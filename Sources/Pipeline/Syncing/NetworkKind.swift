import Foundation

/// The kind of network that connects this machine.
package enum NetworkKind: String, Codable, Sendable, CaseIterable {
    case wifi, wired, mobile
    /// A tunnel, or an unknown kind.
    case other

    /// The kind of the network interface that has the default route; nil if there is no default
    /// route.
    ///
    /// - Parameter root: the folder that contains `proc` and `sys`; another one in tests.
    package static func current(root: String = "/") -> NetworkKind? {
        let folder = root.hasSuffix("/") ? root : root + "/"
        guard let interface = defaultInterface(folder) else { return nil }
        return kind(of: interface, folder + "sys/class/net/" + interface)
    }

    // MARK: The default route

    /// The interface whose default route has the smallest metric. IPv6 routes count only if IPv4
    /// has none.
    private static func defaultInterface(_ root: String) -> String? {
        // Iface Destination Gateway Flags RefCnt Use Metric Mask …
        let four = lines(root + "proc/net/route").dropFirst().compactMap { line -> (String, Int)? in
            guard line.count >= 8, line[1] == "00000000", line[7] == "00000000", isUp(line[3]),
                let metric = Int(line[6])
            else { return nil }
            return (line[0], metric)
        }
        // Destination, its length, source, its length, next hop, metric, counts, flags, Iface
        let six = lines(root + "proc/net/ipv6_route").compactMap { line -> (String, Int)? in
            guard line.count >= 10, line[1] == "00", line[9] != "lo", isUp(line[8]),
                let metric = Int(line[5], radix: 16)
            else { return nil }
            return (line[9], metric)
        }
        let routes = four.isEmpty ? six : Array(four)
        return routes.min { $0.1 < $1.1 }.map(\.0).flatMap { $0.contains("/") ? nil : $0 }
    }

    private static func isUp(_ flags: String) -> Bool { Int(flags, radix: 16).map { $0 & 1 == 1 } ?? false }

    private static func lines(_ path: String) -> [[String]] {
        text(path).split(separator: "\n").map { $0.split { $0 == " " || $0 == "\t" }.map(String.init) }
    }

    private static func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    // MARK: The interface

    /// The kind of an interface, from the kernel's files: `DEVTYPE` in `uevent`, the folder
    /// `wireless`, and the hardware type's number (`linux/if_arp.h`).
    private static func kind(of interface: String, _ folder: String) -> NetworkKind {
        let type = text(folder + "/uevent").split(separator: "\n").first { $0.hasPrefix("DEVTYPE=") }?.dropFirst(8)
        if type == "wlan" || FileManager.default.fileExists(atPath: folder + "/wireless") { return .wifi }
        // Mobile modems, and phones that share their connection over Bluetooth.
        if type == "wwan" || type == "bluetooth" || interface.hasPrefix("wwan") { return .mobile }
        switch text(folder + "/type").trimmingCharacters(in: .whitespacesAndNewlines) {
        case "1": return .wired
        // ARPHRD_PPP, ARPHRD_RAWIP: modems.
        case "512", "519": return .mobile
        default: return .other
        }
    }
}

/// The policy of a sync for files: on which networks, and how many at once. Rows are always synced.
package struct FilePolicy: Sendable, Hashable {
    /// The kinds of networks over which files may be transferred; nil for all.
    package var networks: [NetworkKind]?
    package var atOnce = Self.most

    package static let most = 3

    package init() {}

    /// Reads the key `files` of the configuration.
    ///
    /// - Throws: the mistake, as a text.
    package init(networks: [String]?, atOnce: String?) throws(Trouble) {
        if let networks {
            let known = NetworkKind.allCases.map(\.rawValue)
            if let unknown = networks.first(where: { !known.contains($0) }) {
                throw Trouble(text: "networks: \(unknown): unknown; known: \(known.joined(separator: ", "))")
            }
            guard !networks.isEmpty else {
                throw Trouble(text: "networks: none; fichero sync --no-files moves no files")
            }
            self.networks = networks.compactMap(NetworkKind.init)
        }
        if let atOnce {
            guard let number = Int(atOnce), (1...Self.most).contains(number) else {
                throw Trouble(text: "atOnce: 1 to \(Self.most)")
            }
            self.atOnce = number
        }
    }

    package struct Trouble: Error {
        package let text: String
    }
}
