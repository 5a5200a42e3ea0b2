import Foundation
import Model
import Packs
import Testing
import Workbench

/// A value keeps the class of its column wherever it is copied. Each text column that some role may not see gets a word
/// of its own; then each role asks all that the program answers, and finds no word that is not for it.
@Suite struct CanaryTests {
    private static let systems = ["ingeplus", "anagrafica", "interrapidisimo", "mesync", "yaquedamos"]
    /// The program's books: they hold copies, and no values of their own.
    private static let books: Set = [
        "activity_logs", "sync_queue", "conflicts", "exports", "document_versions", "file_sync_states",
    ]

    /// A word, and the column in which it was planted.
    private struct Canary {
        var word: String
        var entity: Entity
        var field: Field
    }

    private func plant(in office: Office, _ pack: Pack) throws -> [Canary] {
        var canaries: [Canary] = []
        for entity in pack.entities where !Self.books.contains(entity.name) {
            let closed = entity.fields.filter { field in
                field.references == nil && field.vocabulary == nil && [.text, .json, .list].contains(field.type)
                    && field.privacy != pack.privacyClasses.first
            }
            guard !closed.isEmpty else { continue }
            // People who work here keep their addresses.
            let row =
                entity.name == "profiles"
                ? "email = '\(Self.stranger)'" : "rowid = (SELECT min(rowid) FROM \"\(entity.name)\")"
            guard try office.sql("SELECT count(*) FROM \"\(entity.name)\" WHERE \(row)") == "1" else { continue }
            for field in closed {
                let word = "kanarie\(canaries.count + 1)x"
                let value =
                    field.type == .json
                    ? "{\"k\":\"\(word)\"}"
                    : field.type == .list ? "[\"\(word)\"]" : field.name == "email" ? "\(word)@example.org" : word
                canaries.append(Canary(word: word, entity: entity, field: field))
                _ = try office.writableSQL(
                    "UPDATE \"\(entity.name)\" SET \"\(field.name)\" = '\(value)' WHERE \(row == "email = '\(Self.stranger)'" ? "full_name = 'Stranger'" : row)"
                )
            }
        }
        return canaries
    }

    private static let stranger = "stranger@example.org"
    private static let reason = "kanariereason"

    @Test(arguments: systems) func noRoleReadsAWordThatIsNotForIt(_ system: String) throws {
        let office = try Office(system: system)
        let pack = try PackLoader.load(system, from: URL(fileURLWithPath: ProgramRun.root + "/Templates"))
        let code = try office.sql("SELECT \"\(pack.project.code)\" FROM \"\(pack.project.entity)\" ORDER BY 1 LIMIT 1")
        let chief = ["--actor", Office.administrator]
        func person(_ role: Role) -> String {
            "rol." + role.name.lowercased().replacing("_", with: "-") + "@example.org"
        }
        for role in pack.roles {
            #expect(
                try office.run(["users", "add", person(role), "--role", role.name, "--project", code] + chief).status
                    == 0)
        }
        let least = try #require(pack.roles.last)
        #expect(
            try office.run(["users", "add", Self.stranger, "--role", least.name, "--name", "Stranger"] + chief).status
                == 0)
        let canaries = try plant(in: office, pack)
        try #require(canaries.count > 3)

        // What is copied: a change, a rejected row, a refused file.
        var changed: [String] = []
        for canary in canaries where canary.field.type == .text && canary.entity.name != "profiles" {
            let id = try office.sql("SELECT id FROM \"\(canary.entity.name)\" ORDER BY rowid LIMIT 1")
            for value in [canary.word + "b", canary.word] {
                let run = try office.run(
                    [
                        "edit", id, "--set", "\(canary.field.name)=\(value)", "--reason", "corrected", "--fail-on",
                        "never",
                    ] + chief)
                if run.status == 0 { changed.append(id) }
            }
        }
        #expect(!changed.isEmpty)
        for entity in pack.entities {
            let own = canaries.filter { $0.entity.name == entity.name }
            guard !own.isEmpty,
                let number = entity.fields.first(where: { [.integer, .decimal, .date].contains($0.type) })
            else { continue }
            let members = own.map { "\"\($0.field.name)\":\"\($0.word)\"" } + ["\"\(number.name)\":\"nonsense\""]
            try Data("[{\(members.joined(separator: ","))}]".utf8).write(
                to: URL(fileURLWithPath: office.path("rejected.json")))
            try office.run(["import", "rejected.json", "--entity", entity.name, "--fail-on", "never"] + chief)
        }
        try FileManager.default.removeItem(atPath: office.path("rejected.json"))
        // What was asked for is kept with the files and with the runs.
        let administrator = try #require(pack.roles.first { $0.permissions.contains(.administer) })
        for canary in canaries where canary.field.type == .text && pack.isVisible(canary.field, to: administrator) {
            guard let record = pack.records.first(where: { $0.root == canary.entity.name }),
                let export = pack.exports.first(where: { $0.record == record.name })
            else { continue }
            try office.run(
                [
                    "export", export.name, "--project", code, "--where", "\(canary.field.name) = '\(canary.word)'",
                    "-o", "asked", "--fail-on", "never",
                ] + chief)
        }
        // Why a finding was accepted, and by whom.
        let reviewer = try #require(pack.roles.first { $0.permissions.contains(.resolve) })
        let validated = try office.run(["validate", "--fail-on", "never", "--actor", person(reviewer)])
        #expect(validated.status == 0, "\(validated.error)")
        let fingerprint = try office.sql("SELECT fingerprint FROM run_findings ORDER BY n LIMIT 1")
        #expect(!fingerprint.isEmpty || system != "ingeplus", "\(validated.output)")
        if !fingerprint.isEmpty {
            let accepted = try office.run([
                "accept", fingerprint, "--reason", Self.reason, "--until", "2027-01-01", "--as-of", Office.asOf,
                "--actor", person(reviewer),
            ])
            #expect(accepted.status == 0, "\(accepted.output)\(accepted.error)")
        }
        func sees(_ field: String, _ table: String, _ role: Role) -> Bool {
            pack.entity(table)?.field(field).map { pack.isVisible($0, to: role) } ?? false
        }

        for role in pack.roles {
            let closed = canaries.filter { !pack.isVisible($0.field, to: role) }
            let out = "out-" + role.name
            var commands = [
                ["status", "--json"], ["history", "--json", "--limit", "500"], ["history", "--limit", "500"],
                ["history", "--raw", "--json", "--limit", "500"], ["history", "--raw", "--limit", "500"],
                ["validate", "--json", "--fail-on", "never"],
                ["rejects", "--json"], ["conflicts", "--json"], ["users", "--json"], ["doctor", "--json"],
                ["accept"], ["accept", "--json"], ["validate", "--fail-on", "never"],
                ["import", "absent.json"], ["edit", "absent", "--set", "x=1"],
            ]
            commands += (Self.books.sorted() + ["profiles"]).map {
                ["query", "SELECT * FROM \($0)", "--format", "json"]
            }
            commands += pack.exports.map {
                [
                    "export", $0.name, "--project", code, "--format",
                    ($0.formats.first { $0 != .xlsx } ?? .xlsx).rawValue, "-o", out, "--fail-on", "never",
                ]
            }
            if let id = changed.first {
                commands += [
                    ["history", id], ["history", id, "--json"], ["history", id, "--raw"],
                    ["edit", id, "--set", "id=x", "--dry-run", "--json"],
                ]
            }
            for command in commands {
                let run = try office.run(command + ["--actor", person(role)])
                let said = (run.output + run.error).lowercased()
                let told = closed.filter { said.contains($0.word) }.map { "\($0.entity.name).\($0.field.name)" }
                #expect(told.isEmpty, "\(system) \(role.name) \(command.joined(separator: " ")): \(told)")
                if !sees("details", "activity_logs", role) {
                    #expect(!said.contains(Self.reason), "\(system) \(role.name) \(command): a reason")
                }
                if !sees("email", "profiles", role) {
                    #expect(!said.contains(person(reviewer)), "\(system) \(role.name) \(command): an address")
                }
            }
            for name in try office.files(out) {
                let bytes =
                    name
                    + (try ProgramRun.program("/usr/bin/python3", ["-c", Self.text, office.path(out + "/" + name)])
                        .output)
                let told = closed.filter { bytes.lowercased().contains($0.word) }.map {
                    "\($0.entity.name).\($0.field.name)"
                }
                #expect(told.isEmpty, "\(system) \(role.name) \(name): \(told)")
            }
        }
    }

    /// The text of a file, and of what is packed in it.
    private static let text = """
        import sys, zipfile
        path = sys.argv[1]
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as z:
                for name in z.namelist(): print(name, z.read(name).decode('utf-8', 'replace'))
        else: print(open(path, 'rb').read().decode('utf-8', 'replace'))
        """
}
