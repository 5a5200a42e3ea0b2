import Foundation
import Testing
import Workbench

/// A person is erased from a replica in which every book knows the person, and nothing brings the
/// person back.
@Suite struct EraseTests {
    private static let person = "zz.canary@example.co"
    /// Each stands in another column of another table.
    private static let canaries = [person, "Zoraida Canary", "canarybio", "canarycaption", "canarycomment", "canarymessage", "99canary99", "canarywrong", "0199ca0a-0000-7000-8000-0000000000ff"]

    private static let make = """
        import json, pathlib, sys
        folder, community = pathlib.Path(sys.argv[1]), sys.argv[2]
        folder.mkdir()
        me = '0199ca0a-0000-7000-8000-0000000000ff'
        def id(n): return f'0199ca0a-0000-7000-8000-0000000000{n:02x}'
        def write(name, rows): (folder / (name + '.json')).write_text(json.dumps(rows))
        write('users', [{'userID': me, 'communityId': community, 'name': 'Zoraida Canary', 'email': 'zz.canary@example.co', 'bio': 'canarybio', 'phone': '+57 99canary99' if len(sys.argv) > 3 else None, 'visibility': 'public'}])
        write('posts', [{'postID': id(1), 'communityId': community, 'authorID': me, 'caption': 'canarycaption', 'timestamp': '2025-10-01T00:00:00Z'}, {'postID': id(9), 'communityId': community, 'authorID': me, 'caption': 'canarycaption', 'timestamp': '2025-10-02T00:00:00Z', 'likes': 'canarywrong'}])
        write('comments', [{'commentID': id(2), 'communityId': community, 'postID': id(1), 'authorID': me, 'text': 'canarycomment', 'timestamp': '2025-10-01T00:00:00Z'}])
        write('notifications', [{'notificationID': id(3), 'userID': me, 'type': 'reminder', 'message': 'canarymessage'}])
        write('activities', [{'activityID': id(4), 'communityId': community, 'name': 'Caminata al cerro', 'description': 'Con agua', 'location': 'Cerro', 'date': '2025-12-24T12:00:00Z', 'category': 'sports', 'organizerID': me, 'attendees': [me], 'isPublic': True}])
        """

    private func canaries(in office: Office, but others: [String] = []) throws -> [String] {
        try Self.canaries.filter { canary in
            let found = try ProgramRun.program("/usr/bin/grep", ["-rlaF", canary, "."], in: office.folder).output.split(separator: "\n")
            return found.contains { file in !others.contains { file.dropFirst(2).hasPrefix($0) } }
        }
    }

    /// Imports the person's files, table by table; returns what was said.
    @discardableResult
    private static func bring(_ community: String, _ more: [String], into office: Office) throws -> String {
        let sources = try TemporaryFolder()
        #expect(try ProgramRun.program("/usr/bin/python3", ["-c", make, sources.file("files"), community] + more).status == 0)
        return try ["users", "posts", "comments", "notifications", "activities"].map { table in
            let run = try office.run(
                "import", sources.file("files/\(table).json"), "--fail-on", "never", "--actor", Office.administrator, "--policy", "update")
            #expect(run.status == 0, "\(run.output)\(run.error)")
            return run.output
        }.joined()
    }

    private func office() throws -> Office {
        let office = try Office(system: "yaquedamos")
        let community = try office.sql("SELECT id FROM communities ORDER BY code LIMIT 1")
        // The second time the account differs: what it was before is kept.
        for more in [[], ["more"]] { try Self.bring(community, more, into: office) }
        #expect(try office.sql("SELECT count(*) FROM users WHERE email = '\(Self.person)'") == "1")
        #expect(try office.sql("SELECT (SELECT count(*) FROM import_changes) > 0, (SELECT count(*) FROM rejects) > 0") == "1|1")
        return office
    }

    @Test func everyByteIsFreeOfThePersonAndStaysSo() throws {
        let office = try office()
        _ = try office.run("validate", "--fail-on", "never")
        #expect(try office.run("export", "todo", "--format", "csv", "-o", "out", "--fail-on", "never").status == 0)
        try FileManager.default.copyItem(atPath: office.replica, toPath: office.path("backup.db"))
        #expect(try canaries(in: office, but: ["out", "backup"]) == Self.canaries)

        let plan = try office.run("erase", "--subject", Self.person, "--dry-run", "--actor", Office.administrator)
        #expect(plan.status == 0 && plan.output.contains("nothing has changed"), "\(plan.output)\(plan.error)")
        let erased = try office.run("erase", "--subject", Self.person, "--confirm", Self.person, "--forever", "--actor", Office.administrator)
        #expect(erased.status == 0, "\(erased.output)\(erased.error)")
        #expect(try canaries(in: office, but: ["out", "backup"]) == [])
        // What the person handed on, and copies, are told and left alone.
        #expect(erased.output.contains("backup.db") && erased.output.contains("todo"), "\(erased.output)")
        #expect(!Self.canaries.contains { erased.output.contains($0) || erased.error.contains($0) })
        #expect(try office.sql("SELECT count(*), organizer_id IS NULL, attendee_ids FROM activities WHERE name = 'Caminata al cerro'") == "1|1|[]")

        let community = try office.sql("SELECT id FROM communities ORDER BY code LIMIT 1")
        let told = try Self.bring(community, ["more"], into: office)
        #expect(told.contains("ERASED-PERSON"), "\(told)")
        #expect(try canaries(in: office, but: ["out", "backup"]) == [])
    }

    /// A selection and a reason name the person too: in what waits to go up, and in entries about other people.
    @Test func whatNamesThePersonBesideTheirRowsGoes() throws {
        let office = try office()
        let selection = "email = '\(Self.person)'"
        #expect(
            try office.run(
                "export", "mis-datos", "--where", selection, "--format", "json", "-o", "out", "--fail-on", "never"
            ).status == 0)
        let other = try office.sql("SELECT id FROM users WHERE email <> '\(Self.person)' ORDER BY id LIMIT 1")
        for reason in ["asked by \(Self.person)", "asked by Zoraida Canary"] {
            #expect(
                try office.run(
                    "edit", other, "--set", "bio=\(reason.count)", "--reason", reason, "--fail-on", "never", "--actor",
                    Office.administrator
                ).status == 0)
        }
        #expect(
            try office.sql(
                "SELECT count(*) > 0 FROM sync_queue WHERE entity_type = 'exports' AND payload_json LIKE '%\(Self.person)%'"
            ) == "1")
        #expect(
            try office.run(
                "erase", "--subject", Self.person, "--confirm", Self.person, "--forever", "--actor",
                Office.administrator
            ).status == 0)
        #expect(try canaries(in: office, but: ["out"]) == [])
        // The reasons are gone and the rest of the entries stays.
        #expect(
            try office.sql(
                "SELECT count(*) FROM activity_logs WHERE entity_id = '\(other)' AND action = 'row_edited' AND details ->> '$.after.bio' IS NOT NULL"
            ) == "2")
        #expect(try office.run("doctor").output.contains("✓ REPLICA-LOG "))
    }

    /// Broken after its commit, an erasure is done, and the next one tells again what to look
    /// after.
    @Test(arguments: [BrokenCall.How.kill, .full])
    func aBrokenErasureTellsAgainWhatToLookAfter(how: BrokenCall.How) throws {
        let office = try office()
        #expect(try office.run("export", "todo", "--format", "csv", "-o", "out", "--fail-on", "never").status == 0)
        let erase = ["erase", "--subject", Self.person, "--confirm", Self.person, "--forever", "--actor", Office.administrator]
        let calls = try BrokenCall(paths: "*/fichero.db*", calls: "write").count(erase, in: office.copy())
        var broken = 0
        for part in 6...19 {
            let copy = try office.copy()
            let run = try BrokenCall(paths: copy.folder + "/fichero.db*", calls: "write").run(erase, in: copy, at: calls * part / 20, how)
            guard run.status != 0, try copy.writableSQL("SELECT count(*) FROM users WHERE email = '\(Self.person)'") == "0" else { continue }
            broken += 1
            #expect(how == .kill || (run.status == 74 && run.error.contains("ERASE-UNCLEARED")), "\(run.status) \(run.error)")
            let again = try copy.run(erase)
            #expect(again.status == 0 && again.output.contains("out/") && again.output.contains("todo"), "\(again.output)\(again.error)")
            #expect(try canaries(in: copy, but: ["out"]) == [])
        }
        #expect(broken > 0)
    }

    @Test func itIsAskedTwiceAndOnlyOfAnAdministrator() throws {
        let office = try Office(system: "yaquedamos")
        let person = try office.sql("SELECT email FROM users ORDER BY id LIMIT 1")
        for options in [[], ["--forever"], ["--confirm", person], ["--confirm", "other", "--forever"]] {
            let run = try office.run(["erase", "--subject", person, "--actor", Office.administrator] + options)
            #expect(run.status == 64 && run.error.contains("ERASE-UNCONFIRMED"), "\(options) \(run.error)")
        }
        let refused = try office.run("erase", "--subject", person, "--confirm", person, "--forever", "--actor", "moderacion@example.co")
        #expect(refused.status == 77, "\(refused.error)")
        let nobody = try office.run("erase", "--subject", "nobody@example.co", "--confirm", "nobody@example.co", "--forever", "--actor", Office.administrator)
        #expect(nobody.status == 66 && nobody.error.contains("ERASE-UNKNOWN"), "\(nobody.error)")
        #expect(try office.sql("SELECT count(*) FROM users WHERE email = '\(person)'") == "1")
    }

    @Test func aPackWithoutPeopleErasesNobody() throws {
        let office = try Office(system: "mesync", set: nil)
        let run = try office.run("erase", "--subject", "x", "--confirm", "x", "--forever", "--actor", Office.administrator)
        #expect(run.status == 64 && run.error.contains("ERASE-NO-SUBJECTS"), "\(run.error)")
    }
}
