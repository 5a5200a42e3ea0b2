import Model
import Testing
import Workbench

@testable import Replica

/// Changes go up in the order in which they happened, and only what hangs on a stuck one waits.
@Suite struct PushOrderTests {
    private func ids(_ items: [PushItem]) -> [String] { items.map(\.rowID) }

    @Test func changesGoUpInTheirOrderAcrossProjects() throws {
        let scene = try PushScene()
        try scene.addProjects()
        try scene.addPit("c1", in: "p2", parts: ["s1"])
        try scene.addPit("c2", in: "p1")
        try scene.edit("c1", "title", .text("x"))
        let sent = try scene.push()
        #expect(ids(sent) == ["p1", "p2", "c1", "s1", "c2", "c1"])
        #expect(sent.map(\.operation) == [.insert, .insert, .insert, .insert, .insert, .update])
        #expect(try scene.sql("SELECT count(*) FROM sync_queue") == ["0"])
    }

    @Test func aPageEndsWhereAnAnswerIsNeeded() throws {
        let scene = try PushScene()
        try scene.addProjects()
        try scene.push()
        scene.hold = PushHold()
        try scene.addPit("c1")
        try scene.addPit("c2", parts: ["s1"])
        try scene.edit("c1", "title", .text("x"))
        // A part waits for the answer about its new pit.
        let first = try scene.next()
        #expect(ids(first) == ["c1", "c2"])
        #expect(first.map(\.base) == [nil, nil])
        try scene.settle(first.map { ($0.id, .confirmed(version: "a+\($0.rowID)")) })
        // The base of a row's second change is the answer to its first one.
        let second = try scene.next(after: first.last?.position)
        #expect(ids(second) == ["s1", "c1"])
        #expect(second[1].operation == .update && second[1].base == "a+c1")
        try scene.settle([(second[1].id, .confirmed(version: "b"))])
        #expect(try scene.sql("SELECT sync_state, remote_updated_at FROM calicatas WHERE id = 'c1'") == ["synced|b"])
    }

    @Test func aPageHasOneItemOfARow() throws {
        let scene = try PushScene()
        try scene.addProjects()
        try scene.addPit("c1")
        try scene.push()
        scene.hold = PushHold()
        try scene.edit("c1", "title", .text("1"))
        try scene.edit("c1", "title", .text("2"))
        let page = try scene.next()
        #expect(page.count == 1)
        // Without an answer, the second one waits.
        #expect(try scene.next(after: page.last?.position).isEmpty)
        #expect(scene.hold.counts == [.earlier: 1])
    }

    @Test func pagesHaveNoMoreThanWasAskedFor() throws {
        let scene = try PushScene()
        try scene.addProjects((1...9).map { "p\($0)" })
        #expect(try scene.next(most: 4).count == 4)
    }

    @Test func aFailedRecordHoldsItsPartsAndNothingElse() throws {
        let scene = try PushScene()
        try scene.addProjects()
        try scene.addPit("c1", parts: ["s1", "s2"])
        try scene.addPit("c2", parts: ["s3"])
        try scene.edit("c1", "title", .text("x"))
        let sent = try scene.push { $0.rowID == "c1" ? .failed(class: .rls, message: "no") : scene.server.take($0) }
        #expect(ids(sent) == ["p1", "p2", "c1", "c2", "s3"])
        #expect(scene.hold.counts == [.reference: 2, .earlier: 1])
        #expect(try scene.sql("SELECT entity_id, retry_count, last_error FROM sync_queue ORDER BY content_stamp, id") == [
            "c1|1|rls: no", "s1|0|", "s2|0|", "c1|0|",
        ])
        #expect(try scene.sql("SELECT sync_state FROM calicatas ORDER BY id") == ["error", "synced"])
        // The next run tries again.
        #expect(try ids(scene.push()) == ["c1", "s1", "s2", "c1"])
        #expect(try scene.sql("SELECT count(*) FROM sync_queue") == ["0"])
    }

    @Test func whatRefersToAnotherProjectsNewRowWaits() throws {
        let scene = try PushScene()
        try scene.addProjects()
        try scene.addPit("c1", in: "p1")
        try scene.write("UPDATE sync_queue SET project_id = 'p2' WHERE entity_id = 'p1'")
        #expect(try scene.push(of: ["p1"]) { scene.server.take($0) }.isEmpty)
        #expect(scene.hold.counts == [.reference: 1])
    }

    @Test func anOwnerIsNotDeletedBeforeItsParts() throws {
        let scene = try PushScene()
        try scene.addProjects()
        try scene.addPit("c1", parts: ["s1", "s2"])
        try scene.push()
        try scene.delete("c1")
        let sent = try scene.push { $0.rowID == "s1" ? .failed(class: .permission, message: "no") : scene.server.take($0) }
        #expect(ids(sent).sorted() == ["s1", "s2"])
        #expect(sent.allSatisfy { $0.operation == .delete && $0.base != nil })
        #expect(scene.hold.counts == [.parts: 1])
        #expect(try ids(scene.push()) == ["s1", "c1"])
        #expect(scene.server.rows.keys.map(\.id).sorted() == ["p1", "p2"])
    }

    @Test func filesAndUnknownTablesAreLeftOut() throws {
        let scene = try PushScene()
        try scene.addProjects(["p1"])
        try scene.write("INSERT INTO sync_queue (id, operation, entity_type, entity_id) VALUES ('q1', 'UPLOAD', 'calicata_photos', 'f1'), ('q2', 'INSERT', 'gone', 'g1')")
        #expect(try ids(scene.push()) == ["p1"])
        #expect(scene.hold.counts == [.unknown: 1])
        #expect(try scene.sql("SELECT id FROM sync_queue ORDER BY 1") == ["q1", "q2"])
    }

    /// Somebody edits a row while its earlier change goes up.
    @Test func whatIsWrittenDuringARunIsNotForgotten() throws {
        let scene = try PushScene()
        try scene.addProjects(["p1"])
        let page = try scene.next()
        try scene.change([row("projects", "p1", ["name": .text("new")])])
        try scene.settle([(page[0].id, .confirmed(version: "a"))])
        #expect(try scene.sql("SELECT sync_state, remote_updated_at FROM projects") == ["pending_upload|a"])
        #expect(try scene.next(after: page.last?.position).map(\.base) == ["a"])
    }

    @Test func theSummarySaysWhatWaitsAndWhy() throws {
        let scene = try PushScene()
        try scene.addProjects()
        try scene.addPit("c1", parts: ["s1"])
        try scene.addPit("c2")
        try scene.push { $0.rowID == "c2" ? .failed(class: .schema, message: "no column") : $0.rowID == "c1" ? .contested(remote: #"{"id":"c1","updated_at":"x"}"#) : scene.server.take($0) }
        let summary = try scene.replica.pushSummary(by: scene.actor)
        #expect(summary.waiting == [.init(entity: "calicata_cortes", operation: .insert, count: 1), .init(entity: "calicatas", operation: .insert, count: 2)])
        #expect(summary.failed == [.init(kind: .schema, count: 1, since: "2026-03-01T12:00:00Z")])
        #expect(summary.held == [.init(entity: "calicata_cortes", reason: .reference, count: 1), .init(entity: "calicatas", reason: .conflict, count: 1)])
        #expect(summary.logs > 0)
        #expect(try scene.replica.pushSummary(of: ["p2"], by: scene.actor).waiting.isEmpty)
    }

    @Test func logsGoUpByTheirOwnState() throws {
        let scene = try PushScene()
        try scene.addProjects()
        try scene.push()
        let total = try scene.replica.pushSummary(by: scene.actor).logs
        var (sent, after): ([PushItem], PushPosition?) = ([], nil)
        while true {
            let page = try scene.replica.nextLogRows(of: nil, by: scene.actor, after: after, most: 2, held: scene.hold)
            guard let last = page.last else { break }
            sent += page
            after = last.position
            try scene.settle(page.map { ($0.id, .confirmed(version: "v")) })
            try scene.settle(page.map { ($0.id, .confirmed(version: "w")) })
        }
        #expect(sent.count == total && total > 2)
        #expect(sent.allSatisfy { $0.entity == "activity_logs" && $0.operation == .insert && $0.payload?.contains(#""action""#) == true })
        #expect(try scene.sql("SELECT DISTINCT sync_state, remote_updated_at FROM activity_logs") == ["synced|v"])
        #expect(try ids(sent) == scene.sql("SELECT id FROM activity_logs ORDER BY content_stamp, rowid"))
    }

    @Test func aLogOfAProjectThatIsNotThereWaits() throws {
        let scene = try PushScene()
        try scene.addProjects(["p1"])
        try scene.push { _ in .failed(class: .rls, message: "no") }
        var colleague = scene.actor
        colleague.id = "p9"
        let page = try scene.replica.nextLogRows(of: ["p1"], by: colleague, after: nil, most: 10, held: scene.hold)
        #expect(page.isEmpty && scene.hold.counts[.reference, default: 0] > 0)
    }
}
