import Foundation
import JSONReading
import Model
import Testing
import Workbench

@testable import Replica

/// What the remote answers is written down once, however often it is settled.
@Suite struct PushSettlementTests {
    /// A pit that the server has.
    private func scene(parts: [String] = []) throws -> PushScene {
        let scene = try PushScene()
        try scene.addProjects(["p1"])
        try scene.addPit("c1", parts: parts)
        try scene.push()
        scene.hold = PushHold()
        return scene
    }

    private func state(_ scene: PushScene) throws -> String {
        try scene.sql("SELECT sync_state, own_mark, coalesce(remote_updated_at, '-') FROM calicatas WHERE id = 'c1'").first ?? "gone"
    }

    /// Everything but the notes for kept verdicts.
    private func dump(_ scene: PushScene) throws -> [String] {
        try ["calicatas", "sync_queue", "conflicts", "activity_logs", "row_bases", "import_changes", "import_removals", "fichero_replica"].flatMap {
            try scene.sql("SELECT '\($0)', * FROM \($0)")
        }
    }

    @Test(arguments: [
        PushOutcome.Result.confirmed(version: "v9"), .failed(class: .storage, message: "disk"), .contested(remote: #"{"id":"c1","title":"b","updated_at":"v8"}"#), .gone,
    ]) func settledAgainNothingChanges(_ result: PushOutcome.Result) throws {
        let scene = try scene()
        try scene.edit("c1", "title", .text("a"))
        let item = try scene.next()[0]
        let stamps = try scene.sql("SELECT content_stamp, local_version FROM calicatas")
        try scene.settle([(item.id, result)])
        let after = try dump(scene)
        try scene.settle([(item.id, result)])
        #expect(try dump(scene) == after)
        #expect(try scene.sql("SELECT content_stamp, local_version FROM calicatas") == stamps)
        let expected = switch result {
        case .confirmed: "synced|0|v9"
        case .failed: "error|1|v2"
        case .contested: "conflict|1|v8"
        default: "conflict|1|v2"
        }
        #expect(try state(scene) == expected)
    }

    @Test func aConfirmedRowIsAsTheServerHasIt() throws {
        let scene = try scene()
        try scene.edit("c1", "title", .text("a"))
        #expect(try state(scene) == "pending_upload|1|v2")
        #expect(try scene.sql("SELECT count(*) FROM row_bases") == ["1"])
        try scene.push()
        #expect(try state(scene) == "synced|0|v3")
        #expect(try scene.sql("SELECT count(*) FROM row_bases") == ["0"])
        #expect(try scene.sql("SELECT count(*) FROM sync_queue") == ["0"])
    }

    @Test func theBaseFollowsEachConfirmedChange() throws {
        let scene = try scene()
        try scene.edit("c1", "title", .text("a"))
        try scene.edit("c1", "title", .text("b"))
        let item = try scene.next()[0]
        try scene.settle([(item.id, scene.server.take(item))])
        #expect(try state(scene) == "pending_upload|1|v3")
        #expect(try scene.sql("SELECT json_extract(row, '$.title') FROM row_bases") == ["a"])
        // An undo of the second change leads to what the server has now.
        try scene.undoLast()
        #expect(try state(scene) == "synced|0|v3")
        #expect(try scene.sql("SELECT title FROM calicatas") == ["a"])
        #expect(try scene.sql("SELECT count(*) FROM sync_queue") == ["0"])
    }

    @Test func ficherosOwnMarkStaysKnown() throws {
        let scene = try scene()
        try scene.write("UPDATE calicatas SET status = 'APROBADO'")
        scene.server.edit(RowKey(entity: "calicatas", id: "c1"), "status", .string("APROBADO"))
        try scene.write("UPDATE calicatas SET remote_updated_at = 'v3'")
        let context = RunContext(
            id: "run", asOf: testTime, timeZone: .gmt, language: .spanish, environment: "DEV", actor: scene.scene.actor, programVersion: "1")
        #expect(try scene.replica.mark(ExportRegistration.Marks(entity: "calicatas", ids: ["c1"]), context, at: testTime) == 1)
        #expect(try state(scene) == "pending_upload|1|v3")
        // Contested, the version before the mark is known.
        let item = try scene.next()[0]
        try scene.settle([(item.id, .contested(remote: #"{"id":"c1","title":"b","updated_at":"v4"}"#))])
        #expect(try scene.sql("SELECT json_extract(row, '$.status') FROM own_bases") == ["APROBADO"])
        #expect(try scene.conflicts().first?.hasBase == true)
        #expect(try scene.sql("SELECT from_state FROM own_marks") == ["APROBADO"])
    }

    @Test func aRemovedRowsVersionIsKnown() throws {
        let scene = try scene()
        try scene.edit("c1", "title", .text("a"))
        try scene.delete("c1")
        let sent = try scene.push()
        #expect(sent.map(\.operation) == [.update, .delete] && sent.map(\.base) == ["v2", "v3"])
        #expect(scene.server.rows[RowKey(entity: "calicatas", id: "c1")] == nil)
    }

    /// The row's change went up, and its removal was taken back before it did.
    @Test func aRemovalThatIsTakenBackLeavesNoBase() throws {
        let scene = try scene()
        try scene.edit("c1", "title", .text("a"))
        try scene.delete("c1")
        let item = try scene.next()[0]
        try scene.settle([(item.id, scene.server.take(item))])
        try scene.undoLast()
        #expect(try state(scene) == "synced|0|v3")
        #expect(try scene.sql("SELECT count(*) FROM row_bases") == ["0"])
    }

    /// A row that the server would not delete, and that is here again.
    @Test func whatWasRemovedInVainAndReturnedGoesUp() throws {
        let scene = try scene()
        try scene.delete("c1")
        func refuse(_ item: PushItem) -> PushOutcome.Result { item.operation == .delete ? .failed(class: .rls, message: "no") : scene.server.take(item) }
        try scene.push { refuse($0) }
        try scene.addPit("c1")
        try scene.edit("c1", "title", .text("again"))
        try scene.push { refuse($0) }
        try scene.push { refuse($0) }
        let key = RowKey(entity: "calicatas", id: "c1")
        #expect(try scene.sql("SELECT count(*) FROM sync_queue") == ["0"])
        #expect(try scene.server.rows[key]?.fields == scene.fields(key) && state(scene).hasPrefix("synced|0|"))
    }

    @Test func aRemovalThatWentUpIsTakenBackAsANewRow() throws {
        let scene = try scene(parts: ["s1"])
        let before = scene.server.rows.mapValues(\.fields)
        try scene.delete("c1")
        try scene.push()
        #expect(scene.server.rows.count == 1)
        try scene.undoLast()
        #expect(try state(scene) == "local_only|0|-")
        #expect(try scene.push().map(\.operation) == [.insert, .insert])
        #expect(scene.server.rows.mapValues(\.fields) == before)
    }

    @Test func whatIsGoneAlreadyIsDeleted() throws {
        let scene = try scene()
        try scene.delete("c1")
        let item = try scene.next()[0]
        try scene.settle([(item.id, .gone)])
        #expect(try scene.sql("SELECT count(*) FROM sync_queue") == ["0"])
    }

    @Test func aFailureIsShortAndQuotesNobody() throws {
        let scene = try scene()
        try scene.edit("c1", "title", .text("a"))
        for count in 1...2 {
            let text = "duplicate key: Key (email)=(ana@example.pe) already exists\nDETAIL: secret " + String(repeating: "x", count: 900)
            #expect(try scene.push { _ in .failed(class: .storage, message: text) }.map(\.attempts) == [count - 1])
        }
        #expect(try scene.sql("SELECT retry_count, last_error FROM sync_queue") == ["2|storage: duplicate key: Key (email)=(•••) already exists"])
        #expect(PushError.text(.schema, #"invalid input syntax for type uuid: "Ana""#) == "schema: invalid input syntax for type uuid: •••")
        #expect(PushError.text(.sync, String(repeating: "x", count: 900)).count == PushError.longest)
        // After a failure the row is tried again, and is as if nothing had been.
        try scene.push()
        #expect(try state(scene) == "synced|0|v3")
    }
}
