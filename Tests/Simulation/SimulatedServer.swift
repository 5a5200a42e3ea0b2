import Foundation
import Model
import Postgres
import ServerSchema
import Workbench

/// A central database of InGe+ on a real PostgreSQL server, and the people who change it from
/// elsewhere. A table notes which text took the place of which.
final class SimulatedServer {
    static let pack = Result { try ShippedPack.named("ingeplus") }
    static let projects = ["10000000-0000-4000-8000-000000000001", "10000000-0000-4000-8000-000000000002"]
    /// The last of them is an administrator, who is no member of any project.
    static let people = ["ana@example.pe", "beto@example.pe", "carla@example.pe", "dora@example.pe"]

    let pack: Pack
    let settings: PostgresSettings
    let chance: Chance
    private let server: PostgresServer
    private let owner: PostgresConnection
    /// A second one, for transactions that are kept open.
    private let slow: PostgresConnection
    private var isSlowOpen = false
    private var tokens = 0
    /// Rows that were changed without a new version since it was quiet.
    private var silent: [(table: String, id: String)] = []
    /// What happened, for whoever looks for a fault.
    private(set) var trail: [String] = []

    let isForeign: Bool

    /// - Parameter isForeign: the server lacks what tells a sync what changed.
    init(_ chance: Chance, isForeign: Bool) throws {
        self.isForeign = isForeign
        (pack, self.chance) = (try Self.pack.get(), chance)
        server = try PostgresServer.shared.get()
        let database = try server.makeDatabase()
        settings = PostgresSettings(host: server.host, port: server.port, database: database, user: server.user)
        let made = try server.run(ServerSchema(pack).sql + Self.people(in: Self.projects) + Self.history + (isForeign ? ForeignServer.sql : ""), in: database)
        guard made.status == 0 else { throw Trouble(made.text) }
        (owner, slow) = (try PostgresConnection(settings), try PostgresConnection(settings))
    }

    struct Trouble: Error, CustomStringConvertible {
        var description: String
        init(_ description: String) { self.description = description }
    }

    static func person(_ email: String) -> String { "00000000-0000-4000-8000-00000000000\((people.firstIndex(of: email) ?? 8) + 1)" }

    private static func people(in projects: [String]) -> String {
        let roles = ["COORDINADOR_PROYECTO", "CAMPO", "COORDINADOR_PROYECTO", "ADMINISTRADOR_GENERAL"]
        let profiles = zip(people, roles).map { "('\(person($0))', '\($0)', '\($1)', 'ACTIVO')" }
        return """
            INSERT INTO profiles (id, email, role, status) VALUES \(profiles.joined(separator: ", "));
            INSERT INTO projects (id, code, status) VALUES \(projects.enumerated().map { "('\($1)', 'P-\($0 + 1)', 'ACTIVO')" }.joined(separator: ", "));
            INSERT INTO project_members (id, project_id, profile_id) SELECT gen_random_uuid(), p.id, m.id FROM projects AS p, profiles AS m WHERE m.role <> 'ADMINISTRADOR_GENERAL';
            CREATE TABLE public.members_aside AS SELECT * FROM project_members;

            """
    }

    /// What a text took the place of, and on whose behalf: the owner has no claims.
    private static let history = """
        CREATE TABLE public.seen_changes (n bigserial, entity text, id uuid, before text, after text, actor text);
        CREATE FUNCTION public.note_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
            INSERT INTO public.seen_changes (entity, id, before, after, actor) VALUES (TG_TABLE_NAME, coalesce(NEW.id, OLD.id),
                to_jsonb(OLD) ->> TG_ARGV[0], to_jsonb(NEW) ->> TG_ARGV[0], current_setting('request.jwt.claims', true));
            RETURN NULL;
        END $$;
        CREATE TRIGGER zz_note AFTER INSERT OR UPDATE OR DELETE ON calicatas FOR EACH ROW EXECUTE FUNCTION public.note_change('title');
        CREATE TRIGGER zz_note AFTER INSERT OR UPDATE OR DELETE ON calicata_cortes FOR EACH ROW EXECUTE FUNCTION public.note_change('description');
        """

    /// A text that nobody wrote before.
    func newText() -> String {
        tokens += 1
        return "tok\(tokens)x"
    }

    func note(_ event: String) { trail.append(event) }

    /// What happened to the rows that a message names.
    func trail(of message: String) -> String {
        func ids(in text: String) -> [String] { text.matches(of: /[0-9a-f]{8}-[0-9a-f-]{27}/).map { String($0.output) } }
        let named = ids(in: message)
        let ids = Set(named + trail.filter { event in named.contains { event.contains($0) } }.flatMap(ids(in:)))
        return trail.enumerated().filter { event in event.element.hasPrefix("sync") || event.element.contains(": undo") || ids.contains { event.element.contains($0) } }
            .suffix(60).map { "\($0.offset) \($0.element)" }.joined(separator: "\n")
    }

    // MARK: What people do elsewhere

    enum Act: String, CaseIterable {
        case rename, describe, addPit, addPart, deletePart, deletePit, move, moveState, approve
    }

    private func ids(_ table: String) throws -> [String] {
        let rows = try owner.run("SELECT id FROM \(table) ORDER BY id")
        return (0..<rows.count).compactMap { rows[row: $0, column: 0] }
    }

    /// One change by somebody else. What the server's own rules refuse does not happen.
    func act() throws {
        do { try perform(chance.pick([(Act.rename, 6), (.describe, 4), (.addPit, 2), (.addPart, 3), (.deletePart, 1), (.deletePit, 1), (.move, 1), (.moveState, 1), (.approve, 1)])) } catch let refusal as PostgresFailure where refusal.state != nil {}
    }

    private func perform(_ act: Act) throws {
        let table = [.describe, .deletePart].contains(act) ? "calicata_cortes" : "calicatas"
        guard act != .addPit else { return try addPit(by: owner) }
        guard let id = try chance.pick(ids(table)) else { return try addPit(by: owner) }
        note("there: \(act) \(id)")
        switch act {
        case .rename:
            let location = chance.isOne(in: 3) ? ", location = '\(newText())'" : ""
            try owner.run("UPDATE calicatas SET title = $2\(location) WHERE id = $1::uuid", [id, newText()])
        case .describe: try owner.run("UPDATE calicata_cortes SET description = $2 WHERE id = $1::uuid", [id, newText()])
        case .addPart: try addPart(to: id, by: owner)
        case .deletePart: try owner.run("DELETE FROM calicata_cortes WHERE id = $1::uuid", [id])
        case .deletePit: try owner.run("DELETE FROM calicatas WHERE id = $1::uuid", [id])
        case .move: try owner.run("UPDATE calicatas SET project_id = $2::uuid WHERE id = $1::uuid", [id, chance.pick(Self.projects)])
        case .moveState: try owner.run("UPDATE calicatas SET status = CASE status WHEN 'BORRADOR' THEN 'EN_REVISION' ELSE 'BORRADOR' END WHERE id = $1::uuid", [id])
        case .approve: try owner.run("UPDATE calicatas SET status = 'APROBADO' WHERE id = $1::uuid", [id])
        case .addPit: break
        }
    }

    /// A change that gives the row no new version, as on a server where nothing does.
    func changeInSilence(_ table: String, _ text: String, _ id: String) throws {
        note("there: \(table) \(id) in silence")
        try owner.transaction {
            try owner.run("SET LOCAL session_replication_role = replica")
            if try owner.run("UPDATE \(table) SET \(text) = $2 WHERE id = $1::uuid RETURNING id", [id, newText()]).count
                > 0
            {
                silent.append((table, id))
            }
        }
    }

    private func addPit(by connection: PostgresConnection) throws {
        let id = chance.id()
        try connection.run(
            "INSERT INTO calicatas (id, project_id, code, title, depth_m, status) VALUES ($1::uuid, $2::uuid, $3, $4, 1.50, 'BORRADOR')",
            [id, chance.pick(Self.projects), newText(), newText()])
        note("there: add pit \(id)")
        for _ in 0..<chance.number(0..<3) { try addPart(to: id, by: connection) }
    }

    private func addPart(to pit: String, by connection: PostgresConnection) throws {
        tokens += 1
        let id = chance.id()
        note("there: add part \(id) to \(pit)")
        try connection.run(
            "INSERT INTO calicata_cortes (id, calicata_id, number, description) VALUES ($1::uuid, $2::uuid, $3::int, $4)", [id, pit, String(tokens), newText()])
    }

    // MARK: Trouble

    /// A transaction that began earlier ends, or one begins that will end later.
    func actSlowly() throws {
        if isSlowOpen { return try endSlow() }
        try slow.run("BEGIN")
        isSlowOpen = true
        try addPit(by: slow)
    }

    private func endSlow() throws {
        if isSlowOpen { try slow.run(chance.isOne(in: 5) ? "ROLLBACK" : "COMMIT") }
        isSlowOpen = false
    }

    /// Somebody loses a membership, or has it again.
    func changeMembership() throws {
        let email = chance.pick(Self.people) ?? "", project = chance.pick(Self.projects)
        note("sync: membership of \(email) in \(project ?? "")")
        let left = try owner.run("DELETE FROM project_members WHERE profile_id = $1::uuid AND project_id = $2::uuid RETURNING id", [Self.person(email), project])
        if left.count == 0 { try restoreMembers("AND a.profile_id = '\(Self.person(email))'") }
    }

    private func restoreMembers(_ condition: String = "") throws {
        try owner.run(
            """
            INSERT INTO project_members (id, project_id, profile_id) SELECT id, project_id, profile_id FROM members_aside AS a
            WHERE NOT EXISTS (SELECT FROM project_members AS m WHERE m.id = a.id) \(condition)
            """)
    }

    /// Ends all trouble that the server has.
    func calm() throws {
        try endSlow()
        // Who has such a row as it was learns of it by its version at last.
        for row in silent { try owner.run("UPDATE \(row.table) SET updated_at = now() WHERE id = $1::uuid", [row.id]) }
        silent = []
        try restoreMembers()
    }

    /// Somebody makes every record a draft again.
    func openDrafts() throws { try owner.run("UPDATE calicatas SET status = 'BORRADOR' WHERE status <> 'BORRADOR'") }

    // MARK: Files

    /// A pit for a copy of a device: one that is here, one that was, or, with nil, one that never was.
    func pitForFile() throws -> (id: String, project: String, code: String)? {
        switch chance.number(0..<3) {
        case 0: return nil
        case 1:
            let rows = try owner.run("SELECT id, project_id, code FROM calicatas ORDER BY id")
            return chance.pick(Array(0..<rows.count)).map { (rows[row: $0, column: 0] ?? "", rows[row: $0, column: 1] ?? "", rows[row: $0, column: 2] ?? "") }
        default:
            let rows = try owner.run("SELECT DISTINCT id FROM seen_changes WHERE entity = 'calicatas' AND id NOT IN (SELECT id FROM calicatas) ORDER BY id")
            return chance.pick(Array(0..<rows.count)).map { (rows[row: $0, column: 0] ?? "", chance.pick(Self.projects) ?? "", newText()) }
        }
    }

    // MARK: The oracle

    /// Runs a query by psql, as a person under row security or as the owner.
    func ask(_ sql: String, as email: String? = nil) throws -> [String] {
        let run = try server.run(sql, in: settings.database, as: email.map(Self.person))
        guard run.status == 0 else { throw Trouble(run.text) }
        return run.text.split(separator: "\n").map(String.init)
    }
}
