import Foundation
import Testing

/// The mappings that the packs have, with their samples: what must come in, that it comes in only
/// once, and what is reported.
@Suite struct ShippedMappingTests {
    private typealias Counts = [String: [String: Int]]

    private static func expected(_ folder: String) throws -> [String: Any] {
        try Reading.json(String(contentsOfFile: "\(ProgramRun.root)/Samples/\(folder)/expected.json", encoding: .utf8))
    }

    /// Imports a file. Gives the counts of each table, the codes of the findings with their counts,
    /// and the exit code.
    private func bringIn(_ path: String, _ mapping: String, _ office: Office, as actor: String = Office.administrator) throws -> (counts: Counts, codes: [String: Int], status: Int32) {
        let run = try office.run("import", path, "--mapping", mapping, "--json", "--actor", actor)
        let results = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]], "\(run.error)")
        let report = try #require(results.first?["report"] as? [String: Any])
        let lines = report["lines"] as? [[String: Any]] ?? []
        let counts = Dictionary(uniqueKeysWithValues: lines.map { ($0["entity"] as? String ?? "", $0["counts"] as? [String: Int] ?? [:]) })
        let findings = results.first?["findings"] as? [[String: Any]] ?? []
        return (counts, findings.reduce(into: [:]) { $0[$1["code"] as? String ?? "", default: 0] += 1 }, run.status)
    }

    /// Expects that a second import changes no row and adds none.
    private func expectNothingNew(_ first: Counts, _ path: String, _ mapping: String, _ office: Office) throws {
        let tables = ["sync_queue", "conflicts"] + first.keys.sorted()
        let content = try tables.map { try office.sql("SELECT count(*), sum(content_stamp) FROM \($0)") }
        let second = try bringIn(path, mapping, office).counts
        for (table, counts) in first {
            #expect(second[table]?["unchanged"] == (counts["imported"] ?? 0) + (counts["unchanged"] ?? 0), "\(table)")
            #expect((second[table]?["imported"] ?? 0) + (second[table]?["updated"] ?? 0) == 0, "\(table)")
        }
        #expect(try content == tables.map { try office.sql("SELECT count(*), sum(content_stamp) FROM \($0)") })
    }

    /// Validates as the administrator, who first becomes a member of every project.
    private func validate(_ office: Office) throws -> [String: Int] {
        try office.sql(
            """
            SELECT json_group_array(json_object('id', substr(p.id, 1, 24) || substr(q.id, 25), 'project_id', p.id, 'profile_id', q.id))
            FROM projects AS p, profiles AS q WHERE q.email = '\(Office.administrator)'
            """
        ).write(toFile: office.path("project_members.json"), atomically: true, encoding: .utf8)
        #expect(try office.run("import", office.path("project_members.json"), "--actor", Office.administrator).status == 0)
        let run = try office.run("validate", "--anew", "--json", "--actor", Office.administrator)
        let summary = try Reading.json(run.output)["summary"] as? [String: Any]
        #expect(try office.sql("SELECT count(*) > 0 FROM project_members") == "1")
        return try #require(summary?["findings"] as? [String: Int], "\(run.error)")
    }

    private func dictionary(_ office: Office, _ query: String) throws -> [String: String] {
        let lines = try office.sql(query).split(separator: "\n").map { $0.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false).map(String.init) }
        return Dictionary(uniqueKeysWithValues: lines.map { ($0[0], $0[1]) })
    }

    // MARK: Access

    private static let access = ProgramRun.root + "/Samples/ingeplus/legacy/access/calicatas.mdb"

    @Test func anAccessDatabaseComesInThroughItsAutonumbers() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let expected = try Self.expected("ingeplus/legacy/access")
        let first = try bringIn(Self.access, "access-calicatas", office)
        #expect(first.status == 0)
        #expect(first.counts.mapValues { $0["imported"] ?? 0 } == expected["imported"] as? [String: Int])
        #expect(first.codes["IMPORT-UNMAPPED-TABLE"] == (expected["unread"] as? [String])?.count)
        let pit = "FROM calicatas AS c JOIN projects AS p ON p.id = c.project_id"
        let strata = try dictionary(office, "SELECT p.code || ' ' || c.code, (SELECT count(*) FROM calicata_cortes AS s WHERE s.calicata_id = c.id) \(pit)")
        #expect(strata == (expected["strata"] as? [String: Int])?.mapValues(String.init))
        #expect(try dictionary(office, "SELECT p.code || ' ' || c.code, water_status \(pit)") == expected["water"] as? [String: String])
        let depths = try dictionary(office, "SELECT p.code || ' ' || c.code, depth_m \(pit)").compactMapValues(Double.init)
        #expect(depths == (expected["depths"] as? [String: Double]))
        let lengths = try dictionary(office, "SELECT p.code || ' ' || c.code, coalesce(length(c.observations), 0) \(pit)")
        #expect(lengths == (expected["observations"] as? [String: Int])?.mapValues(String.init))
        #expect(try office.sql("SELECT name FROM projects WHERE code = 'AYA-2012'") == "Puente Ñahuinpuquio y accesos")
        #expect(try office.sql("SELECT sucs FROM calicata_cortes AS s JOIN calicatas AS c ON c.id = s.calicata_id \(pit.replacingOccurrences(of: "FROM calicatas AS c ", with: "")) WHERE p.code = 'MOR-2011' AND c.code = 'C-02' AND s.number = 2") == "SP-SM")
        // Each stratum begins where the one above it ends. No stratum belongs to the C-01 of
        // another project.
        #expect(
            try office.sql(
                "SELECT count(*) FROM calicata_cortes AS s WHERE depth_from_m <> coalesce((SELECT depth_to_m FROM calicata_cortes AS o WHERE o.calicata_id = s.calicata_id AND o.number = s.number - 1), 0)") == "0")
        try expectNothingNew(first.counts, Self.access, "access-calicatas", office)
        let found = try validate(office)
        #expect(found["CALICATA-AUN-SIN-FOTO"] == 6)
        #expect(found.keys.allSatisfy { !$0.hasPrefix("FIELD-") }, "\(found)")
    }

    @Test func mdbtoolsReadsTheDatabaseAsItWasMeant() throws {
        let tables = try ProgramRun.program("/usr/bin/mdb-tables", ["-1", Self.access])
        #expect(tables.output.split(separator: "\n") == ["Proyectos", "Calicatas", "Estratos", "Usuarios"])
        #expect(try ProgramRun.program("/usr/bin/mdb-count", [Self.access, "Estratos"]).output.hasPrefix("13"))
        let schema = try ProgramRun.program("/usr/bin/mdb-schema", [Self.access, "postgres"]).output
        #expect(schema.contains("FOREIGN KEY (\"idcalicata\") REFERENCES \"Calicatas\"(\"id\")"))
        #expect(schema.contains("ALTER TABLE \"estratos\" ADD CONSTRAINT \"estratos_pkey\" PRIMARY KEY (\"id\")"))
        #expect(schema.contains("NUMERIC (18, 2)"))
    }

    // MARK: A device

    private static let device = ProgramRun.root + "/Samples/ingeplus/legacy/device.db"

    @Test func aDevicesReplicaKeepsItsStatesItsQueueAndItsConflicts() throws {
        // The office has only the profiles of the people.
        let office = try Office(system: "ingeplus", set: nil)
        #expect(try office.run("import", ProgramRun.root + "/Samples/ingeplus/survey/data/profiles.json", "--actor", Office.administrator, "--fail-on", "never").status == 0)
        let queued = try office.sql("SELECT count(*) FROM sync_queue")
        let copy = office.path("device.db")
        try FileManager.default.copyItem(atPath: Self.device, toPath: copy)
        try FileManager.default.createDirectory(atPath: office.path("files"), withIntermediateDirectories: true)
        let photo = try #require(try FileManager.default.contentsOfDirectory(atPath: ProgramRun.root + "/Samples/ingeplus/survey/photos").sorted().first)
        try FileManager.default.copyItem(atPath: ProgramRun.root + "/Samples/ingeplus/survey/photos/" + photo, toPath: office.path("files/foto-1.jpg"))
        let first = try bringIn(copy, "replica-dispositivo", office)
        let expected = [
            "calicatas": 8, "projects": 1, "document_nodes": 2, "calicata_photos": 2, "sync_queue": 0, "conflicts": 1, "file_sync_states": 1, "profiles": 0,
        ]
        #expect(first.counts.mapValues { $0["imported"] ?? 0 } == expected)
        // One photo lies beside the database. The other is missing and is reported.
        #expect(first.codes["IMPORT-NO-NAMED-PHOTO"] == 1)
        #expect(try office.sql("SELECT count(*) FROM calicata_photos WHERE sha256 IS NOT NULL") == "1")
        // Each row has the id, the state, the version and the remote time that it has on the
        // device.
        let states = "SELECT id || '|' || sync_state || '|' || local_version || '|' || coalesce(remote_updated_at, '') FROM calicatas ORDER BY id"
        let there = try ProgramRun.program("/usr/bin/sqlite3", [
            "-readonly", Self.device, "SELECT id || '|' || syncStatus || '|' || localVersion || '|' || coalesce(remoteUpdatedAt, '') FROM LocalCalicata ORDER BY id",
        ]).output.trimmingCharacters(in: .newlines)
        #expect(try office.sql(states) == there)
        // The device's own queue is left out. Each row that waits for upload has a new item, and no
        // other row has one.
        #expect(first.codes["IMPORT-BOOKS"] == 1)
        let tables = ["calicatas", "calicata_photos", "document_nodes", "file_sync_states", "projects"]
        let waiting = try tables.map { try office.sql("SELECT count(*) FROM \($0) WHERE sync_state IN ('local_only', 'pending_upload', 'error')") }.compactMap(Int.init)
        #expect(try office.sql("SELECT count(*) FROM sync_queue") == String((Int(queued) ?? 0) + waiting.reduce(0, +)))
        #expect(waiting[0] > 0)
        // The answers that the device got from the server are taken over.
        #expect(
            try office.sql("SELECT operation || ' ' || retry_count || ' ' || last_error || ' ' || created_at FROM sync_queue WHERE retry_count > 0")
                == "UPDATE 3 HTTP 403: new row violates row-level security policy 2025-11-20T21:05:00Z")
        #expect(try office.sql("SELECT json_extract(payload_json, '$.id') = entity_id FROM sync_queue WHERE retry_count > 0") == "1")
        #expect(
            try office.sql("SELECT resolution_status || json_extract(local_payload, '$.observations') || (json_extract(remote_payload, '$.observations') IS NULL) FROM conflicts")
                == "openRevisado en campo el 20/11/2025 (3).1")
        #expect(try office.sql("SELECT sync_mode || ' ' || last_synced_at FROM file_sync_states") == "always_synced 2025-11-19T12:31:00Z")
        #expect(try office.sql("SELECT sync_state FROM projects") == "synced")
        #expect(try office.sql("SELECT group_concat(latitude) FROM (SELECT latitude FROM calicata_photos ORDER BY filename)") == "-5.0931,-5.0941")
        try expectNothingNew(first.counts, copy, "replica-dispositivo", office)
        _ = try validate(office)
    }

    @Test func aRowThatIsSyncedHereAndDiffersOnTheDeviceIsAConflict() throws {
        let office = try Office.pits()
        // A coordinator may correct them in this state; what the role may not change is rejected.
        _ = try office.writableSQL("""
            ATTACH '\(Self.device)' AS device;
            UPDATE calicatas SET status = 'REVISADO' WHERE id IN (SELECT id FROM device.LocalCalicata WHERE observations LIKE 'Revisado en campo%')
            """)
        // The actor is not an administrator and may not change profiles. A profile that is already
        // in the replica counts as unchanged.
        let first = try bringIn(Self.device, "replica-dispositivo", office, as: office.actor)
        #expect(first.counts["calicatas"] == ["imported": 2, "updated": 0, "unchanged": 3, "conflict": 3, "rejected": 0, "filtered": 0, "skipped": 0, "waiting": 0])
        #expect(first.counts["profiles"]?["unchanged"] == 1)
        #expect(first.codes["IMPORT-CONFLICT"] == 3)
        let pit = "019561e2-ac00-7628-8b46-dad8e75c723a"
        #expect(try office.sql("SELECT sync_state || coalesce(observations, '-') FROM calicatas WHERE id = '\(pit)'").hasPrefix("conflict"))
        let both = try office.sql(
            "SELECT json_extract(remote_payload, '$.observations') || '|' || coalesce(json_extract(local_payload, '$.observations'), '') FROM conflicts WHERE entity_id = '\(pit)'")
        #expect(both.hasPrefix("Revisado en campo el 20/11/2025 (4).|"))
        #expect(!both.hasSuffix("(4)."))
        let open = try office.sql("SELECT count(*) FROM conflicts")
        _ = try bringIn(Self.device, "replica-dispositivo", office, as: office.actor)
        #expect(try office.sql("SELECT count(*) FROM conflicts") == open)
    }

    @Test func profilesThatACoordinatorMayNotBringInWaitForAnAdministrator() throws {
        let office = try Office.pits()
        let copy = office.path("device.db")
        try FileManager.default.copyItem(atPath: Self.device, toPath: copy)
        let change = "UPDATE LocalProfile SET role = 'GERENCIA'"
        #expect(try ProgramRun.program("/usr/bin/sqlite3", [copy, change]).status == 0)
        let brought = try bringIn(copy, "replica-dispositivo", office, as: office.actor)
        #expect(brought.counts["profiles"]?["rejected"] == 1)
        #expect(brought.codes["IMPORT-NOT-ALLOWED"] == 1)
        #expect(brought.counts["calicatas"]?["imported"] == 2)
        #expect(try office.sql("SELECT role FROM profiles WHERE id = '01946a43-8f00-7f18-9d4c-fdf1a87ec912'") == "CAMPO")
        #expect(try office.run("rejects", "retry", "--actor", office.actor).status == 1)
        #expect(try office.sql("SELECT count(*) FROM rejects WHERE entity = 'profiles' AND state IN ('waiting', 'open')") == "1")
    }

    // MARK: COBie

    private static let cobie = ProgramRun.root + "/Samples/anagrafica/legacy/cobie/edificio.xlsx"

    @Test func aCOBieWorkbookBecomesABuildingWithItsAssets() throws {
        let office = try Office(system: "anagrafica", set: nil)
        let expected = try Self.expected("anagrafica/legacy/cobie")
        let first = try bringIn(Self.cobie, "cobie", office)
        #expect(first.status == 1, "a component stands in a space that is not there")
        #expect(first.counts.mapValues { $0["imported"] ?? 0 } == expected["imported"] as? [String: Int])
        #expect(first.counts["instances"]?["rejected"] == (expected["rejected"] as? [String: Int])?["instances"])
        #expect(first.codes["IMPORT-UNMAPPED-TABLE"] == (expected["unread"] as? [String])?.count)
        #expect(first.codes["IMPORT-SEVERAL"] == 2, "two components stand in two spaces")
        let told = try office.run("import", Self.cobie, "--mapping", "cobie", "--dry-run", "--fail-on", "never", "--actor", Office.administrator)
        #expect(told.output.contains("“0001” was taken, not “0002”"), "the others are named: \(told.output)")
        #expect(try dictionary(office, "SELECT name, number FROM levels") == (expected["levels"] as? [String: Int])?.mapValues(String.init))
        for (name, members) in expected["parameters"] as? [String: [String: Any]] ?? [:] {
            let text = try office.sql("SELECT parameters FROM instances WHERE json_extract(parameters, '$.Name') = '\(name)'")
            let found = try Reading.json(text) as NSDictionary
            for (key, value) in members { #expect((found[key] as? NSObject) == (value as? NSObject), "\(name) \(key)") }
        }
        for (name, members) in expected["schema"] as? [String: [String: Any]] ?? [:] {
            let text = try office.sql("SELECT json_extract(parameter_schema, '$.properties') FROM families WHERE name = '\(name)'")
            let found = try Reading.json(text) as NSDictionary
            for (key, value) in members { #expect((found[key] as? NSObject) == (value as? NSObject), "\(name) \(key)") }
        }
        #expect(try office.sql("SELECT group_concat(lifecycle_state || coalesce(' ' || area, ''), ',') FROM (SELECT * FROM rooms WHERE number IN ('0002', '1002') ORDER BY number)") == "Empty,Complete 20.13")
        #expect(try office.sql("SELECT r.number FROM instances AS i JOIN rooms AS r ON r.id = i.room_id WHERE json_extract(i.parameters, '$.Name') = 'Porta-02'") == "0001")
        #expect(try office.sql("SELECT created_at FROM instances WHERE json_extract(parameters, '$.Name') = 'Plafoniera-03'") == "2024-06-03T08:15:00.25Z")
        try expectNothingNew(first.counts, Self.cobie, "cobie", office)
        // The schemas of the families are valid, and the imported rows fit them.
        #expect(try validate(office) == [:])
        // A value of another kind than all other values of the column does not fit.
        #expect(
            try ProgramRun.program(
                "/usr/bin/sqlite3",
                [office.replica, "UPDATE instances SET parameters = json_set(parameters, '$.\"Altezza di posa\"', 'alta', '$.nuovo', 1) WHERE json_extract(parameters, '$.Name') = 'Plafoniera-01'"]).status == 0)
        #expect(try validate(office) == ["PARAMETER-TYPE": 1, "PARAMETER-UNKNOWN": 1])
    }

    @Test func aWorkbookInSquareFeetIsTakenInSquareMetresAndAnUnknownUnitIsRefused() throws {
        let office = try Office(system: "anagrafica", set: nil)
        for (unit, rooms) in [("squarefeet", 7), ("tsubo", 0)] {
            let script = """
                import sys, zipfile
                with zipfile.ZipFile(sys.argv[1]) as old, zipfile.ZipFile(sys.argv[2], "w") as new:
                    for name in old.namelist():
                        new.writestr(name, old.read(name).replace(b"squaremeters", sys.argv[3].encode()).replace(b"Municipio di", sys.argv[3].encode() + b" di"))
                """
            let path = office.path(unit + ".xlsx")
            #expect(try Reading.python(script, Self.cobie, path, unit).status == 0)
            let counts = try bringIn(path, "cobie", office).counts
            #expect(counts["rooms"]?["imported"] == rooms)
            #expect(counts["rooms"]?["rejected"] == 7 - rooms)
        }
        #expect(try office.sql("SELECT area FROM rooms WHERE number = '2001'") == "7.94")
    }
}
