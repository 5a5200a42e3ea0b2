import JSONReading
import Model
import Testing
import Workbench

@testable import Replica

/// A contested change waits for a person's decision. The decision then goes up, on the version that
/// the remote had.
@Suite struct PushConflictTests {
    private let pit = RowKey(entity: "calicatas", id: "c1")

    /// A pit of which both sides changed the title.
    private func contested() throws -> PushScene {
        let scene = try PushScene()
        try scene.addProjects(["p1"])
        try scene.addPit("c1")
        try scene.push()
        try scene.edit("c1", "title", .text("mine"))
        scene.server.edit(pit, "title", .string("theirs"))
        try scene.push()
        return scene
    }

    @Test func bothSidesAndTheBaseAreKept() throws {
        let scene = try contested()
        let conflict = try #require(try scene.conflicts().first)
        #expect(conflict.hasBase && conflict.differences.map(\.remote) == ["theirs"] && conflict.differences.map(\.local) == ["mine"])
        #expect(try scene.sql("SELECT sync_state, remote_updated_at FROM calicatas") == ["conflict|v3"], "the version that was seen last")
        #expect(try scene.push().isEmpty)
        #expect(scene.hold.counts == [.conflict: 1])
        #expect(try scene.sql("SELECT retry_count FROM sync_queue") == ["0"])
    }

    @Test(arguments: [ConflictDecision.Side.local, .remote]) func theDecisionGoesUpOnTheRemotesVersion(_ side: ConflictDecision.Side) throws {
        let scene = try contested()
        try scene.end(#require(try scene.conflicts().first), side)
        let sent = try scene.push()
        // Only the decision: the change from before it is not what anybody wants any more.
        #expect(sent.map(\.base) == ["v3"] && sent.map(\.operation) == [.update])
        #expect(scene.server.rows[pit]?.fields["title"] == .string(side == .local ? "mine" : "theirs"))
        #expect(try scene.sql("SELECT sync_state, own_mark FROM calicatas") == ["synced|0"])
        #expect(try scene.sql("SELECT count(*) FROM sync_queue") == ["0"])
    }

    @Test func aDecisionThatIsTakenBackIsOpenAgain() throws {
        let scene = try contested()
        try scene.end(#require(try scene.conflicts().first), .remote)
        try scene.undoLast()
        #expect(try scene.sql("SELECT sync_state, remote_updated_at, title FROM calicatas") == ["conflict|v3|mine"])
        try scene.end(#require(try scene.conflicts().first), .local)
        try scene.push()
        #expect(scene.server.rows[pit]?.fields["title"] == .string("mine"))
    }

    @Test(arguments: [ConflictDecision.Side.local, .remote]) func aRemovalIsDecidedToo(_ side: ConflictDecision.Side) throws {
        let scene = try PushScene()
        try scene.addProjects(["p1"])
        try scene.addPit("c1")
        try scene.push()
        try scene.delete("c1")
        scene.server.edit(pit, "title", .string("theirs"))
        try scene.push()
        try scene.end(#require(try scene.conflicts().first), side)
        try scene.push()
        #expect(try scene.fields(pit) == scene.server.rows[pit]?.fields)
        #expect((scene.server.rows[pit] == nil) == (side == .local))
        #expect(try scene.sql("SELECT count(*) FROM sync_queue") == ["0"])
    }

    @Test(arguments: [ConflictDecision.Side.local, .remote]) func whatTheRemoteDeletedIsDecided(_ side: ConflictDecision.Side) throws {
        let scene = try PushScene()
        try scene.addProjects(["p1"])
        try scene.addPit("c1")
        try scene.push()
        try scene.edit("c1", "title", .text("mine"))
        scene.server.rows[pit] = nil
        try scene.push()
        let conflict = try #require(try scene.conflicts().first)
        #expect(conflict.isDeletion)
        try scene.end(conflict, side)
        try scene.push()
        #expect(try scene.fields(pit) == scene.server.rows[pit]?.fields)
        #expect((scene.server.rows[pit] == nil) == (side == .remote))
        #expect(try scene.sql("SELECT count(*) FROM sync_queue") == ["0"])
    }

    /// Found by the simulation: the deletion of a record was taken for what brings it.
    @Test func aNewPartGoesWithItsRecordThatTheRemoteDeleted() throws {
        let scene = try PushScene()
        try scene.addProjects(["p1"])
        try scene.addPit("c1")
        try scene.push()
        try scene.change([row("calicata_cortes", "s1", ["calicata_id": .text("c1"), "number": .integer(1)])])
        try scene.edit("c1", "title", .text("mine"))
        scene.server.rows[pit] = nil
        try scene.push()
        try scene.end(#require(try scene.conflicts().first), .remote)
        // Twice the remote refuses it; then its removal goes in its place.
        for _ in 1...3 { try scene.push() }
        #expect(try scene.sql("SELECT operation, entity_id FROM sync_queue") == [])
    }

    /// A file is not the remote: its conflict says nothing about the remote's version.
    @Test func aFilesConflictLeavesTheVersion() throws {
        let scene = try PushScene()
        try scene.addProjects(["p1"])
        try scene.addPit("c1")
        try scene.push()
        try scene.scene.importing([row("calicatas", "c1", ["title": .text("old file")])])
        try scene.end(#require(try scene.conflicts().first), .local)
        #expect(try scene.sql("SELECT remote_updated_at FROM calicatas") == ["v2"])
        #expect(try scene.push().map(\.base) == ["v2"])
    }

    /// The same contest comes again, as when an answer was lost after the decision.
    @Test func whatWasDecidedIsNotAskedAgain() throws {
        let scene = try contested()
        let remote = scene.server.json(pit)
        try scene.end(#require(try scene.conflicts().first), .local)
        try scene.write("UPDATE calicatas SET remote_updated_at = 'v2'")
        #expect(try scene.push { _ in .contested(remote: remote) }.count == 1)
        #expect(try scene.conflicts().isEmpty)
        #expect(try scene.push().map(\.base) == ["v3"])
        #expect(try scene.sql("SELECT sync_state FROM calicatas") == ["synced"])
    }
}
