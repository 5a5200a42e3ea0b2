import Foundation
import JSONReading
import Model
import Postgres
import Synchronization
import Testing
import Workbench

@testable import Remotes

/// Changes go up by compare and swap, each by itself, and twice as once.
extension CentralDatabaseContractTests {
    @Test(arguments: CentralWay.allCases) func aNewRowIsThereOnce(_ way: CentralWay) throws {
        let scene = try Scene(way), remote = try scene.connect(), title = #"Ñandú “x”\y"#
        let insertion = scene.made(1, ["title": "\(title)"])
        let version = try #require(remote.push(insertion).version)
        #expect(try scene.row(Scene.pit(1), remote).version == version)
        #expect(try remote.push(insertion) == .confirmed(version: version), "an answer was lost")
        let other = try remote.push(scene.made(1, ["title": "other"]))
        #expect(other.remote?["title"]?.text == title, "\(other)")
        #expect(try scene.central("SELECT title, depth_m = 1.5 FROM calicatas") == title + "|t")
    }

    @Test(arguments: CentralWay.allCases) func aChangeIsMadeOfTheVersionThatItsAuthorSaw(_ way: CentralWay) throws {
        let scene = try Scene(way), remote = try scene.connect()
        let seen = try scene.row(scene.add(pit: 1), remote), change = scene.change(seen, ["title": "Río"])
        let version = try #require(remote.push(change).version)
        #expect(version > seen.version)
        #expect(try remote.push(change) == .confirmed(version: version), "to push twice is to push once")
        let contested = try remote.push(scene.change(seen, ["title": "other", "location": "km 3"]))
        let there = ["title", "depth_m", "updated_at"].map { contested.remote?[$0]?.stated }
        #expect(there == ["Río", "1.5", version], "\(contested)")
        #expect(try remote.push(scene.removal(seen)).word == "contested")
        #expect(try scene.central("SELECT title, location IS NULL FROM calicatas") == "Río|t")
        let removal = try scene.removal(scene.row(Scene.pit(1), remote))
        #expect(try remote.push(removal).word == "confirmed")
        #expect(try remote.push(removal) == .gone && scene.central("SELECT count(*) FROM calicatas") == "0")
    }

    @Test(arguments: CentralWay.allCases) func whatOthersDeletedIsGoneOrHidden(_ way: CentralWay) throws {
        let scene = try Scene(way), remote = try scene.connect(), seen = try scene.row(scene.add(pit: 1), remote)
        try scene.central("DELETE FROM calicatas")
        // A server without our SQL has no memory of what was deleted.
        #expect(try remote.push(scene.change(seen, ["title": "mine"])).word == (way.isForeign ? "rls" : "gone"))
        var removal = scene.removal(seen)
        #expect(try remote.push(removal) == .gone)
        removal.projectID = nil
        #expect(try remote.push(removal) == .gone, "what belongs to no project is hidden from nobody who works")
        #expect(try remote.push(scene.item(.delete)) == .gone, "the server never confirmed it")
    }

    @Test(arguments: CentralWay.allCases) func aDeletionTakesNoPartThatItsAuthorDidNotKnow(_ way: CentralWay) throws {
        let scene = try Scene(way), remote = try scene.connect(), part = try scene.add(part: 1, to: scene.add(pit: 1))
        let removal = try scene.removal(scene.row(Scene.pit(1), remote))
        #expect(try remote.push(removal).word == "contested")
        let ofPart = try scene.removal(scene.row(part, remote, of: "calicata_cortes"), entity: "calicata_cortes")
        #expect(try remote.push([ofPart, removal]).map(\.result.word) == ["confirmed", "confirmed"])
    }

    /// Somebody adds a part and is not done when the deletion begins.
    @Test(arguments: [CentralWay.postgres, .supabase, .foreign]) func aDeletionWaitsForWhoAddsAPart(_ way: CentralWay)
        throws
    {
        let scene = try Scene(way), ended = DispatchSemaphore(value: 0)
        nonisolated(unsafe) let remote = try scene.connect()
        let removal = try unsafe scene.removal(scene.row(scene.add(pit: 1), remote))
        let result = Mutex(""), watch = try PostgresConnection(scene.owner.settings)
        try scene.owner.transaction {
            // The reference is checked now, and not at the end.
            try scene.owner.run("SET CONSTRAINTS ALL IMMEDIATE")
            try scene.add(part: 1, to: Scene.pit(1))
            Thread.detachNewThread {
                let pushed = Result { try unsafe remote.push([removal]).map(\.result.word).joined() }
                result.withLock { $0 = (try? pushed.get()) ?? "\(pushed)" }
                ended.signal()
            }
            let waits =
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            #expect(try (0..<50_000).contains { _ in try watch.run(waits)[row: 0, column: 0] == "1" }, "it waits")
        }
        ended.wait()
        #expect(result.withLock { $0 } == "contested")
        #expect(try scene.central("SELECT (SELECT count(*) FROM calicatas), count(*) FROM calicata_cortes") == "1|1")
    }

    @Test(arguments: CentralWay.allCases) func anItemFailsByItselfAndSaysWhy(_ way: CentralWay) throws {
        let scene = try Scene(way), remote = try scene.connect()
        try scene.addOther()
        try scene.central("ALTER TABLE calicatas ADD CONSTRAINT shallow CHECK (depth_m < 5)")
        func part(_ number: Int, of pit: Int) -> PushItem {
            let values: [String: Scene.Value] = ["calicata_id": "\(Scene.pit(pit))", "number": .init(json: "\(number)")]
            return scene.item(.insert, values, id: Scene.part(number), entity: "calicata_cortes")
        }
        let items: [(PushItem, String)] = [
            (scene.made(2, ["project_id": "\(Scene.other)"]), "rls"),
            (scene.made(3, ["status": "APROBADO"]), "permission"),
            (scene.made(4, ["depth_m": .init(json: "7")]), "schema"),
            (scene.made(5, ["depth_m": "deep"]), "schema"),
            (scene.made(1), "confirmed"),
            (scene.item(.insert, entity: "no_table"), "schema"),
            (scene.item(.update, ["title": "mine"], id: Scene.pit(9)), "rls"),
            (scene.item(.delete, id: Scene.pit(9), base: "2026-01-01T00:00:00Z"), way.isForeign ? "gone" : "rls"),
            (part(1, of: 1), "confirmed"),
        ]
        let results = try remote.push(items.map(\.0)).map(\.result)
        #expect(results.map(\.word) == items.map(\.1), "\(results)")
        #expect(try ["rls", "schema"].contains(remote.push(part(2, of: 2)).word), "its record failed")
        #expect(try scene.central("SELECT c.code, count(*) FROM calicatas AS c, calicata_cortes GROUP BY 1") == "C-01|1")
    }

    @Test(arguments: CentralWay.allCases) func whatRowSecurityRefusesInSilenceIsNoConflict(_ way: CentralWay) throws {
        let scene = try Scene(way), remote = try scene.connect(), seen = try scene.row(scene.add(pit: 1), remote)
        try scene.central("DROP POLICY fichero_update ON calicatas; DROP POLICY fichero_delete ON calicatas")
        for item in [scene.change(seen, ["title": "mine"]), scene.removal(seen)] {
            let refused = PushOutcome.refusedInSilence(item.operation)
            #expect(try remote.push(item) == .failed(class: .rls, message: refused))
        }
    }

    /// Others would not learn of the change.
    @Test(arguments: CentralWay.allCases) func aVersionThatDoesNotMoveIsAMistakeOfTheServer(_ way: CentralWay) throws {
        let scene = try Scene(way), remote = try scene.connect(), seen = try scene.row(scene.add(pit: 1), remote)
        try scene.central(
            """
            CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql
                AS 'BEGIN NEW.updated_at := OLD.updated_at; RETURN NEW; END';
            CREATE TRIGGER zz_keep BEFORE UPDATE ON calicatas FOR EACH ROW EXECUTE FUNCTION keep()
            """)
        let told = try remote.push(scene.change(seen, ["title": "mine"]))
        #expect(told == .failed(class: .schema, message: PushOutcome.unmovedVersion))
    }

    /// Nothing gives a changed row a new version there.
    @Test(arguments: CentralWay.inexact)
    func whatWasChangedWithoutANewVersionIsNotWrittenOver(_ way: CentralWay) throws {
        let scene = try Scene(way), remote = try scene.connect(), seen = try scene.row(scene.add(pit: 1), remote)
        try scene.central("DROP TRIGGER touch ON calicatas; UPDATE calicatas SET title = 'theirs'")
        #expect(try remote.push(scene.change(seen, ["location": "km 3"])).remote?["title"]?.text == "theirs")
        #expect(try remote.push(scene.removal(seen)).word == "contested")
        // What goes up gets a version, so that others find it.
        let now = try scene.row(Scene.pit(1), remote)
        let version = try #require(remote.push(scene.change(now, ["title": "mine"])).version)
        #expect(now.version == seen.version && version > now.version)
    }

    // MARK: Values

    @Test(arguments: CentralWay.allCases) func whatOnlyTheServerHasOfAValueStaysThere(_ way: CentralWay) throws {
        let scene = try Scene(way), remote = try scene.connect(), pit = try scene.add(pit: 1)
        func expectKept(_ depths: String...) throws {
            for depth in depths {
                try scene.central("UPDATE calicatas SET depth_m = '\(depth)', title = NULL")
                let change = try scene.change(scene.row(pit, remote), ["title": "mine"])
                #expect(try remote.push(change).word == "confirmed", "\(depth)")
                #expect(try scene.central("SELECT title, depth_m = '\(depth)' FROM calicatas") == "mine|t", "\(depth)")
            }
        }
        try scene.central("ALTER TABLE calicatas ALTER depth_m TYPE numeric")
        try expectKept("1.2345678901234567891", "0.1000000000000000055", "1e400", "Infinity", "-Infinity", "NaN")
        // Whoever mends it here writes over it there.
        let mended = try scene.change(scene.row(pit, remote), ["depth_m": .init(json: "2.25")])
        #expect(try remote.push(mended).word == "confirmed")
        #expect(try scene.central("SELECT depth_m FROM calicatas") == "2.25")
        try scene.central("ALTER TABLE calicatas ALTER depth_m TYPE text")
        try expectKept("two metres", "0x10")
    }

    /// PostgreSQL writes `jsonb` in its own way.
    @Test(arguments: CentralWay.allCases) func documentsAreTheSameInAnyForm(_ way: CentralWay) throws {
        let scene = try Scene(way), remote = try scene.connect(), pit = try scene.add(pit: 1)
        let table = "calicata_photos", photo = Scene.part(9)
        let made: [String: Scene.Value] = [
            "calicata_id": "\(pit)", "filename": "a.jpg", "kind": "pit", "gps_json": #"{"b": 1, "a": [2, 3]}"#,
        ]
        #expect(try remote.push(scene.item(.insert, made, id: photo, entity: table)).word == "confirmed")
        for type in ["json", "jsonb"] {
            try scene.central("ALTER TABLE calicata_photos ALTER gps_json TYPE \(type) USING gps_json::\(type)")
            let changes: [[String: Scene.Value]] = [
                ["caption": "one \(type)"], ["caption": "two", "gps_json": #"{"long":1.50,"b":[1,2]}"#],
            ]
            for values in changes {
                let item = try scene.change(scene.row(photo, remote, of: table), values, entity: table)
                for _ in 1...2 { #expect(try remote.push(item).word == "confirmed", "\(type)") }
            }
        }
        let there = try scene.central("SELECT caption, gps_json FROM calicata_photos")
        #expect(there == #"two|{"b": [1, 2], "long": 1.50}"#)
    }
}
