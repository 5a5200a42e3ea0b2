import Foundation
import Testing
import Workbench

/// The life of a record by commands: it is corrected, added, deleted and reviewed, and each change
/// can be taken back.
@Suite struct ChangeTests {
    private static let pit = "SELECT id FROM calicatas WHERE code = 'C-01' AND project_id = (SELECT id FROM projects WHERE code = 'HYO-2025')"

    private func state(_ office: Office) throws -> String {
        try office.sql("SELECT depth_m, sync_state, own_mark, local_version FROM calicatas WHERE id = (\(Self.pit))")
    }

    /// A path alone could name a photo of another project.
    @Test func wherePhotosLieIsNotSetByAPath() throws {
        let office = try Office.pits()
        let photo = try office.sql("SELECT id FROM calicata_photos ORDER BY id LIMIT 1")
        let path = try office.sql("SELECT local_path FROM calicata_photos ORDER BY id DESC LIMIT 1")
        let run = try office.run("edit", photo, "--set", "local_path=\(path)")
        #expect(run.status == 64 && run.error.contains("CHANGE-FIELD"), "\(run.output)\(run.error)")
    }

    @Test func aConfirmedRecordIsCorrectedAndTheCorrectionTakenBack() throws {
        let office = try Office.pits()
        #expect(try state(office) == "4.5|synced|0|1")
        let edited = try office.run("edit", "C-01", "--project", "HYO-2025", "--set", "depth_m=4.25", "--reason", "measured again")
        // The strata are now deeper than the pit, and this is reported.
        #expect(edited.status == 1, "\(edited.error)")
        #expect(edited.output.contains("Updated  Test pit  HYO-2025 / C-01\n    Depth (m): 4.5 → 4.25"))
        // The row waits for upload. Its mark says that it still counts as confirmed.
        #expect(try state(office) == "4.25|pending_upload|1|2")
        let item = try office.sql("SELECT operation, json_extract(payload_json, '$.depth_m') FROM sync_queue WHERE entity_id = (\(Self.pit))")
        #expect(item == "UPDATE|4.25")
        let log = try office.sql("SELECT json_extract(details, '$.before.depth_m'), json_extract(details, '$.after.depth_m'), json_extract(details, '$.reason') FROM activity_logs WHERE action = 'row_edited'")
        #expect(log == "4.5|4.25|measured again")

        let undone = try office.run("undo", "last")
        #expect(undone.status == 0, "\(undone.error)")
        #expect(try state(office) == "4.5|synced|0|1")
        #expect(try office.sql("SELECT count(*) FROM sync_queue WHERE entity_id = (\(Self.pit))") == "0")
    }

    @Test func aCorrectedRecordStaysInTheDeliveryOfConfirmedOnes() throws {
        let office = try Office.pits()
        func rows() throws -> String {
            let made = try office.run("export", "calicatas", "--project", "HYO-2025", "--format", "csv", "--sync-state", "synced", "-o", "out", "--fail-on", "never", "--json")
            #expect(made.status == 0, "\(made.error)")
            return made.output
        }
        let before = try selected(rows())
        #expect(!before.isEmpty && before[0] > 0)
        #expect(try office.run("edit", "C-01", "--project", "HYO-2025", "--set", "observations=Revisado").status == 0)
        #expect(try selected(rows()) == before)
    }

    private func selected(_ json: String) throws -> [Int] {
        json.split(separator: "\n").filter { $0.contains("\"selected\"") }.compactMap { Int($0.filter(\.isNumber)) }
    }

    @Test func aDryRunSaysAllAndChangesNothing() throws {
        let office = try Office.pits()
        // The field and its value are said in words of two languages.
        let tried = try office.run("edit", "C-01", "--project", "HYO-2025", "--set", "profundidad=4.25", "--set", "Groundwater=not measured", "--dry-run")
        #expect(tried.status == 0, "\(tried.output)\(tried.error)")
        #expect(tried.output.contains("Depth (m): 4.5 → 4.25") && tried.output.contains("Groundwater: Dry → Not measured"), "\(tried.output)")
        #expect(try state(office) == "4.5|synced|0|1")
    }

    @Test func whatAChangeMakesWrongIsReportedAtOnce() throws {
        let office = try Office.pits()
        let far = try office.run("edit", "C-01", "--project", "HYO-2025", "--set", "altitude_m=99999", "--json")
        #expect(far.status == 1, "\(far.error)")
        let told = try #require(try Reading.json(far.output)["newFindings"] as? [[String: Any]])
        #expect(told.map { $0["code"] as? String } == ["FIELD-RANGE"], "\(far.output)")
        #expect(((told.first?["place"] as? [String: Any])?["key"] as? String)?.contains("C-01") == true)
        // The value is stored although it is wrong, like a row of an import. A second wrong value
        // is reported as new. A change of another field does not report it again.
        #expect(try office.sql("SELECT altitude_m FROM calicatas WHERE id = (\(Self.pit))") == "99999.0")
        let again = try office.run("edit", "C-01", "--project", "HYO-2025", "--set", "altitude_m=88888")
        #expect(again.status == 1 && again.output.contains("New in these records") && again.output.contains("FIELD-RANGE") && again.output.contains("88888"), "\(again.output)")
        let other = try office.run("edit", "C-01", "--project", "HYO-2025", "--set", "observations=seen")
        #expect(other.status == 0 && !other.output.contains("FIELD-RANGE"), "\(other.output)")
        #expect(try office.run("edit", "C-01", "--project", "HYO-2025", "--set", "altitude_m=77777", "--fail-on", "never").status == 0)
        // A validation finds the last wrong value, and after the correction none.
        let wrong = { try #require(try Reading.json(office.run("validate", "--project", "HYO-2025", "--json").output)["findings"] as? [[String: Any]]).filter {
            $0["code"] as? String == "FIELD-RANGE" && ($0["place"] as? [String: Any])?["field"] as? String == "altitude_m"
        } }
        #expect(try wrong().map { ($0["arguments"] as? [String: Any])?["value"] as? String } == ["77777"])
        #expect(try office.run("edit", "C-01", "--project", "HYO-2025", "--set", "altitude_m=3000").status == 0)
        #expect(try wrong().isEmpty)
    }

    @Test func aPartThatIsAddedIsJudgedWithItsRecord() throws {
        let office = try Office.pits()
        #expect(try office.run("add", "calicatas", "--project", "HYO-2025", "--set", "code=C-99", "--fail-on", "never").status == 0)
        #expect(try office.run("add", "calicata_cortes", "--in", "C-99", "--set", "number=1", "--set", "depth_from_m=0", "--set", "depth_to_m=1", "--fail-on", "never").status == 0)
        let gap = try office.run("add", "calicata_cortes", "--in", "C-99", "--set", "number=2", "--set", "depth_from_m=1.5", "--set", "depth_to_m=2")
        #expect(gap.status == 1 && gap.output.contains("CORTE-HUECO"), "\(gap.output)\(gap.error)")
        let below = try office.run("add", "calicata_cortes", "--in", "C-99", "--set", "number=3", "--set", "depth_from_m=2", "--set", "depth_to_m=2.5", "--json")
        #expect(!below.output.contains("CORTE-HUECO"), "\(below.output)")
    }

    @Test func anImportNamesTheCommandThatJudges() throws {
        let office = try Office.pits()
        let file = office.path("c.json")
        try Data(#"[{"id":"0199c000-0000-7000-8000-0000000000c9","project_id":"\#(try office.sql("SELECT id FROM projects WHERE code = 'HYO-2025'"))","code":"C-98","status":"BORRADOR"}]"#.utf8).write(to: URL(fileURLWithPath: file))
        let brought = try office.run("import", file, "--entity", "calicatas", "--policy", "update")
        #expect(brought.status == 0 && brought.output.contains("fichero validate"), "\(brought.output)\(brought.error)")
        #expect(try !office.run("import", file, "--entity", "calicatas", "--policy", "update").output.contains("fichero validate"))
    }

    @Test func whatARoleMayNotMoveStaysWhereItIs() throws {
        let office = try Office.pits()
        // The only way from APROBADO to ARCHIVADO is through EXPORTADO, and a coordinator may not
        // make this move.
        let moved = try office.run("edit", "C-01", "--project", "HYO-2025", "--state", "archivado")
        #expect(moved.status == 77)
        #expect(moved.output.contains("CHANGE-TRANSITION"))
        #expect(try state(office) == "4.5|synced|0|1")
        let read = try office.run("edit", "C-01", "--project", "CHU-2025", "--set", "depth_m=1", "--actor", "lector@example.pe")
        #expect(read.status == 77)
    }

    @Test func aProjectOfOthersIsNotSeenAndNotChanged() throws {
        let office = try Office.pits()
        let id = try office.sql("SELECT id FROM calicatas WHERE project_id = (SELECT id FROM projects WHERE code = 'BAY-2025') AND status = 'BORRADOR' LIMIT 1")
        let depth = try office.sql("SELECT depth_m FROM calicatas WHERE id = '\(id)'")
        // The assistant is a member of HYO-2025 only.
        #expect(try office.run("edit", id, "--set", "depth_m=1", "--actor", "asistente@example.pe").status == 66)
        let file = office.path("c.json")
        try Data(#"[{"id":"\#(id)","depth_m":9.9}]"#.utf8).write(to: URL(fileURLWithPath: file))
        let brought = try office.run("import", file, "--entity", "calicatas", "--policy", "update", "--actor", "asistente@example.pe", "--json")
        #expect(brought.status == 1)
        #expect(brought.output.contains("CHANGE-PROJECT"))
        #expect(try office.sql("SELECT depth_m FROM calicatas WHERE id = '\(id)'") == depth)
        // A dry run shows none of the values that are in the replica.
        let tried = try office.run("import", file, "--entity", "calicatas", "--dry-run", "--records", "--actor", "asistente@example.pe", "--json")
        #expect(!tried.output.contains("\"before\""))
    }

    /// Whoever knows an id must not learn whether there is such a record in a project of others.
    @Test func aDryRunDoesNotTellWhatOtherProjectsHold() throws {
        let office = try Office.pits()
        let there = try office.sql("SELECT id FROM calicatas WHERE project_id = (SELECT id FROM projects WHERE code = 'BAY-2025') AND status = 'BORRADOR' LIMIT 1")
        let project = try office.sql("SELECT id FROM projects WHERE code = 'BAY-2025'")
        let nowhere = "0199c000-0000-7000-8000-00000000ffff"
        func said(_ entity: String, _ row: String, _ ids: [String]) throws -> String {
            let file = office.path("c.json")
            try Data(row.utf8).write(to: URL(fileURLWithPath: file))
            let run = try office.run("import", file, "--entity", entity, "--dry-run", "--records", "--policy", "update", "--actor", "asistente@example.pe", "--json")
            // Names of the runs differ every time.
            let text = ids.reduce(run.output) { $0.replacing($1, with: "ID") }
            return "\(run.status) " + text.replacing(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, with: "RUN").replacing(/"sha256"\s*:\s*"[0-9a-f]+"/, with: "")
        }
        let rows = try [there, nowhere].map { try said("calicatas", #"[{"id":"\#($0)","depth_m":9.9}]"#, [$0]) }
        #expect(rows[0] == rows[1] && rows[0].contains("CHANGE-PROJECT"), "\(rows)")
        let projects = try [project, nowhere].map { try said("calicatas", #"[{"id":"0199c000-0000-7000-8000-00000000fffe","project_id":"\#($0)","code":"C-1"}]"#, [$0]) }
        #expect(projects[0] == projects[1] && projects[0].contains("CHANGE-PROJECT"), "\(projects)")
        let owners = try [there, nowhere].map { try said("calicata_cortes", #"[{"id":"0199c000-0000-7000-8000-00000000fffd","calicata_id":"\#($0)","number":1}]"#, [$0]) }
        #expect(owners[0] == owners[1] && owners[0].contains("CHANGE-PROJECT"), "\(owners)")
    }

    @Test func aRecordIsAddedWithAPartAndDeletedWithIt() throws {
        let office = try Office.pits()
        #expect(try office.run("add", "calicatas", "--project", "HYO-2025", "--set", "code=C-99", "--set", "depth_m=1.5").status == 0)
        #expect(try office.run("add", "calicata_cortes", "--in", "C-99", "--set", "number=1", "--set", "depth_from_m=0", "--set", "depth_to_m=1.5").status == 0)
        #expect(try office.sql("SELECT status, sync_state FROM calicatas WHERE code = 'C-99'") == "BORRADOR|local_only")
        #expect(try office.sql("SELECT group_concat(operation || ' ' || entity_type, ',') FROM (SELECT * FROM sync_queue ORDER BY rowid DESC LIMIT 2)") == "INSERT calicata_cortes,INSERT calicatas")
        let twice = try office.run("add", "calicatas", "--project", "HYO-2025", "--set", "code=C-99")
        #expect(twice.status == 65)
        #expect(twice.output.contains("CHANGE-KEY"))
        let nameless = try office.run("edit", "C-99", "--set", "code=")
        #expect(nameless.status == 65 && nameless.output.contains("CHANGE-REQUIRED"), "\(nameless.status) \(nameless.output)\(nameless.error)")
        let renamed = try office.run("edit", "C-99/1", "--set", "number=2")
        #expect(renamed.status == 0, "\(renamed.error)")

        let deleted = try office.run("delete", "C-99", "--reason", "dug twice")
        #expect(deleted.status == 0, "\(deleted.error)")
        #expect(try office.sql("SELECT (SELECT count(*) FROM calicatas WHERE code = 'C-99'), (SELECT count(*) FROM import_removals)") == "0|2")
        #expect(try office.run("undo", "last").status == 0)
        #expect(try office.sql("SELECT c.code, s.number, s.depth_to_m, s.sync_state FROM calicata_cortes AS s JOIN calicatas AS c ON c.id = s.calicata_id WHERE c.code = 'C-99'") == "C-99|2|1.5|pending_upload")
        #expect(try office.sql("SELECT (SELECT count(*) FROM import_removals), (SELECT count(*) FROM sync_queue WHERE operation = 'DELETE')") == "0|0")
    }

    @Test func whatIsApprovedIsNotDeleted() throws {
        let office = try Office.pits()
        let refused = try office.run("delete", "C-01", "--project", "HYO-2025")
        #expect(refused.status == 77)
        #expect(refused.output.contains("CHANGE-DELETE"))
        // It is said who may, and where.
        #expect(refused.output.contains("CAMPO") && refused.output.contains("BORRADOR"), "\(refused.output)")
        #expect(try state(office) == "4.5|synced|0|1")
    }

    @Test func aClosedRecordNeedsAReason() throws {
        let office = try Office.pits()
        let refused = try office.run("edit", "C-01", "--project", "CHU-2025", "--set", "depth_m=2.2")
        #expect(refused.status == 65)
        #expect(refused.output.contains("CHANGE-CLOSED"))
        // A reason of blanks is not a reason. A person who may not close a record may not correct a
        // closed one, even with a reason.
        #expect(try office.run("edit", "C-01", "--project", "CHU-2025", "--set", "depth_m=2.2", "--reason", " ").output.contains("CHANGE-CLOSED"))
        let other = try office.run("edit", "C-01", "--project", "CHU-2025", "--set", "depth_m=2.2", "--reason", "typing error")
        #expect(other.status == 77 && other.output.contains("CHANGE-EDIT"))
        let done = try office.run("edit", "C-01", "--project", "CHU-2025", "--set", "depth_m=2.2", "--reason", "typing error", "--actor", Office.administrator)
        #expect(done.status == 0, "\(done.output)\(done.error)")
    }

    @Test func aFieldWorkerLeavesWhatIsApproved() throws {
        let office = try Office.pits()
        let refused = try office.run("edit", "C-01", "--project", "HYO-2025", "--set", "depth_m=9.9", "--actor", "campo1@example.pe")
        #expect(refused.status == 77 && refused.output.contains("CHANGE-EDIT") && refused.output.contains("ADMINISTRADOR_GENERAL"), "\(refused.output)")
        // The field worker may not change a part of the approved record either. Nobody may move a
        // part into an archived record.
        let part = try office.run("edit", "C-01/1", "--project", "HYO-2025", "--set", "sucs=SM", "--actor", "campo1@example.pe")
        #expect(part.status == 77 && part.output.contains("CHANGE-EDIT"))
        let archived = try office.sql("SELECT id FROM calicatas WHERE code = 'C-01' AND project_id = (SELECT id FROM projects WHERE code = 'CHU-2025')")
        let open = try office.sql(
            "SELECT s.id FROM calicata_cortes AS s JOIN calicatas AS c ON c.id = s.calicata_id WHERE c.status = 'OBSERVADO' AND c.project_id = (SELECT id FROM projects WHERE code = 'CHU-2025') LIMIT 1")
        try #require(!open.isEmpty, "the samples have a stratum of an open record")
        let moved = try office.run("edit", open, "--set", "calicata_id=\(archived)", "--set", "number=77")
        #expect(moved.status == 65 && moved.output.contains("CHANGE-CLOSED"), "\(moved.output)\(moved.error)")
        #expect(try office.sql("SELECT count(*) FROM calicata_cortes WHERE calicata_id = '\(archived)' AND number = 77") == "0")
        #expect(try office.run("delete", "C-01", "--project", "CHU-2025", "--reason", "x", "--actor", "campo1@example.pe").status == 77)
        #expect(try office.run("add", "calicata_cortes", "--in", "C-01", "--project", "CHU-2025", "--set", "number=77").output.contains("CHANGE-CLOSED"))
        #expect(try office.sql("SELECT count(*) FROM calicatas WHERE id = '\(archived)'") == "1")
    }

    @Test func aStateIsNotEmptiedAndAKeyNotGivenAway() throws {
        let office = try Office.pits()
        let before = try office.sql("SELECT group_concat(id || coalesce(status, '') || project_id || code, ',') FROM (SELECT * FROM calicatas ORDER BY id)")
        for change in ["status=", "project_id=", "code=", "status=APROBADO"] {
            let code = try office.sql("SELECT code FROM calicatas WHERE status = 'BORRADOR' AND sync_state <> 'conflict' AND project_id = (SELECT id FROM projects WHERE code = 'JLP-2025') LIMIT 1")
            let refused = try office.run("edit", code, "--project", "JLP-2025", "--set", change)
            #expect(refused.status != 0, "\(change): \(refused.output)")
        }
        let other = try office.sql("SELECT id FROM projects WHERE code = 'CHU-2025'")
        let moved = try office.run("edit", "C-01", "--project", "HYO-2025", "--set", "project_id=\(other)")
        #expect(moved.output.contains("CHANGE-KEY"), "\(moved.output)")
        #expect(try office.run("add", "calicatas", "--project", "HYO-2025", "--set", "code=C-97", "--set", "status=").status == 65)
        #expect(try office.sql("SELECT group_concat(id || coalesce(status, '') || project_id || code, ',') FROM (SELECT * FROM calicatas ORDER BY id)") == before)
    }

    @Test func aDeletedRecordComesBackAsItWas() throws {
        let office = try Office.pits()
        let code = try office.sql("SELECT code FROM calicatas WHERE status = 'BORRADOR' AND remote_updated_at IS NOT NULL AND sync_state <> 'conflict' AND project_id = (SELECT id FROM projects WHERE code = 'JLP-2025') LIMIT 1")
        try #require(!code.isEmpty)
        let rows = {
            try office.sql("SELECT * FROM calicatas ORDER BY id; SELECT * FROM calicata_cortes ORDER BY id; SELECT * FROM calicata_photos ORDER BY id")
        }
        let before = try rows()
        #expect(try office.run("delete", code, "--project", "JLP-2025").status == 0)
        #expect(try rows() != before)
        #expect(try office.run("undo", "last").status == 0)
        #expect(try rows() == before)
    }

    @Test func whatWasTakenAwaySinceIsNotUndoneUnderIt() throws {
        let office = try Office.pits()
        #expect(try office.run("add", "calicatas", "--project", "HYO-2025", "--set", "code=C-99").status == 0)
        let added = try office.sql("SELECT id FROM imports ORDER BY rowid DESC LIMIT 1")
        #expect(try office.run("delete", "C-99").status == 0)
        let refused = try office.run("undo", added)
        #expect(refused.status == 65 && refused.error.contains("UNDO-LATER"), "\(refused.error)")
        #expect(try office.run("undo", "last").status == 0)
        #expect(try office.run("undo", added).status == 0)
        #expect(try office.sql("SELECT count(*) FROM calicatas WHERE code = 'C-99'") == "0")
    }

    @Test func wordsThatChangeNothingLeaveNothingBehind() throws {
        let office = try Office.pits()
        let sets = { try office.sql("SELECT count(*) FROM imports") }
        let before = try sets()
        let same = try office.run("edit", "C-01", "--project", "HYO-2025", "--set", "depth_m=4.5")
        #expect(same.status == 0 && same.output.contains("Nothing changed"), "\(same.output)")
        #expect(try sets() == before)
    }

    @Test func severalRecordsAreApprovedTogetherOrNoneIs() throws {
        let office = try Office.pits()
        let codes = try office.sql(
            "SELECT code FROM calicatas WHERE status = 'REVISADO' AND project_id = (SELECT id FROM projects WHERE code = 'CHU-2025') ORDER BY code LIMIT 2").split(separator: "\n").map(String.init)
        #expect(codes.count == 2)
        let count = { try office.sql("SELECT count(*) FROM calicatas WHERE status = 'APROBADO'") }
        let before = try count()
        let mixed = try office.run(["review", codes[0], "C-01", "--to", "APROBADO", "--project", "CHU-2025", "--reason", "seen"])
        #expect(mixed.status == 77, "\(mixed.output)")
        #expect(try count() == before)
        let approved = try office.run(["review"] + codes + ["--to", "APROBADO", "--project", "CHU-2025"])
        #expect(approved.status == 0, "\(approved.output)\(approved.error)")
        #expect(try Int(count()) == Int(before).map { $0 + 2 })
    }

    @Test func errorsStandInTheWayOfAReview() throws {
        let office = try Office.pits()
        let code = try office.sql(
            "SELECT code FROM calicatas WHERE status = 'REVISADO' AND project_id = (SELECT id FROM projects WHERE code = 'CHU-2025') ORDER BY code LIMIT 1")
        try office.run("edit", code, "--project", "CHU-2025", "--set", "easting=")
        let refused = try office.run("review", code, "--to", "APROBADO", "--project", "CHU-2025")
        #expect(refused.status == 65)
        #expect(refused.error.contains("CHANGE-FINDINGS") && refused.error.contains(code), "\(refused.error)")
        // The record may still be sent back.
        #expect(try office.run("review", code, "--to", "OBSERVADO", "--project", "CHU-2025").status == 0)
    }
}
