import Foundation
import Testing
import Workbench

/// An office renames a field of its pack, and its replicas, its server and its old files go on.
@Suite struct RenamedFieldTests {
    /// A copy of the packs in which the shoring of a pit has another name, in the given folder; returns the folder of the copy.
    private static func packs(in folder: String) throws -> String {
        let templates = folder + "/Templates"
        try FileManager.default.copyItem(atPath: ProgramRun.root + "/Templates", toPath: templates)
        for (file, old, new) in [
            ("entities/calicatas.yaml", "name: shoring,", "name: support, renamedFrom: shoring,"), ("exports/calicatas.yaml", "- shoring", "- support"),
            ("texts/es.yaml", "calicatas.shoring", "calicatas.support"), ("texts/en.yaml", "calicatas.shoring", "calicatas.support"),
            ("texts/it.yaml", "calicatas.shoring", "calicatas.support"), ("pack.yaml", "\nversion: ", "\nversion: 10"),
        ] {
            let path = templates + "/ingeplus/" + file
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try #require(text.contains(old), "\(file)")
            try text.replacing(old, with: new).write(toFile: path, atomically: true, encoding: .utf8)
        }
        return templates
    }

    @Test func aKilledInitGoesOnAndOldFilesComeIn() throws {
        let asked = "SELECT code, support FROM calicatas WHERE support IS NOT NULL ORDER BY project_id, code"
        let office = try Office.pits()
        let templates = try Self.packs(in: office.folder)
        let steps = [
            ["edit", "C-01", "--set", "shoring=Tablestacas"], ["add", "calicatas", "--set", "code=C-99", "--set", "shoring=Palos"],
            ["delete", "C-99", "--reason", "dug twice"],
        ]
        for step in steps {
            let done = try office.run(step + ["--project", "HYO-2025"] + (step[0] == "delete" ? [] : ["--fail-on", "never"]))
            #expect(done.status == 0, "\(step) \(done.error)")
        }
        let before = try office.sql(asked.replacing("support", with: "shoring"))
        #expect(before.contains("C-01|Tablestacas"))

        // Until init has run, nothing works; then all is there, wherever it was killed.
        let arguments = ["init", "--templates", templates, "--actor", Office.administrator]
        #expect(try office.run("status", "--templates", templates).error.contains("REPLICA-PACK-CHANGED"))
        let copy = office.path("undisturbed")
        try FileManager.default.copyItem(atPath: office.replica, toPath: copy)
        let calls = try BrokenCall.any(in: office).count(arguments, in: office)
        for part in 1...6 {
            try FileManager.default.removeItem(atPath: office.replica)
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: office.replica + suffix) }
            try FileManager.default.copyItem(atPath: copy, toPath: office.replica)
            #expect(try BrokenCall.any(in: office).run(arguments, in: office, at: max(1, calls * part / 6), .kill).status == 128 + SIGKILL)
            let columns = try office.writableSQL("SELECT group_concat(name) FROM pragma_table_info('calicatas') WHERE name IN ('support', 'shoring')")
            let queued = try office.writableSQL("SELECT count(*) FROM sync_queue WHERE entity_type = 'calicatas' AND payload_json ->> 'shoring' IS NOT NULL")
            #expect(columns == "shoring" ? queued != "0" : columns == "support" && queued == "0", "\(columns) \(queued)")
            let again = try office.run(arguments)
            #expect(again.status == 0, "\(again.error)")
            if columns == "shoring" { #expect(again.output.contains("~ calicatas.shoring → support"), "\(again.output)") }
            #expect(try office.sql(asked) == before)
            #expect(try office.sql("PRAGMA integrity_check") == "ok")
        }

        // The undo of the changes made before, the last first.
        for state in [before + "\nC-99|Palos", before] {
            let undone = try office.run("undo", "last", "--templates", templates)
            #expect(undone.status == 0, "\(undone.error)")
            #expect(try office.sql(asked).split(separator: "\n").sorted() == state.split(separator: "\n").sorted())
        }
        #expect(try office.run("undo", "last", "--templates", templates).status == 0)
        #expect(try !office.sql(asked).contains("Tablestacas"))
        // A former name in a command, as a heading of a file, and in a mapping of the office's own.
        let value = "SELECT support FROM calicatas WHERE code = 'C-98'"
        let added = try office.run("add", "calicatas", "--project", "HYO-2025", "--set", "code=C-98", "--set", "shoring=Palos", "--fail-on", "never", "--templates", templates)
        #expect(added.status == 0, "\(added.error)")
        #expect(try office.sql(value) == "Palos")
        let id = try office.sql("SELECT id FROM calicatas WHERE code = 'C-98'")
        for (name, text) in [
            ("old.csv", "id,shoring\n\(id),Puntales\n"), ("own.csv", "ID,Entibado\n\(id),Acero\n"),
            ("own.yaml", "import: own\ntables:\n  - rows:\n      - {entity: calicatas, fields: {id: ID, shoring: Entibado}}\n"),
        ] { try text.write(toFile: office.path(name), atomically: true, encoding: .utf8) }
        for (file, how, expected) in [("old.csv", ["--entity", "calicatas"], "Puntales"), ("own.csv", ["--mapping", "./own.yaml", "--project", "HYO-2025"], "Acero")] {
            let came = try office.run(["import", file, "--policy", "update", "--fail-on", "never", "--templates", templates] + how)
            #expect(came.status == 0, "\(came.output)\(came.error)")
            #expect(try office.sql(value) == expected)
        }

        // Where a row has both names, the present one counts, wherever it stands, and the other is told.
        for row in [#""support": "Nuevo 1", "shoring": "Viejo""#, #""shoring": "Viejo", "support": "Nuevo 2""#] {
            try "[{\"id\": \"\(id)\", \(row)}]".write(toFile: office.path("calicatas.json"), atomically: true, encoding: .utf8)
            let came = try office.run("import", "calicatas.json", "--policy", "update", "--fail-on", "never", "--templates", templates)
            #expect(came.status == 0 && came.output.contains("IMPORT-UNKNOWN-FIELD") && came.output.contains("shoring"), "\(came.output)\(came.error)")
            #expect(try row.contains(office.sql(value)) && office.sql(value).hasPrefix("Nuevo"))
        }

        // The former pack is told, and does nothing.
        for former in [["init"], ["status"], ["edit", "C-98", "--set", "shoring=x"]] {
            let refused = try office.run(former)
            #expect(refused.status == 78 && refused.error.contains("REPLICA-PACK-OLDER"), "\(former) \(refused.error)")
        }
        #expect(try office.run("doctor").output.contains("✗ REPLICA-PACK-OLDER"))
    }

    @Test(arguments: SyncedOffice.Way.kinds) func theServerFollowsWithoutLosingAValue(_ way: SyncedOffice.Way) throws {
        let office = try SyncedOffice(way)
        let (first, second) = (try office.pit(1), try office.pit(2))
        try office.central("UPDATE calicatas SET shoring = 'old' WHERE id = '\(second)'")
        try office.follow()
        // Only an administrator takes another pack, and is known here once they have followed too.
        #expect(try office.run("sync", as: SyncedOffice.administrator).status == 0)
        #expect(try office.run("edit", "C-01", "--set", "shoring=waits", "--fail-on", "never").status == 0)
        let templates = try Self.packs(in: office.folder)
        let run = { (arguments: String...) in try office.runs(arguments + ["--templates", templates]) }
        let taken = try office.run("init", "--templates", templates, as: SyncedOffice.administrator)
        #expect(taken.status == 0, "\(taken.error)")

        // Nothing moves while the server has the former column.
        let stopped = try run("sync")
        #expect(stopped.status == 78 && stopped.error.contains("REMOTE-FORMER-COLUMN") && stopped.error.contains("calicatas.shoring"), "\(stopped.error)")
        #expect(try office.local("SELECT count(*) FROM sync_queue WHERE entity_id = '\(first)'") == "1")
        if way.isForeign {
            try office.central("ALTER TABLE calicatas RENAME COLUMN shoring TO support")
        } else {
            let sql = try run("describe", "ingeplus", "--sql", "postgres").output
            for _ in 0..<2 { try office.central(sql) }
        }
        let synced = try run("sync")
        #expect(synced.status == 0, "\(synced.output)\(synced.error)")
        #expect(try office.central("SELECT string_agg(support, ' ' ORDER BY code) FROM calicatas") == "waits old")
        try office.central("UPDATE calicatas SET support = 'new', updated_at = clock_timestamp() WHERE id = '\(second)'")
        #expect(try run("sync").status == 0)
        #expect(try office.local("SELECT group_concat(support, ' ') FROM (SELECT support FROM calicatas ORDER BY code)") == "waits new")
        #expect(try run("sync", "--prove").status == 0)
    }
}
