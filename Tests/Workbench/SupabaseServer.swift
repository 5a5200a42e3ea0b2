import Foundation

/// A server that behaves over HTTP as Supabase does, over a database of `PostgresServer`. It ends
/// with this object. One program serves all of a process, each at a port of its own.
package final class SupabaseServer: Sendable {
    /// `http://127.0.0.1:…`
    package let url: String
    /// The public key of these servers.
    package static let key = "sb_publishable_test"
    /// The binaries of Storage.
    private let place: TemporaryFolder

    private static let program = Result {
        let script = ProjectFolder.root.appendingPathComponent("Tests/Servers/supabase.py").path
        return try ServingProgram(python: [script, "--many"])
    }

    /// - Parameter options: further options of `Tests/Servers/supabase.py`.
    package init(database: String, options: [String] = []) throws {
        let server = try PostgresServer.shared.get()
        place = try TemporaryFolder()
        let database = ["--host", server.host, "--port", String(server.port), "--user", server.user, "--database", database]
        let answer = try Self.ask(database + ["--files", place.path] + options)
        let words = answer.split(separator: " ")
        guard words.count == 2, words[0] == "ready" else { throw Trouble(description: "no server: " + answer) }
        url = String(words[1])
    }

    deinit { _ = try? Self.ask(["end", url]) }

    private static func ask(_ words: [String]) throws -> String {
        try program.get().ask(String(decoding: JSONEncoder().encode(words), as: UTF8.self))
    }

    /// The password of a person.
    package static func password(of email: String) -> String { "test-" + email }

    /// Makes requests fail: a list in JSON, as `Tests/Servers/README.md` says.
    package func fail(_ faults: String) throws {
        let run = try OtherProgram.run("/usr/bin/curl", ["-sS", "-k", "--fail", "--noproxy", "*", "-X", "POST", "-d", "@-", url + "/test/faults"], input: faults)
        guard run.status == 0 else { throw Trouble(description: run.text) }
    }

    /// The bytes of a file of Storage, from the server's disk.
    package func file(_ path: String) throws -> [UInt8] { try Array(Data(contentsOf: URL(fileURLWithPath: self.path(of: path)))) }

    /// Where a file of Storage is on the server's disk.
    package func path(of path: String) -> String { place.file(path) }

    /// The requests so far, as JSON.
    package func requests() throws -> String {
        try OtherProgram.run("/usr/bin/curl", ["-sS", "-k", "--fail", "--noproxy", "*", url + "/test/requests"]).text
    }

    /// How many bytes came with requests that match a pattern, in this order.
    package func bytes(of pattern: String) throws -> [Int] {
        struct Request: Decodable { var request: String, bytes: Int }
        let all = try JSONDecoder().decode([Request].self, from: Data(requests().utf8))
        return all.filter { $0.request.range(of: pattern, options: .regularExpression) != nil }.map(\.bytes)
    }

    /// Forgets what it was told to fail and what came.
    package func forget() throws { try delete("requests") }

    /// Forgets the uploads in pieces that are not complete.
    package func forgetUploads() throws { try delete("uploads") }

    private func delete(_ what: String) throws {
        let run = try OtherProgram.run("/usr/bin/curl", ["-sS", "-k", "--fail", "--noproxy", "*", "-X", "DELETE", url + "/test/" + what])
        guard run.status == 0 else { throw Trouble(description: run.text) }
    }

    private struct Trouble: Error, CustomStringConvertible {
        var description: String
    }
}
