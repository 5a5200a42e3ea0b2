import Foundation
import Model
import Packs
import Postgres
import ServerSchema
import Testing
import Workbench

@testable import Remotes

/// A central database of InGe+, seen by a person of the field.
@Suite struct PostgresRemoteTests {
    static let pack = Result { try PackLoader.load("ingeplus", from: ProjectFolder.root.appendingPathComponent("Templates")) }
    static let (person, project, pit) = ("00000000-0000-4000-8000-000000000001", "10000000-0000-4000-8000-000000000001", "20000000-0000-4000-8000-000000000001")

    private struct Scene {
        let settings: PostgresSettings
        let pack: Pack
        let remote: PostgresRemote
        let owner: PostgresConnection

        init() throws {
            pack = try PostgresRemoteTests.pack.get()
            let server = try PostgresServer.shared.get()
            let database = try server.makeDatabase()
            let made = try server.run(
                ServerSchema(pack).sql
                    + """
                    INSERT INTO profiles (id, email, role, status) VALUES ('\(person)', 'campo@example.pe', 'CAMPO', 'ACTIVO');
                    INSERT INTO projects (id, code, status) VALUES ('\(project)', 'N-1', 'ACTIVO'), (gen_random_uuid(), 'S-1', 'ACTIVO');
                    INSERT INTO project_members (id, project_id, profile_id) VALUES (gen_random_uuid(), '\(project)', '\(person)');
                    """, in: database)
            #expect(made.status == 0, "\(made.text)")
            settings = PostgresSettings(host: server.host, port: server.port, database: database, user: server.user)
            remote = try PostgresRemote(settings, pack: pack, email: "CAMPO@example.pe")
            owner = try PostgresConnection(settings)
        }

        func entity(_ name: String) throws -> Entity { try #require(pack.entity(name)) }

        func item(_ operation: PushOperation, _ values: [String: String], base: String? = nil, id: String = pit, entity: String = "calicatas") -> PushItem {
            let payload = "{" + values.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
            return PushItem(id: "item", entity: entity, rowID: id, operation: operation, payload: payload, base: base, queuedAt: "2026-01-01T00:00:00Z", position: .item(stamp: 1, id: "item"))
        }

        func push(_ operation: PushOperation, _ values: [String: String], base: String? = nil, id: String = pit) throws -> PushOutcome.Result {
            try remote.push([item(operation, values, base: base, id: id)])[0].result
        }
    }

    private static let new = ["id": "\"\(pit)\"", "project_id": "\"\(project)\"", "code": "\"C-01\"", "depth_m": "1.5", "status": "\"BORRADOR\""]

    @Test func aLookShowsWhatThePersonSeesAtOneMoment() throws {
        let scene = try Scene()
        #expect(scene.remote.actor.id == Self.person && scene.remote.actor.role.name == "CAMPO")
        try scene.remote.look { look in
            #expect(try look.projects() == [Self.project])
            try scene.owner.run("INSERT INTO calicatas (id, project_id, code) VALUES ($1::uuid, $2::uuid, 'C-01')", [Self.pit, Self.project])
            let entity = try scene.entity("calicatas")
            #expect(try look.count(of: entity, in: Self.project, since: nil) == 0, "what comes later belongs to the next look")
        }
        var first: RemotePosition?
        try scene.remote.look { look in
            first = look.position
            let entity = try scene.entity("calicatas")
            #expect(try look.versions(of: entity, in: Self.project).keys.sorted() == [Self.pit])
            #expect(try look.proof(of: entity, in: Self.project).proof.rows == 1)
        }
        try scene.owner.run("DELETE FROM calicatas")
        try scene.remote.look { look in
            let since = try #require(first)
            #expect(try look.removed(since: since) == [RemovedRow(entity: "calicatas", id: Self.pit, isMove: false)])
        }
    }

    /// Rows come with the values that the server has, whatever they are.
    @Test(arguments: [1, 20_261_123]) func valuesArriveAsTheServerHasThem(seed: UInt64) throws {
        let scene = try Scene()
        var random = SeededNumbers(seed)
        let entity = try scene.entity("calicatas")
        var expected: [String: [MemoryRows.Value]] = [:]
        for number in 0..<60 {
            let id = String(format: "20000000-0000-4000-8000-%012d", number)
            let decimals = Int.random(in: 0...6, using: &random)
            let depth = String(format: "%.\(decimals)f", Double.random(in: -1e6...1e6, using: &random))
            let micros = Int64.random(in: 0...4_000_000_000_000_000, using: &random)
            let text = String((0..<Int.random(in: 0...20, using: &random)).map { _ in "aé\t\n\\ñ\"'😀".randomElement(using: &random) ?? "a" })
            try scene.owner.run(
                "INSERT INTO calicatas (id, project_id, code, depth_m, observations, created_at) VALUES ($1::uuid, $2::uuid, NULL, $3::numeric, $4, 'epoch'::timestamptz + $5::bigint * interval '1 microsecond')",
                [id, Self.project, depth, text, String(micros)])
            expected[id] = [.real(try #require(Double(depth))), .text(text), .text(Timestamp.format(Date(timeIntervalSince1970: Double(micros) / 1_000_000)))]
        }
        try scene.remote.look { look in
            let fields = look.fields(of: entity).map { entity.fields[$0].name }
            let columns = try ["depth_m", "observations", "created_at", "code"].map { name in try #require(fields.firstIndex(of: name)) }
            var found = 0
            let sent = try look.rows(of: entity, in: Self.project, since: nil) { batch in
                for row in 0..<batch.rowCount {
                    let values = try #require(expected[batch.string(row, 0) ?? ""])
                    #expect(batch.cell(row, columns[0]).real == { if case .real(let real) = values[0] { real } else { .nan } }(), "seed \(seed)")
                    #expect(batch.string(row, columns[1]).map(MemoryRows.Value.text) == values[1], "seed \(seed)")
                    #expect(batch.string(row, columns[2]).map(MemoryRows.Value.text) == values[2], "seed \(seed)")
                    #expect(batch.cell(row, columns[3]).kind == .null)
                    found += 1
                }
            }
            #expect(sent == 60 && found == 60)
        }
    }

    @Test func aPushIsComparedAndSwapped() throws {
        let scene = try Scene()
        guard case .confirmed(let version) = try scene.push(.insert, Self.new) else { return #expect(Bool(false)) }
        #expect(try scene.push(.insert, Self.new) == .confirmed(version: version), "an answer was lost: the row is there already")
        var changed = Self.new
        changed["title"] = "\"Río\""
        guard case .confirmed(let second) = try scene.push(.update, changed, base: version) else { return #expect(Bool(false)) }
        #expect(second > version)
        #expect(try scene.push(.update, changed, base: version) == .confirmed(version: second), "to push twice is to push once")
        changed["title"] = "\"other\""
        guard case .contested(let remote) = try scene.push(.update, changed, base: version) else { return #expect(Bool(false)) }
        #expect(remote.contains("\"title\":\"Río\"") && remote.contains("\"depth_m\":1.5") && remote.contains("\"updated_at\":\"\(second)\""), "\(remote)")
        guard case .contested = try scene.push(.delete, [:], base: version) else { return #expect(Bool(false)) }
        #expect(try scene.owner.run("SELECT title FROM calicatas")[row: 0, column: 0] == "Río")
    }

    @Test func anItemFailsByItselfAndTheOthersGoUp() throws {
        let scene = try Scene()
        var hidden = Self.new
        hidden["project_id"] = "\"\(try scene.owner.run("SELECT id FROM projects WHERE code = 'S-1'")[row: 0, column: 0] ?? "")\""
        let other = "20000000-0000-4000-8000-000000000002"
        hidden["id"] = "\"\(other)\""
        var orphan = ["id": "\"30000000-0000-4000-8000-000000000001\"", "calicata_id": "\"\(other)\"", "number": "1"]
        var approved = Self.new
        approved["id"] = "\"20000000-0000-4000-8000-000000000003\""
        approved["status"] = "\"APROBADO\""
        let items = [
            scene.item(.insert, hidden, id: other), scene.item(.insert, orphan, id: "30000000-0000-4000-8000-000000000001", entity: "calicata_cortes"),
            scene.item(.insert, approved, id: "20000000-0000-4000-8000-000000000003"), scene.item(.insert, Self.new),
            scene.item(.insert, Self.new, entity: "no_table"), scene.item(.update, Self.new, base: nil, id: "20000000-0000-4000-8000-000000000009"),
            scene.item(.delete, [:], base: "2026-01-01T00:00:00Z", id: "20000000-0000-4000-8000-000000000009"),
            scene.item(.delete, [:], base: nil, id: "20000000-0000-4000-8000-000000000009"),
        ]
        orphan.removeAll()
        let results = try scene.remote.push(items).map(\.result)
        let classes = results.map { result -> String in
            switch result {
            case .confirmed: "confirmed"
            case .gone: "gone"
            case .contested: "contested"
            case .sent: "sent"
            case .failed(let failure, _): failure.rawValue
            }
        }
        #expect(classes[0] == "rls")
        #expect(classes[1] == "rls" || classes[1] == "schema")
        #expect(classes[2] == "permission", "a new record does not begin approved: \(results[2])")
        #expect(Array(classes[3...]) == ["confirmed", "schema", "rls", "rls", "gone"], "a row that was taken and is not buried is hidden: \(results)")
        #expect(try scene.owner.run("SELECT count(*) FROM calicatas")[row: 0, column: 0] == "1")
    }
}
