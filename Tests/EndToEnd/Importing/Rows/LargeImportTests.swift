import Foundation
import Testing
import Workbench

/// A register of 20,000 rows, which counts as a large import (decision 12).
@Suite struct LargeImportTests {
    /// An office with a project and some of the register's pits under ids of their own. The
    /// register has 20,000 strata of 4,000 pits. Some pits differ from those in the replica, and
    /// some rows cannot go in.
    private func office() throws -> Office {
        let office = try Office(system: "ingeplus", set: nil)
        let project = "0198a000-0000-7000-8000-0000000000bb"
        try "{\"id\":\"\(project)\",\"code\":\"GRANDE-1\",\"status\":\"CERRADO\"}\n".write(
            toFile: office.path("projects.ndjson"), atomically: true, encoding: .utf8)
        var pits = ""
        for number in stride(from: 1, through: 4_000, by: 10) {
            let id = "0198b000-0000-7000-8000-" + String(format: "%012x", number)
            pits += "{\"id\":\"\(id)\",\"project_id\":\"\(project)\",\"code\":\"C-\(number)\",\"depth_m\":\(number % 20 == 1 ? 2.5 : 9.75)}\n"
        }
        try pits.write(toFile: office.path("calicatas.ndjson"), atomically: true, encoding: .utf8)
        for file in ["projects.ndjson", "calicatas.ndjson"] {
            let run = try office.run("import", file, "--actor", Office.administrator)
            guard run.status == 0 else { throw Office.Trouble(run) }
        }
        var register = "Proyecto;Calicata;Prof. (m);NF;Fecha;Estrato;Desde;Hasta;SUCS;Descripción del material;Color;Humedad\n"
        for number in 0..<20_000 {
            let (pit, layer) = (number / 5 + 1, number % 5)
            // Some rows have an invalid date or an invalid depth, and one stratum occurs twice.
            let day = number % 4_001 == 4_000 ? "31/02/2025" : "05/05/2025", top = number % 3_001 == 3_000 ? "abajo" : "\(layer),5"
            register += "grande-1;c-\(pit);2,50;\(pit % 4 == 0 ? "1,80" : "NP");\(day);\(number == 777 ? layer : layer + 1);\(top);\(layer + 1),5;SM;"
            register += "Arena limosa, color beige claro, seca, medianamente densa, con gravas;marrón;\(number % 2 == 0 ? "seco" : "Húmedo")\n"
        }
        try register.write(toFile: office.path("registro.csv"), atomically: true, encoding: .utf8)
        return office
    }

    /// Everything except ids that each import makes anew.
    private func state(_ office: Office) throws -> String {
        try office.sql("""
            SELECT id, project_id, code, depth_m, groundwater_depth_m, end_date, sync_state, import_source, import_row FROM calicatas ORDER BY id;
            SELECT id, calicata_id, number, depth_from_m, depth_to_m, sucs, moisture, sync_state, import_source, import_row FROM calicata_cortes ORDER BY id;
            SELECT project_id, operation, entity_type, entity_id, payload_json FROM sync_queue WHERE entity_type <> 'profiles' ORDER BY 3, 4, 2;
            SELECT project_id, action, entity_type, count(*), count(DISTINCT entity_id) FROM activity_logs GROUP BY 1, 2, 3;
            SELECT entity_type, entity_id, local_payload, remote_payload FROM conflicts ORDER BY 2, 4; SELECT entity, raw, place, findings FROM rejects ORDER BY 1, 2, 3;
            SELECT counts FROM imports WHERE source = 'registro.csv' ORDER BY rowid; PRAGMA foreign_key_check; PRAGMA integrity_check; PRAGMA journal_mode
            """).replacing(office.folder, with: "")
    }

    private static let arguments = ["import", "registro.csv", "--mapping", "registro-plano", "--fail-on", "never", "--actor", Office.administrator]

    @Test func naturalKeysLeadToTheSameRowsWhileOthersReadAndWhileNobodyDoes() throws {
        let alone = try office()
        let first = try alone.run(Self.arguments)
        #expect(first.status == 0, "\(first.error)")
        let expected = try state(alone)
        // The pits of the replica keep their ids, and the strata found them. Five strata of these
        // pits have an invalid depth.
        #expect(try alone.sql("SELECT count(*) FROM calicata_cortes WHERE calicata_id LIKE '0198b000-0000-7000-8000-%'") == "1995")
        #expect(try alone.sql("SELECT count(*) FROM calicatas; SELECT count(*) FROM conflicts WHERE resolution_status = 'open'") == "4000\n400")
        #expect(try alone.sql("SELECT count(DISTINCT json_extract(findings, '$[0].code')) FROM rejects") != "0")

        let watched = try office()
        // Another program has the replica open until the end of the test.
        let reader = try ProgramRun.start(
            "/usr/bin/python3",
            ["-c", "import signal, sqlite3, sys; c = sqlite3.connect(sys.argv[1]); print(c.execute('SELECT count(*) FROM projects').fetchall(), flush=True); signal.pause()",
             watched.replica], in: nil, environment: [:])
        defer { reader.process.terminate() }
        // This waits until the other program has read.
        #expect(!reader.process.output.availableData.isEmpty)
        #expect(try watched.run(Self.arguments).status == 0)
        let differences = try state(watched).split(separator: "\n").difference(from: expected.split(separator: "\n"))
        #expect(differences.prefix(10).map { "\($0)" } == [])
    }

    @Test func aSecondImportChangesNothingAndUndoTakesTheFirstBack() throws {
        let office = try office()
        let before = try office.sql("SELECT * FROM calicatas ORDER BY id; SELECT count(*) FROM calicata_cortes; SELECT count(*) FROM sync_queue; SELECT count(*) FROM conflicts")
        #expect(try office.run(Self.arguments).status == 0)
        let rows = "SELECT count(*), sum(content_stamp) FROM calicatas; SELECT count(*), sum(content_stamp) FROM calicata_cortes; SELECT count(*) FROM sync_queue; SELECT count(*) FROM conflicts"
        let after = try office.sql(rows)
        #expect(try office.run(Self.arguments).status == 0)
        #expect(try office.sql(rows) == after)
        // The second import is taken back first.
        for _ in 0..<2 {
            let undone = try office.run("undo", "last", "--actor", Office.administrator)
            #expect(undone.status == 0, "\(undone.error)")
        }
        #expect(try office.sql("SELECT * FROM calicatas ORDER BY id; SELECT count(*) FROM calicata_cortes; SELECT count(*) FROM sync_queue; SELECT count(*) FROM conflicts") == before)
    }
}
