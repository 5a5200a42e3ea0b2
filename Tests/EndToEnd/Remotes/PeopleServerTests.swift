import Foundation
import Testing
import Workbench

/// The server of a running app: its own tables with their rows, keys and arrays, brought to a
/// central database by the SQL that the program prints.
@Suite struct PeopleServerTests {
    private static let person = "00000001-0000-4000-8000-000000000001", habit = "00000002-0000-4000-8000-000000000001"
    private static let profile = "00000009-0000-4000-8000-000000000001"

    /// As `systems/mesync.md` has it.
    private static let schema = """
        CREATE TABLE users (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), email text UNIQUE, created_at timestamptz DEFAULT now());
        CREATE TABLE habits (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), user_id uuid REFERENCES users ON DELETE CASCADE, name text NOT NULL, description text, frequency text NOT NULL,
          frequency_details jsonb, remind_at time NOT NULL, created_at timestamptz DEFAULT now(), updated_at timestamptz DEFAULT now());
        CREATE TABLE habit_instances (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), habit_id uuid REFERENCES habits ON DELETE CASCADE, user_id uuid REFERENCES users ON DELETE CASCADE,
          scheduled_date date NOT NULL, completed_at timestamptz, skipped_at timestamptz, created_at timestamptz DEFAULT now(), UNIQUE (habit_id, scheduled_date));
        CREATE TABLE tasks (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), user_id uuid REFERENCES users ON DELETE CASCADE, name text NOT NULL, description text, priority text NOT NULL,
          due_date timestamptz NOT NULL, completed_at timestamptz, skipped_at timestamptz, created_at timestamptz DEFAULT now(), updated_at timestamptz DEFAULT now());
        CREATE TABLE medications (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), user_id uuid REFERENCES users ON DELETE CASCADE, name text NOT NULL, description text, instructions text,
          frequency text NOT NULL, times_per_day integer DEFAULT 1, reminder_times time[], created_at timestamptz DEFAULT now(), updated_at timestamptz DEFAULT now());
        CREATE TABLE medication_instances (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), medication_id uuid REFERENCES medications ON DELETE CASCADE, user_id uuid REFERENCES users ON DELETE CASCADE,
          scheduled_date date NOT NULL, dose_number integer NOT NULL, taken_at timestamptz, skipped_at timestamptz, created_at timestamptz DEFAULT now(), UNIQUE (medication_id, scheduled_date, dose_number));
        INSERT INTO users (id, email) VALUES ('\(person)', 'carmen@example.pe');
        INSERT INTO habits (id, user_id, name, frequency, remind_at) VALUES ('\(habit)', '\(person)', 'Caminar', 'daily', '07:30');
        INSERT INTO habit_instances (habit_id, user_id, scheduled_date, completed_at)
          SELECT '\(habit)', '\(person)', d, d + time '08:00' FROM generate_series(date '2025-11-01', date '2025-11-10', interval '1 day') AS d;
        INSERT INTO medications (id, user_id, name, frequency, times_per_day, reminder_times) VALUES ('00000003-0000-4000-8000-000000000001', '\(person)', 'Losartán', 'daily', 2, '{08:00,20:00}');
        INSERT INTO medication_instances (medication_id, user_id, scheduled_date, dose_number, taken_at) VALUES ('00000003-0000-4000-8000-000000000001', '\(person)', '2025-11-01', 1, '2025-11-01 13:00Z');
        INSERT INTO tasks (user_id, name, priority, due_date) VALUES ('\(person)', 'Pagar', 'high', '2025-12-01 10:00Z');
        """

    private let place: TemporaryFolder
    private let server: PostgresServer
    private let database: String

    init() throws {
        let (place, server) = (try TemporaryFolder(), try PostgresServer.shared.get())
        (self.place, self.server) = (place, server)
        database = try server.makeDatabase(like: "MeSync of somebody else") { database in
            let sql = try ProgramRun.fichero(["describe", "mesync", "--sql", "postgres", "--templates", ProgramRun.root + "/Templates"], in: place.path).output
            for script in [Self.schema, sql, sql] { try Self.run(script, on: server, database) }
        }
        try central("""
            INSERT INTO profiles (id, email, full_name, role, status) VALUES ('\(Self.profile)', 'carmen@example.pe', 'Carmen', 'TITULAR', 'ACTIVO');
            INSERT INTO project_members (id, project_id, profile_id, role) VALUES (gen_random_uuid(), '\(Self.person)', '\(Self.profile)', 'TITULAR')
            """)
        try Data("postgres: {host: \(server.host), database: \(database), user: \(server.user)}\n".utf8).write(to: URL(fileURLWithPath: place.file("fichero.yaml")))
        #expect(try run("init", "--pack", "mesync", "--admin", "carmen@example.pe").status == 0)
        #expect(try run("sync").status == 0)
        #expect(try run("offline", "carmen@example.pe", "--available").status == 0)
    }

    @discardableResult private func central(_ sql: String) throws -> String { try Self.run(sql, on: server, database) }

    @discardableResult private static func run(_ sql: String, on server: PostgresServer, _ database: String) throws -> String {
        let done = try server.run(sql, in: database)
        try #require(done.status == 0, "\(done.text)")
        return done.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @discardableResult private func run(_ arguments: String...) throws -> ProgramRun {
        try ProgramRun.fichero(arguments, in: place.path, environment: ["FICHERO_TEMPLATES": ProgramRun.root + "/Templates", "FICHERO_ACTOR": "carmen@example.pe", "FICHERO_LANG": "en"])
    }

    private func local(_ sql: String) throws -> String { try run("query", sql, "--format", "csv").output.split(whereSeparator: \.isNewline).dropFirst().joined(separator: ";") }

    @Test func theRowsOfTheAppComeAndArrays() throws {
        let synced = try run("sync", "--prove")
        #expect(synced.status == 0 && synced.output.contains("Proven"), "\(synced.output)\(synced.error)")
        #expect(try local("SELECT count(*) FROM habit_instances") == "10")
        #expect(try local("SELECT json_extract(reminder_times, '$[1]') FROM medications") == "20:00:00")
        let found = try run("validate")
        #expect(found.status == 0, "\(found.output)")
    }

    @Test func changesGoUpAndDeletionsCome() throws {
        _ = try run("sync", "--prove")
        let changed = try run("edit", "00000003-0000-4000-8000-000000000001", "--set", "reminder_times=[\"06:00\",\"22:30\"]", "--set", "instructions=con agua")
        #expect(changed.status == 0, "\(changed.output)\(changed.error)")
        try central("DELETE FROM habit_instances WHERE scheduled_date = '2025-11-03'; UPDATE habits SET name = 'Caminar más'")
        let synced = try run("sync", "--prove")
        #expect(synced.output.contains("Proven") && synced.status == 0, "\(synced.output)\(synced.error)")
        #expect(try central("SELECT reminder_times || instructions FROM (SELECT reminder_times::text, instructions FROM medications) AS m") == "{06:00:00,22:30:00}con agua")
        #expect(try local("SELECT count(*) FROM habit_instances") == "9" && local("SELECT name FROM habits") == "Caminar más")
        #expect(try run("sync", "--prove").output.contains("Nothing changed there"))
    }

    /// A mark that somebody else made of the same day has another id: the server takes one of them,
    /// and the other waits and is told by name.
    @Test func aDayIsMarkedOnce() throws {
        _ = try run("sync", "--prove")
        try Data("id,habit_id,user_id,scheduled_date,completed_at\n0000000a-0000-4000-8000-000000000001,\(Self.habit),\(Self.person),2025-11-20,2025-11-20T09:00:00Z\n".utf8)
            .write(to: URL(fileURLWithPath: place.file("habit_instances.csv")))
        #expect(try run("import", "habit_instances.csv", "--mapping", "supabase-csv", "--fail-on", "never").status == 0)
        try central("INSERT INTO habit_instances (habit_id, user_id, scheduled_date, skipped_at) VALUES ('\(Self.habit)', '\(Self.person)', '2025-11-20', now())")
        let synced = try run("sync")
        #expect(synced.output.contains("SYNC-NOT-SENT") && synced.output.contains("habit_instances_habit_id_scheduled_date_key"), "\(synced.output)")
        #expect(try run("validate").output.contains("FIELD-UNIQUE"))
        #expect(try central("SELECT count(*) FROM habit_instances WHERE scheduled_date = '2025-11-20'") == "1")
    }
}
