import Foundation
import Testing
import Workbench

@testable import Pipeline

/// What the kernel tells of the default route and its interface; `proc` and `sys` are made here.
@Suite struct NetworkKindTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    private static let head = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"

    private func route(_ interface: String, metric: Int, flags: String = "0003", to destination: String = "00000000", mask: String = "00000000") -> String {
        "\(interface)\t\(destination)\t0102A8C0\t\(flags)\t0\t0\t\(metric)\t\(mask)\t0\t0\t0\n"
    }

    private func write(_ text: String, to path: String) throws {
        let file = URL(fileURLWithPath: place.file(path))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    private func interface(_ name: String, type: String, uevent: String = "") throws {
        try write(type + "\n", to: "sys/class/net/\(name)/type")
        try write("INTERFACE=\(name)\n" + uevent, to: "sys/class/net/\(name)/uevent")
    }

    @Test func theInterfaceOfTheBestDefaultRouteCounts() throws {
        try interface("eth0", type: "1")
        try interface("wlp2s0", type: "1", uevent: "DEVTYPE=wlan\nIFINDEX=3\n")
        try interface("wwan0", type: "519", uevent: "DEVTYPE=wwan\n")
        let cases: [(String, NetworkKind?)] = [
            (route("eth0", metric: 100) + route("wlp2s0", metric: 600), .wired),
            (route("eth0", metric: 700) + route("wlp2s0", metric: 600), .wifi),
            (route("eth0", metric: 1, flags: "0002") + route("wwan0", metric: 50), .mobile),
            // A route to the office's own network leads nowhere else.
            (route("eth0", metric: 0, to: "0002A8C0", mask: "00FFFFFF"), nil), ("", nil),
        ]
        for (routes, expected) in cases {
            try write(Self.head + routes, to: "proc/net/route")
            #expect(NetworkKind.current(root: place.path) == expected, "\(routes)")
        }
    }

    @Test func withoutIPv4TheRouteOfIPv6Counts() throws {
        try write(Self.head, to: "proc/net/route")
        let zeros = String(repeating: "0", count: 32)
        try write(
            "\(zeros) 00 \(zeros) 00 \(zeros) ffffffff 00000001 00000000 00200200       lo\n"
                + "\(zeros) 00 \(zeros) 00 fe800000000000000000000000000001 00000258 00000001 00000000 00000003   wlan0\n", to: "proc/net/ipv6_route")
        try interface("wlan0", type: "1")
        try FileManager.default.createDirectory(atPath: place.file("sys/class/net/wlan0/wireless"), withIntermediateDirectories: true)
        #expect(NetworkKind.current(root: place.path) == .wifi)
    }

    @Test(arguments: [("tun0", "65534", "", NetworkKind.other), ("ppp0", "512", "", .mobile), ("bnep0", "1", "DEVTYPE=bluetooth\n", .mobile), ("br0", "1", "DEVTYPE=bridge\n", .wired)])
    func whatTheKernelSaysOfAnInterface(_ name: String, _ type: String, _ uevent: String, _ expected: NetworkKind) throws {
        try write(Self.head + route(name, metric: 0), to: "proc/net/route")
        try interface(name, type: type, uevent: uevent)
        #expect(NetworkKind.current(root: place.path) == expected)
    }

    @Test func filesWaitOnlyWhereThePolicySaysSo() throws {
        let away = RemoteAddress.supabase(url: "https://abcd.supabase.co", key: nil, authority: nil), here = RemoteAddress.supabase(url: "http://127.0.0.1:5000", key: nil, authority: nil)
        let policy = try FilePolicy(networks: ["wifi", "wired"], atOnce: nil)
        #expect(
            TransferObstacle(away, policy, stated: nil) { .wired } == nil
                && TransferObstacle(away, FilePolicy(), stated: nil) { .mobile } == nil)
        #expect(TransferObstacle(away, policy, stated: nil) { .mobile } == .network(.mobile, allowed: [.wifi, .wired]))
        #expect(TransferObstacle(away, policy, stated: nil) { nil } == .network(nil, allowed: [.wifi, .wired]))
        #expect(
            TransferObstacle(away, policy, stated: "mobile") { .wired } == .network(.mobile, allowed: [.wifi, .wired]),
            "who states it knows better")
        #expect(
            TransferObstacle(here, policy, stated: nil) { .mobile } == nil, "a server on this machine needs no network")
    }
}
