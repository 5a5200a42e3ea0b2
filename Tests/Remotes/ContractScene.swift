import Foundation
import JSONReading
import Model
import Postgres
import ServerSchema
import Synchronization
import Testing
import Web
import Workbench

@testable import Remotes

/// A central database of InGe+ for one test: its server, its owner, and people who see it in one of the four ways.
struct ContractScene {
    static let templates = ProjectFolder.root.appendingPathComponent("Templates")
    static let pack = Result { try ShippedPack.named("ingeplus") }
    static let (field, reader, administrator) = ("campo@example.pe", "lector@example.pe", "admin@example.pe")
    /// Of the field crew, who work in the first project alone.
    static let person = "00000000-0000-4000-8000-000000000003"
    static let (project, other) = ("10000000-0000-4000-8000-000000000001", "10000000-0000-4000-8000-000000000002")
    static func pit(_ number: Int) -> String { "2000000\(number)-0000-4000-8000-000000000000" }
    static func part(_ number: Int) -> String { "3000000\(number)-0000-4000-8000-000000000000" }

    let way: CentralWay
    let pack: Pack
    let owner: PostgresConnection
    /// Nil where the way is a direct one.
    let web: SupabaseServer?
    private let server: PostgresServer

    init(_ way: CentralWay, options: [String] = []) throws {
        let (pack, server) = (try Self.pack.get(), try PostgresServer.shared.get())
        let database = try server.makeDatabase(way, of: "ingeplus") { ServerSchema(pack).sql }
        (self.way, self.pack, self.server) = (way, pack, server)
        owner = try PostgresConnection(server.settings(of: database))
        web = way.isWeb ? try SupabaseServer(database: database, options: options) : nil
    }

    /// The database as a person sees it.
    func connect(_ email: String = Self.field, pack: Pack? = nil) throws -> any CentralDatabase {
        let pack = pack ?? self.pack
        guard let web else { return try PostgresRemote(owner.settings, pack: pack, email: email) }
        var patience = WebTimeouts()
        (patience.firstPause, patience.longestPause) = (1, 10)
        let settings = try SupabaseSettings(url: web.url, key: SupabaseServer.key, patience: patience)
        let password = SupabaseServer.password(of: email.lowercased())
        return try SupabaseRemote(settings, pack: pack, email: email, keeper: KeptTokens()) { password }
    }

    /// The code with which a person is refused; nil: they are let in.
    func refusal(_ email: String = Self.field, pack: Pack? = nil) throws -> String? {
        do {
            _ = try connect(email, pack: pack)
            return nil
        } catch let failure as RemoteFailure { return failure.code }
    }

    // MARK: The server's owner

    /// Runs a script as the owner, and returns what it prints.
    @discardableResult
    func central(_ sql: String) throws -> String {
        let run = try server.run(sql, in: owner.settings.database)
        try #require(run.status == 0, "\(run.text)")
        return run.text.trimmingCharacters(in: .newlines)
    }

    /// Adds a pit. A foreign server believes that it is two days old, if that is said.
    @discardableResult
    func add(pit number: Int, to project: String = Self.project, isOld: Bool = false) throws -> String {
        try owner.run(
            """
            INSERT INTO calicatas (id, project_id, code, depth_m, status, updated_at)
            VALUES ($1::uuid, $2::uuid, $3, 1.50, 'BORRADOR', now() - $4::interval)
            """, [Self.pit(number), project, "C-0\(number)", isOld ? "2 days" : "0"])
        return Self.pit(number)
    }

    @discardableResult
    func add(part number: Int, to pit: String) throws -> String {
        let values = [Self.part(number), pit, String(number)]
        try owner.run("INSERT INTO calicata_cortes (id, calicata_id, number) VALUES ($1::uuid, $2::uuid, $3::int)", values)
        return Self.part(number)
    }

    /// One more project, of which the field crew is a member if that is said.
    func addOther(isOwn: Bool = false) throws {
        try central("INSERT INTO projects (id, code, status) VALUES ('\(Self.other)', 'PRUEBA-2', 'ACTIVO')")
        guard isOwn else { return }
        let values = "gen_random_uuid(), '\(Self.other)', '\(Self.person)'"
        try central("INSERT INTO project_members (id, project_id, profile_id) VALUES (\(values))")
    }

    func leaveProject() throws {
        let own = "project_members WHERE profile_id = '\(Self.person)'"
        try central("CREATE TABLE aside AS SELECT * FROM \(own); DELETE FROM \(own)")
    }

    func rejoinProject() throws {
        try central("INSERT INTO project_members (id, project_id, profile_id) SELECT id, project_id, profile_id FROM aside")
    }

    // MARK: What a look shows

    func entity(_ name: String) throws -> Entity { try #require(pack.entity(name)) }

    /// A value in JSON; a literal is a text.
    struct Value: ExpressibleByStringInterpolation {
        var json: String

        init(json: String) { self.json = json }
        init(stringLiteral text: String) { json = JSONValue.string(text).description }
    }

    /// A row as a replica holds it.
    struct Row {
        var version: String
        var values: [String: Value] = [:]
        /// The same as people write them; nothing for null.
        var texts: [String: String] = [:]
    }

    /// The rows of a table, by their ids. None comes twice, and the server says how many there are.
    func rows(
        _ look: any RemoteSnapshot, _ name: String = "calicatas", in project: String? = Self.project,
        since: RemotePosition? = nil
    ) throws -> [String: Row] {
        let entity = try entity(name), fields = look.fields(of: entity).map { entity.fields[$0] }
        var found: [String: Row] = [:], taken = 0
        let sent = try look.rows(of: entity, in: project, since: since) { batch in
            for index in 0..<batch.rowCount {
                var row = Row(version: batch.string(index, fields.count) ?? "")
                for (column, field) in fields.enumerated() {
                    row.texts[field.name] = batch.description(index, column)
                    row.values[field.name] = Self.value(batch, index, column, field.type)
                }
                found[row.texts["id"] ?? ""] = row
                taken += 1
            }
        }
        let counted = try look.count(of: entity, in: project, since: since)
        #expect(sent == taken && taken == found.count && counted == sent)
        return found
    }

    /// A replica has nothing where a number should be and is none.
    private static func value(_ batch: borrowing RowBatch, _ row: Int, _ column: Int, _ type: FieldType) -> Value {
        let isText = batch.cell(row, column).kind == .text, isNumber = type == .decimal || type == .integer
        guard let text = batch.description(row, column), !(isText && isNumber) else { return Value(json: "null") }
        return isText ? Value(stringLiteral: text) : Value(json: text)
    }

    /// The codes of the pits that a look brings.
    func codes(
        _ look: any RemoteSnapshot, in project: String? = Self.project, since: RemotePosition? = nil
    ) throws -> [String] {
        try rows(look, in: project, since: since).values.compactMap { $0.texts["code"] }.sorted()
    }

    /// A row as it is there now.
    func row(_ id: String, _ remote: any CentralDatabase, of entity: String = "calicatas") throws -> Row {
        try remote.withSnapshot { look in try #require(rows(look, entity)[id]) }
    }

    // MARK: What goes up

    /// A change of a row; its id is among the values.
    func item(
        _ operation: PushOperation, _ values: [String: Value] = [:], id: String = pit(1), entity: String = "calicatas",
        base: String? = nil, known: [String: Value]? = nil
    ) -> PushItem {
        func object(_ values: [String: Value]) -> String {
            "{" + values.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value.json)" }.joined(separator: ",") + "}"
        }
        return PushItem(
            id: "item", entity: entity, rowID: id, operation: operation,
            payload: object(["id": Value(stringLiteral: id)].merging(values) { $1 }), base: base, known: known.map(object),
            projectID: Self.project, queuedAt: "2026-01-01T00:00:00Z", position: .item(stamp: 1, id: "item"))
    }

    /// A new pit.
    func made(_ number: Int, _ values: [String: Value] = [:]) -> PushItem {
        let own: [String: Value] = [
            "project_id": "\(Self.project)", "code": "C-0\(number)", "depth_m": Value(json: "1.5"), "status": "BORRADOR",
        ]
        return item(.insert, own.merging(values) { $1 }, id: Self.pit(number))
    }

    /// A change of some values of a row that the person has seen.
    func change(_ row: Row, _ values: [String: Value], entity: String = "calicatas") -> PushItem {
        item(
            .update, row.values.merging(values) { $1 }, id: row.texts["id"] ?? "", entity: entity, base: row.version,
            known: row.values)
    }

    /// The removal of a row that the person has seen.
    func removal(_ row: Row, entity: String = "calicatas") -> PushItem {
        item(.delete, row.values, id: row.texts["id"] ?? "", entity: entity, base: row.version, known: row.values)
    }
}

extension CentralDatabase {
    func push(_ item: PushItem) throws -> PushOutcome.Result {
        let outcomes = try push([item])
        #expect(outcomes.map(\.itemID) == [item.id])
        return try #require(outcomes.first).result
    }
}

extension PushOutcome.Result {
    /// The result in a word: of a failure its class.
    var word: String {
        switch self {
        case .confirmed: "confirmed"
        case .gone: "gone"
        case .contested: "contested"
        case .sent: "sent"
        case .failed(let failure, _): failure.rawValue
        }
    }

    var version: String? { if case .confirmed(let version) = self { version } else { nil } }
    /// The remote's row of a change that is contested.
    var remote: JSONValue? { if case .contested(let row) = self { try? JSONValue.stored(row) } else { nil } }
}

/// Keeps tokens for as long as a test runs.
private final class KeptTokens: TokenKeeper {
    private let tokens = Mutex<AccessTokens?>(nil)

    func read() -> AccessTokens? { tokens.withLock { $0 } }
    func save(_ new: AccessTokens) { tokens.withLock { $0 = new } }
    func exclusively<T>(_ body: () throws -> T) throws -> T { try body() }
}
