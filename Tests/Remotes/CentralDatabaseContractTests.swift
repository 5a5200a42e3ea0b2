import Foundation
import JSONReading
import Model
import Postgres
import Replica
import Testing
import Workbench

@testable import Remotes

/// What a sync needs of a central database, whichever way leads to it. `SyncEngine` relies on these
/// facts alone; runs of the program try one server of each kind.
@Suite struct CentralDatabaseContractTests {
    typealias Scene = ContractScene

    @Test(arguments: CentralWay.allCases) func whatComesAfterTheMomentIsForTheNextLook(_ way: CentralWay) throws {
        let scene = try Scene(way), remote = try scene.connect(), pits = try scene.entity("calicatas")
        let first = try remote.withSnapshot { look in
            #expect(look.isExact == !way.isForeign && look.isOneMoment == !way.isWeb)
            #expect(try look.projects() == [Scene.project])
            try scene.add(pit: 1)
            let (proof, later) = try look.proof(of: pits, in: Scene.project)
            #expect(proof == RowsProof(rows: 0, digest: "0") && later == (way.isWeb ? [Scene.pit(1)] : []))
            // The tables of a foreign project have no memory of a moment.
            if way != .foreignSupabase { #expect(try scene.codes(look).isEmpty) }
            return look.position
        }
        try remote.withSnapshot { look throws in
            #expect(first.leads(to: look.position))
            #expect(try scene.codes(look, since: first) == ["C-01"])
        }
    }

    /// After a restore the numbers of transactions recur.
    @Test(arguments: CentralWay.exact) func aServerThatWasRestoredOrCopiedIsAnotherOne(_ way: CentralWay) throws {
        let scene = try Scene(way), remote = try scene.connect()
        let position = try remote.withSnapshot { $0.position }
        var (other, ahead) = (position, position)
        (other.timeline, ahead.snapshot) = ("99", "99999999:99999999:")
        let next = try remote.withSnapshot { $0.position }
        #expect(!other.leads(to: next) && !ahead.leads(to: next) && position.beginning.leads(to: next))
        // Rows with numbers of another cluster would never be seen.
        try scene.add(pit: 1)
        try scene.central("SET session_replication_role = replica; UPDATE calicatas SET sync_xid = '99999999'")
        do {
            try remote.withSnapshot { _ in }
            Issue.record("it is followed")
        } catch let failure as any Failure {
            let message = failure.arguments["message"] ?? ""
            #expect(failure.exitCode == .badInput && message.contains("copied from another server"), "\(failure)")
        }
    }

    // MARK: Rows

    @Test(arguments: CentralWay.allCases) func valuesArriveAsTheServerHasThem(_ way: CentralWay) throws {
        let scene = try Scene(way)
        var random = SeededNumbers(20_261_123), expected: [String: [String?]] = [:]
        for number in 0..<60 {
            let id = String(format: "20000000-0000-4000-8000-%012d", number)
            let decimals = Int.random(in: 0...6, using: &random)
            let depth = String(format: "%.\(decimals)f", Double.random(in: -1e6...1e6, using: &random))
            let micros = Int64.random(in: 0...4_000_000_000_000_000, using: &random)
            let length = Int.random(in: 0...20, using: &random)
            let text = String((0..<length).map { _ in "aé\t\n\\ñ\"'😀".randomElement(using: &random) ?? "a" })
            try scene.owner.run(
                """
                INSERT INTO calicatas (id, project_id, depth_m, observations, created_at) VALUES
                    ($1::uuid, $2::uuid, $3::numeric, $4, 'epoch'::timestamptz + $5::bigint * interval '1 microsecond')
                """, [id, Scene.project, depth, text, String(micros)])
            let time = Timestamp.format(Date(timeIntervalSince1970: Double(micros) / 1_000_000))
            expected[id] = [Double(depth)?.description, text, time, nil]
        }
        try scene.connect().withSnapshot { look throws in
            let names = ["depth_m", "observations", "created_at", "code"]
            #expect(try scene.rows(look).mapValues { row in names.map { row.texts[$0] } } == expected)
        }
    }

    /// Numbers have more digits there than a replica holds, or are none.
    @Test(arguments: CentralWay.allCases) func whatATypeCannotHoldArrivesAsItStandsThere(_ way: CentralWay) throws {
        let scene = try Scene(way)
        func depths() throws -> [String] {
            let rows = try scene.connect().withSnapshot { look in try scene.rows(look) }
            return rows.sorted { $0.key < $1.key }.map { $0.value.texts["depth_m"] ?? "-" }
        }
        try scene.central("ALTER TABLE calicatas ALTER depth_m TYPE numeric")
        let none = ["NaN", "Infinity", "-Infinity"], large = "1" + String(repeating: "0", count: 400)
        for (index, depth) in (["1.2345678901234567891", "0.1000000000000000055", "2.50", large] + none).enumerated() {
            try scene.central("UPDATE calicatas SET depth_m = '\(depth)' WHERE id = '\(scene.add(pit: index + 1))'")
        }
        let arrived = try depths()
        #expect(arrived == ["1.2345678901234567", "0.1", "2.5", large] + none)
        try scene.central("ALTER TABLE calicatas ALTER depth_m TYPE text; DELETE FROM calicatas WHERE code > 'C-02'")
        try scene.central("UPDATE calicatas SET depth_m = CASE code WHEN 'C-01' THEN 'two metres' ELSE '0x10' END")
        #expect(try depths() == ["two metres", "0x10"])
    }

    /// A text may be longer here than in any file that is read.
    @Test(arguments: CentralWay.allCases) func aTextOfManyMegabytesIsOneLikeAnother(_ way: CentralWay) throws {
        let scene = try Scene(way), remote = try scene.connect(), pit = try scene.add(pit: 1), count = 8_000_000
        try scene.central("UPDATE calicatas SET description = repeat('x', \(count))")
        let seen = try scene.row(pit, remote)
        #expect(seen.texts["description"]?.utf8.count == count)
        try scene.central("UPDATE calicatas SET title = 'theirs'")
        let contested = try remote.push(scene.change(seen, ["title": "mine"]))
        #expect(contested.remote?["description"]?.text?.utf8.count == count)
        #expect(try remote.push(scene.change(scene.row(pit, remote), ["title": "mine"])).word == "confirmed")
    }

    @Test(arguments: CentralWay.allCases) func changedRowsComeOnceOrAgainForAWhile(_ way: CentralWay) throws {
        let scene = try Scene(way), remote = try scene.connect()
        try scene.add(pit: 1)
        try scene.add(pit: 2, isOld: true)
        let first = try remote.withSnapshot { look throws in
            #expect(try scene.codes(look) == ["C-01", "C-02"])
            return look.position
        }
        try scene.central("UPDATE calicatas SET title = 'Río' WHERE code = 'C-01'")
        let second = try remote.withSnapshot { look in
            let rows = try scene.rows(look, since: first)
            #expect(rows.keys.sorted() == [Scene.pit(1)] && rows[Scene.pit(1)]?.texts["title"] == "Río")
            return look.position
        }
        try remote.withSnapshot { look throws in
            #expect(try scene.codes(look, since: second) == (way.isForeign ? ["C-01"] : []))
        }
    }

    @Test(arguments: CentralWay.allCases) func whatIsCommittedLateComesToo(_ way: CentralWay) throws {
        let scene = try Scene(way), remote = try scene.connect()
        // The transaction begins before the look and ends after it.
        try scene.owner.run("BEGIN")
        try scene.add(pit: 1)
        let values = "gen_random_uuid(), '\(Scene.project)', 'C-02'"
        try scene.central("INSERT INTO calicatas (id, project_id, code) VALUES (\(values))")
        let first = try remote.withSnapshot { look throws in
            #expect(try scene.codes(look) == ["C-02"])
            return look.position
        }
        try scene.owner.run("COMMIT")
        let codes = try remote.withSnapshot { look in try scene.codes(look, since: first) }
        #expect(codes == (way.isForeign ? ["C-01", "C-02"] : ["C-01"]))
    }

    /// A server cuts its answers in silence.
    @Test(arguments: CentralWay.web) func pagesThatAreCutLoseNothing(_ way: CentralWay) throws {
        let scene = try Scene(way, options: ["--cap", "3"]), remote = try scene.connect()
        let pits = try scene.entity("calicatas"), values = "gen_random_uuid(), '\(Scene.project)', 'C-' || n"
        try scene.central("INSERT INTO calicatas (id, project_id, code) SELECT \(values) FROM generate_series(11, 30) AS n")
        let position = try remote.withSnapshot { look in
            #expect(scene.pack.centralEntities.allSatisfy { !look.fields(of: $0).isEmpty })
            #expect(try scene.rows(look).count == 20 && look.versions(of: pits, in: nil).count == 20)
            let (proof, later) = try look.proof(of: pits, in: Scene.project)
            #expect(proof.rows + later.count == 20)
            return look.position
        }
        try scene.central("DELETE FROM calicatas WHERE code < 'C-23'")
        try remote.withSnapshot { look throws in
            #expect(try scene.rows(look).count == 8)
            #expect(try look.removed(since: position).count == (way.isForeign ? 0 : 12))
        }
    }

    // MARK: Removals

    @Test(arguments: CentralWay.allCases) func whatWentIsToldWhereTheServerKnowsIt(_ way: CentralWay) throws {
        let scene = try Scene(way), remote = try scene.connect()
        try scene.addOther()
        try scene.add(part: 1, to: scene.add(pit: 1))
        try scene.add(pit: 2)
        let first = try remote.withSnapshot { $0.position }
        try scene.central("DELETE FROM calicatas WHERE code = 'C-01'")
        let second = try remote.withSnapshot { look throws in
            let gone: Set = [
                RemovedRow(entity: "calicatas", id: Scene.pit(1), isMove: false),
                RemovedRow(entity: "calicata_cortes", id: Scene.part(1), isMove: false),
            ]
            #expect(try Set(look.removed(since: first)) == (way.isForeign ? [] : gone))
            return look.position
        }
        // The person does not see where it moves to.
        try scene.central("UPDATE calicatas SET project_id = '\(Scene.other)' WHERE code = 'C-02'")
        try remote.withSnapshot { look throws in
            let moved = RemovedRow(entity: "calicatas", id: Scene.pit(2), isMove: true)
            #expect(try look.removed(since: second) == (way.isForeign ? [] : [moved]))
            #expect(try look.removed(since: look.position).isEmpty)
            #expect(try look.removed(since: look.position.beginning).count == (way.isForeign ? 0 : 3))
        }
    }

    @Test(arguments: CentralWay.allCases) func partsBelongToTheProjectOfTheirRecord(_ way: CentralWay) throws {
        let scene = try Scene(way), remote = try scene.connect(), parts = try scene.entity("calicata_cortes")
        try scene.addOther(isOwn: true)
        try scene.add(part: 1, to: scene.add(pit: 1))
        try scene.add(part: 2, to: scene.add(pit: 2, to: Scene.other))
        func expect(_ look: any RemoteSnapshot, _ projects: [(project: String?, parts: [Int])]) throws {
            for (project, numbers) in projects {
                let ids = numbers.map(Scene.part)
                #expect(try scene.rows(look, parts.name, in: project).keys.sorted() == ids)
                #expect(try look.versions(of: parts, in: project).keys.sorted() == ids)
                let (proof, later) = try look.proof(of: parts, in: project)
                // What went is later too.
                #expect(proof.rows + later.intersection(ids).count == ids.count)
            }
        }
        let first = try remote.withSnapshot { look in
            try expect(look, [(Scene.project, [1]), (Scene.other, [2]), (nil, [1, 2])])
            return look.position
        }
        try scene.central("UPDATE calicatas SET project_id = '\(Scene.other)' WHERE code = 'C-01'")
        try remote.withSnapshot { look in
            try expect(look, [(Scene.project, []), (Scene.other, [1, 2]), (nil, [1, 2])])
            // Nothing of the part itself has changed.
            guard !way.isForeign else { return }
            #expect(try scene.rows(look, parts.name, in: Scene.other, since: first).keys.sorted() == [Scene.part(1)])
        }
    }

    // MARK: Versions

    @Test(arguments: CentralWay.allCases) func theProofIsWhatAReplicaMakesOfTheVersions(_ way: CentralWay) throws {
        let scene = try Scene(way), pits = try scene.entity("calicatas")
        for number in 1...3 { try scene.add(pit: number, isOld: number > 1) }
        let asked = try scene.central("SELECT id, (extract(epoch FROM updated_at) * 1000000)::bigint FROM calicatas")
        let times = asked.split(separator: "\n").map { $0.split(separator: "|") }.map { (String($0[0]), Int64($0[1])) }
        try scene.connect().withSnapshot { look in
            let versions = try look.versions(of: pits, in: Scene.project)
            #expect(versions.mapValues(Timestamp.microseconds) == Dictionary(uniqueKeysWithValues: times))
            #expect(try scene.rows(look).mapValues(\.version) == versions)
            let (proof, later) = try look.proof(of: pits, in: Scene.project)
            #expect(proof == RowsProof(of: versions.filter { !later.contains($0.key) }))
            #expect(later.isEmpty || way == .foreignSupabase, "there a moment is known to the second")
        }
    }

    @Test(arguments: CentralWay.inexact) func timesThatAreNoneAreVersionsAllTheSame(_ way: CentralWay) throws {
        let scene = try Scene(way), remote = try scene.connect(), pits = try scene.entity("calicatas")
        try scene.add(pit: 1)
        try scene.add(pit: 2)
        for time in ["'infinity'", "'-infinity'", "NULL"] {
            try scene.central(
                """
                ALTER TABLE calicatas DISABLE TRIGGER touch;
                UPDATE calicatas SET title = NULL, updated_at = \(time),
                    created_at = CASE code WHEN 'C-01' THEN '2026-01-02Z'::timestamptz END;
                ALTER TABLE calicatas ENABLE TRIGGER touch
                """)
            try remote.withSnapshot { look in
                let versions = try look.versions(of: pits, in: Scene.project)
                let expected = [Scene.pit(1): "2026-01-02T00:00:00Z", Scene.pit(2): "1970-01-01T00:00:00Z"]
                #expect(versions == expected, "\(time)")
                #expect(try scene.rows(look).mapValues(\.version) == versions)
                #expect(try look.proof(of: pits, in: Scene.project).proof == RowsProof(of: versions))
            }
            let seen = try scene.row(Scene.pit(2), remote)
            let version = try #require(remote.push(scene.change(seen, ["title": "mine"])).version)
            #expect(version > seen.version, "a change gives it a time")
        }
    }

    @Test(arguments: CentralWay.inexact) func aTableWithoutTimesHasOneVersionForEver(_ way: CentralWay) throws {
        let scene = try Scene(way), pits = try scene.entity("calicatas"), pit = try scene.add(pit: 1, isOld: true)
        try scene.central("DROP TRIGGER touch ON calicatas; ALTER TABLE calicatas DROP COLUMN updated_at")
        let remote = try scene.connect()
        let first = try remote.withSnapshot { look throws in
            #expect(try !look.isDated(pits) && look.isDated(scene.entity("calicata_cortes")))
            return look.position
        }
        let seen = try scene.row(pit, remote)
        try scene.central("UPDATE calicatas SET title = 'theirs'")
        let now = try remote.withSnapshot { look in try #require(scene.rows(look, since: first)[pit]) }
        #expect(now.version == seen.version && now.texts["title"] == "theirs", "every row comes each time")
        // Values are compared.
        #expect(try remote.push(scene.change(seen, ["title": "mine"])).remote?["title"]?.text == "theirs")
        #expect(try remote.push(scene.change(now, ["title": "mine"])) == .confirmed(version: seen.version))
        #expect(try scene.central("SELECT title FROM calicatas") == "mine")
    }

    // MARK: What the server lacks

    @Test(arguments: CentralWay.allCases) func aColumnThatIsNotThereIsLeftOut(_ way: CentralWay) throws {
        let scene = try Scene(way), pit = try scene.add(pit: 1)
        try scene.central("ALTER TABLE calicatas DROP COLUMN observations")
        let remote = try scene.connect(), row = try scene.row(pit, remote)
        #expect(row.values["code"] != nil && row.values["observations"] == nil)
        let values: [String: Scene.Value] = ["title": "mine", "observations": "rained"]
        for item in [scene.change(row, values), scene.made(2, values)] { #expect(try remote.push(item).word == "confirmed") }
        #expect(try scene.central("SELECT string_agg(code || title, ',' ORDER BY code) FROM calicatas") == "C-01mine,C-02mine")
    }

    /// Fichero's own SQL makes all tables.
    @Test(arguments: CentralWay.inexact) func aTableThatIsNotThereHasNoFields(_ way: CentralWay) throws {
        let scene = try Scene(way)
        try scene.central("DROP TABLE calicata_field_tests CASCADE")
        let remote = try scene.connect()
        try remote.withSnapshot { look throws in
            let empty = scene.pack.centralEntities.filter { look.fields(of: $0).isEmpty }
            #expect(empty.map(\.name) == ["calicata_field_tests"])
        }
        #expect(try remote.push(scene.item(.insert, entity: "calicata_field_tests")).word == "schema")
    }
}
