import Foundation
import Model
import Testing
import Workbench

@testable import Remotes

/// What networks and portals do to a central database on the web, and the files that it keeps.
extension CentralDatabaseContractTests {
    private static let passing = [
        #"{"status": 503}"#, #"{"status": 429, "retry_after": 1}"#, #"{"close": "before"}"#, #"{"close": "after"}"#,
        #"{"cut": 2}"#, #"{"expire": true}"#,
    ]

    @Test(arguments: CentralWay.web, passing) func whatPassesIsTriedAgain(_ way: CentralWay, _ fault: String) throws {
        let scene = try Scene(way), remote = try scene.connect(), pits = try scene.entity("calicatas")
        let web = try #require(scene.web)
        func fail(_ pattern: String) throws { try web.fail(#"[{"match": "\#(pattern)", "do": \#(fault)}]"#) }
        for pattern in ["changed_calicatas|GET /rest/v1/calicatas", "rpc/removed", "rpc/proof_calicatas"] {
            try fail(pattern)
            try remote.withSnapshot { look throws in
                #expect(try scene.codes(look).isEmpty && look.removed(since: look.position).isEmpty)
                #expect(try look.proof(of: pits, in: Scene.project).proof.rows == 0)
            }
        }
        // What was done although the answer was lost is found done.
        let changes = "(POST|PATCH|DELETE) /rest/v1/calicatas"
        try fail(changes)
        #expect(try remote.push(scene.made(1)).word == "confirmed")
        let change = try scene.change(scene.row(Scene.pit(1), remote), ["title": "mine"])
        try fail(changes)
        #expect(try remote.push(change).word == "confirmed")
        #expect(try scene.central("SELECT count(*), min(title) FROM calicatas") == "1|mine")
        let removal = try scene.removal(scene.row(Scene.pit(1), remote))
        try fail(changes)
        #expect(try ["confirmed", "gone"].contains(remote.push(removal).word))
        #expect(try scene.central("SELECT count(*) FROM calicatas") == "0")
    }

    /// Nobody knows then what was done: it is no refusal of the row.
    @Test(arguments: CentralWay.web, [#"{"status": 503}"#, #"{"close": "before"}"#, #"{"garbage": true}"#])
    func whatDoesNotPassIsThrown(_ way: CentralWay, _ fault: String) throws {
        let scene = try Scene(way), remote = try scene.connect()
        try scene.web?.fail(#"[{"match": "calicatas", "times": 99, "do": \#(fault)}]"#)
        func isThrown(_ body: () throws -> Void) -> Bool {
            do { try body() } catch let failure as any Failure { return failure.exitCode == .unavailable } catch {}
            return false
        }
        #expect(isThrown { try remote.withSnapshot { look in _ = try scene.codes(look) } })
        for operation in [PushOperation.insert, .update, .delete] {
            let item = scene.item(operation, ["title": "mine"], base: "2026-01-01T00:00:00Z")
            #expect(isThrown { _ = try remote.push(item) }, "\(operation)")
        }
    }

    // MARK: Files

    private static let photo = "project-files/orgs/-/projects/\(Scene.project)/calicatas/x/photos/a b.jpg"

    private static func content(_ count: Int) -> [UInt8] { SeededNumbers.bytes(count, seed: count) }

    /// - Parameter before: does something before bytes from a position on are read.
    private static func file(
        _ content: [UInt8], begun: String? = nil, keep: @escaping (String?) throws -> Void = { _ in },
        before: @escaping (Int64) throws -> Void = { _ in }
    ) -> OutgoingFile {
        OutgoingFile(bytes: Int64(content.count), type: "image/jpeg", begun: begun, keep: keep) { position, count in
            try before(position)
            return Array(content[Int(position)...].prefix(count))
        }
    }

    private func storage(_ scene: Scene, as email: String = Scene.field) throws -> any RemoteStorage {
        let make = try #require(scene.connect(email).makeStorage)
        return make()
    }

    private func fetched(_ storage: any RemoteStorage) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try storage.fetch(Self.photo) { span in
            unsafe span.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    @Test(arguments: CentralWay.allCases) func filesGoAndComeWhole(_ way: CentralWay) throws {
        let scene = try Scene(way)
        guard way.isWeb else { return #expect(try scene.connect().makeStorage == nil) }
        let storage = try storage(scene)
        #expect(try storage.size(of: Self.photo) == nil)
        // One is small; the other goes in three pieces, and takes the place of the first.
        for content in [Self.content(9000), Self.content(13 << 20), Self.content(0)] {
            var told: [Int64] = []
            for _ in 1...2 { try storage.send(Self.file(content), to: Self.photo) { told.append($0) } }
            #expect(told.last == Int64(content.count))
            #expect(try storage.size(of: Self.photo) == Int64(content.count) && fetched(storage) == content)
        }
        #expect(try scene.central("SELECT count(*) FROM storage.objects") == "1")
    }

    private static let breaks = [
        #"[{"match": "POST /storage/v1/object/", "do": {"close": "after"}}]"#,
        #"[{"match": "PATCH /storage/v1/upload", "after": 1, "do": {"close": "after"}}]"#,
        #"[{"match": "PATCH /storage/v1/upload", "after": 1, "do": {"close": "before"}}]"#,
        #"[{"match": "PATCH /storage/v1/upload", "do": {"status": 503}}]"#,
        #"[{"match": "POST /storage/v1/", "do": {"expire": true}}]"#,
    ]

    /// Storage is the same whatever the database carries.
    @Test(arguments: breaks) func aTransferThatBreaksOffGoesOn(_ fault: String) throws {
        let scene = try Scene(.supabase), storage = try storage(scene), web = try #require(scene.web)
        for content in [Self.content(9000), Self.content(13 << 20)] {
            try web.fail(fault)
            try storage.send(Self.file(content), to: Self.photo) { _ in }
            #expect(try web.file(Self.photo) == content)
        }
    }

    private struct Stopped: Error {}

    @Test(arguments: [false, true]) func anUploadGoesOnWhereItStopped(isForgotten: Bool) throws {
        let scene = try Scene(.supabase), web = try #require(scene.web), piece = 6 << 20
        let rest = 1 << 20, content = Self.content(2 * piece + rest)
        var kept: String?
        let broken = Self.file(content, keep: { kept = $0 }, before: { if $0 >= Int64(piece) { throw Stopped() } })
        #expect(throws: Stopped.self) { try storage(scene).send(broken, to: Self.photo) { _ in } }
        let begun = try #require(kept)
        try web.forget()
        if isForgotten { try web.forgetUploads() }
        try storage(scene).send(Self.file(content, begun: begun, keep: { kept = $0 }), to: Self.photo) { _ in }
        #expect(kept == nil, "it is over")
        #expect(try web.bytes(of: "^PATCH /storage") == (isForgotten ? [piece, piece, rest] : [piece, rest]))
        #expect(try web.file(Self.photo) == content)
    }

    @Test func whatIsRefusedOrNotThereIsSaid() throws {
        let scene = try Scene(.supabase), own = try storage(scene), content = Self.content(100)
        func refusal(_ body: () throws -> Void) -> String? {
            do { try body() } catch let failure as SupabaseFailure { return "\(failure.state ?? "") \(failure.exitCode)" } catch {}
            return nil
        }
        #expect(refusal { _ = try fetched(own) } == "not_found badInput")
        let elsewhere = Self.photo.replacing(Scene.project, with: Scene.other), reader = try storage(scene, as: Scene.reader)
        #expect(refusal { try own.send(Self.file(content), to: elsewhere) { _ in } } == "Unauthorized notPermitted")
        #expect(refusal { try reader.send(Self.file(content), to: Self.photo) { _ in } } == "Unauthorized notPermitted")
        try own.send(Self.file(content), to: Self.photo) { _ in }
        #expect(try fetched(reader) == content)
        try scene.leaveProject()
        #expect(refusal { _ = try fetched(own) } == "not_found badInput")
        #expect(try own.size(of: Self.photo) == nil)
    }
}
