import Foundation
import Testing

/// The reports of test pits as their readers get them. What pdftotext reads must agree with what
/// sqlite3 and Python find in the replica.
@Suite struct PitReportTests {
    static let names = [
        "avance", "bitacora", "estado-revision", "ficha-calicata", "pendientes", "perfil-longitudinal", "registro-documental",
        "registro-fotografico", "resumen-proyecto",
    ]

    static func lines(
        _ report: String, of project: String, in office: Office, language: String = "es", _ options: String...
    ) throws -> [String] {
        try office.lines(report, of: project, language: language, options)
    }

    /// Writes a state into the replica that no command writes. A fault or a device may leave such a
    /// state behind.
    static func change(_ sql: String, in office: Office) throws {
        let run = try ProgramRun.program("/usr/bin/sqlite3", ["-bail", office.replica, sql])
        guard run.status == 0 else { throw Office.Trouble(run) }
    }

    private static func rows(_ sql: String, in office: Office) throws -> [String] {
        try office.sql(sql).split(separator: "\n").map { String($0).replacing("|", with: " ") }
    }

    private static func pits(_ project: String) -> String {
        "calicatas c WHERE c.project_id = (SELECT id FROM projects WHERE code = '\(project)') AND c.sync_state NOT IN ('conflict', 'error')"
    }

    @Test func aSummaryCountsAsSQLDoes() throws {
        let office = try Office.pits()
        let lines = try Self.lines("resumen-proyecto", of: "JLP-2025", in: office)
        let pits = Self.pits("JLP-2025")
        let depths = try office.sql(
            "SELECT printf('%.2f m %.2f m %.2f m %.2f m', min(depth_m), avg(depth_m), max(depth_m), sum(depth_m)) FROM \(pits)")
        #expect(lines.contains(depths), "\(depths)")
        let soils = try Self.rows(
            """
            WITH k AS (SELECT * FROM calicata_cortes WHERE calicata_id IN (SELECT id FROM \(pits)))
            SELECT sucs, printf('%.2f', sum(depth_to_m - depth_from_m)),
              printf('%.1f', 100 * sum(depth_to_m - depth_from_m) / (SELECT sum(depth_to_m - depth_from_m) FROM k)), count(*), count(DISTINCT calicata_id)
            FROM k GROUP BY sucs
            """, in: office)
        #expect(soils.count > 5)
        for soil in soils {
            let words = soil.split(separator: " ", maxSplits: 1)
            #expect(lines.contains { $0.hasPrefix(words[0] + " ") && $0.hasSuffix(" " + words[1]) }, "\(soil)")
        }
        for state in try Self.rows("SELECT status, count(*), printf('%.2f', sum(depth_m)) FROM \(pits) GROUP BY status", in: office) {
            let words = state.split(separator: " ")
            let name = ["APROBADO": "Aprobado", "BORRADOR": "Borrador", "EN_REVISION": "En revisión", "OBSERVADO": "Observado", "REVISADO": "Revisado"]
            let label = try #require(name[String(words[0])])
            #expect(lines.contains { $0.hasPrefix("\(label) \(words[1]) ") && $0.hasSuffix(" " + words[2]) }, "\(state)")
        }
        // A road of the second class needs 3 pits for each kilometre.
        for kilometre in try Self.rows(
            """
            SELECT CAST(progresiva AS INTEGER), count(*), printf('%.2f', sum(depth_m)), sum(depth_m < 1.5),
              (SELECT count(*) FROM calicatas o WHERE o.project_id = c.project_id AND CAST(o.progresiva AS INTEGER) = CAST(c.progresiva AS INTEGER)) - count(*)
            FROM \(pits) GROUP BY CAST(progresiva AS INTEGER)
            """, in: office)
        {
            let words = kilometre.split(separator: " "), count = try #require(Int(words[1])), start = try #require(Int(words[0]))
            let verdict = count < 3 ? words[4] > "0" ? "Incompleta; hay excavadas" : "Incompleta" : "Cumple"
            let line = try #require(lines.first { $0.contains("\(start)+000 – \(start + 1)+000 \(verdict)") }, "\(kilometre)")
            #expect(line.hasSuffix(" \(count) 3 \(max(0, 3 - count)) \(words[2]) \(words[3]) \(words[4])"), "\(line)")
        }
        #expect(lines.contains { $0.hasPrefix("C-03 13+100 Derecho") && $0.contains("RELLENO, ML, GC-GM, GM, GW") && $0.hasSuffix("Aprobado") })
        #expect(lines.contains { $0.contains("fuera de la selección") && $0.contains(": 1.") }, "the pit in conflict is told of")
    }

    /// Enough pits, of which one is not as deep as the norm asks: the verdict says so.
    @Test func aShallowPitIsToldBesideTheVerdict() throws {
        let office = try Office.pits()
        try Self.change("UPDATE calicatas SET depth_m = 1.2 WHERE code = (SELECT min(code) FROM \(Self.pits("CHU-2025")) AND progresiva LIKE '4+%')", in: office)
        let lines = try Self.lines("resumen-proyecto", of: "CHU-2025", in: office)
        #expect(lines.contains { $0.contains("4+000 – 5+000 Cumple en número, no en") }, "\(lines.filter { $0.contains("4+000") })")
    }

    /// A record's sheet is numbered by itself; sections that share pages, over the document. The day
    /// of issue stands in the reader's form.
    @Test func sheetsAreNumberedAndDated() throws {
        let office = try Office.pits()
        let summary = try Self.lines("resumen-proyecto", of: "CHU-2025", in: office)
        let last = try #require(summary.filter { $0.range(of: "^[0-9]+ de [0-9]+$", options: .regularExpression) != nil }.last?.split(separator: " "))
        #expect(last.first == last.last && (Int(last[0]) ?? 0) > 5 && (Int(last[0]) ?? 99) < 15, "22 pits on half as many pages: \(last)")
        #expect(summary.contains { $0.contains("Emisión") } && summary.contains { $0.hasSuffix("01/12/2025") } && !summary.contains { $0.hasSuffix("2025-12-01") })
        #expect(try Self.lines("resumen-proyecto", of: "CHU-2025", in: office, language: "en").contains { $0.hasSuffix("2025-12-01") })
        let sheets = try Self.lines("ficha-calicata", of: "CHU-2025", in: office)
        let first = sheets.indices.filter { sheets[$0].contains("1 de 1") || sheets[$0].contains("1 de 2") }
        let leftOut = try #require(sheets.firstIndex { $0.hasPrefix("Calicatas que no están en este documento") })
        #expect(first.filter { $0 < leftOut }.count == 23, "22 pits, and the sheet that names the pits that are left out")
        #expect(first.last.map { sheets[$0...].contains { $0.hasPrefix("Calicata Progresiva Profundidad") } } == false, "which is numbered by itself")
    }

    /// Where signatures do not fit the sheet of their pit, its photos go with them.
    @Test(arguments: ["BAY-2025", "HYO-2025", "CHU-2025", "JLP-2025"]) func signaturesDoNotStandAlone(_ project: String) throws {
        let office = try Office.pits()
        let text = try ProgramRun.program("/usr/bin/pdftotext", [office.document("ficha-calicata", "pdf", of: project), "-"]).output
        let pages = text.split(separator: "\u{0C}").filter { $0.contains("Revisado por") }
        #expect(pages.count > 5)
        for page in pages {
            #expect(["Descripción del material", "GPS", "Lecturas de la napa", "Observaciones"].contains { page.contains($0) }, "\(page)")
        }
    }

    /// A stratum's photos have numbers, by which the log names them; without such photos there are none.
    @Test func aStratumNamesItsPhotos() throws {
        let office = try Office.pits()
        let plain = try Self.lines("ficha-calicata", of: "CHU-2025", in: office)
        #expect(!plain.contains { $0.contains("Foto 1") })
        try Self.change(
            """
            UPDATE calicata_photos SET corte_id = (SELECT id FROM calicata_cortes k WHERE k.calicata_id = calicata_photos.calicata_id AND k.number = 2)
            WHERE kind <> 'panorama' AND calicata_id = (SELECT id FROM \(Self.pits("CHU-2025")) AND code = 'C-02')
            """, in: office)
        let lines = try Self.lines("ficha-calicata", of: "CHU-2025", in: office)
        #expect(lines.contains { $0 == "Foto" } && !plain.contains { $0 == "Foto" }, "the log has the column")
        #expect(["Foto 2 · Estrato 2", "Foto 3 · Estrato 2"].allSatisfy { photo in lines.contains { $0.contains(photo) } }, "after the photo of the pit: \(lines.filter { $0.contains("Foto") })")
        #expect(lines.contains { $0.contains("CL CL") && $0.hasSuffix("2, 3") }, "the stratum names both: \(lines.filter { $0.hasSuffix("2, 3") })")
    }

    @Test func aKilometreWithoutPitsAndARoadWithoutClassAreReported() throws {
        let office = try Office.pits()
        try Self.change("UPDATE calicatas SET progresiva = NULL WHERE progresiva LIKE '14+%'", in: office)
        let lines = try Self.lines("resumen-proyecto", of: "JLP-2025", in: office)
        #expect(lines.contains { $0.hasSuffix("14+000 – 15+000 Sin calicatas 0 3 3 0 0") })
        let profile = try Self.lines("perfil-longitudinal", of: "JLP-2025", in: office)
        #expect(profile.contains("Calicatas sin progresiva"))
        try Self.change("UPDATE projects SET road_class = NULL", in: office)
        let classless = try Self.lines("resumen-proyecto", of: "JLP-2025", in: office)
        #expect(classless.contains { $0.contains("no hay norma con qué comparar") })
        #expect(!classless.contains { $0.contains("Sin calicatas") || $0.contains("Exigidas") })
        let building = try Self.lines("resumen-proyecto", of: "HYO-2025", in: office)
        #expect(building.contains { $0.contains("Ninguna calicata de la selección tiene progresiva") })
    }

    @Test func progressCountsAsPythonDoes() throws {
        let office = try Office.pits()
        let lines = try Self.lines("avance", of: "CHU-2025", in: office)
        let expected = try Reading.python(
            """
            import sqlite3, sys, datetime
            from collections import defaultdict
            db = sqlite3.connect(sys.argv[1])
            rows = db.execute("SELECT c.end_date, c.depth_m, c.status, p.full_name FROM calicatas c JOIN profiles p ON p.id = c.logged_by JOIN projects o"
                " ON o.id = c.project_id WHERE o.code = 'CHU-2025' AND c.sync_state NOT IN ('conflict', 'error')").fetchall()
            def table(key, label):
                found = defaultdict(lambda: [0, 0.0, 0, 0.0])
                for day, depth, state, name in rows:
                    row = found[key(datetime.date.fromisoformat(day), name)]
                    row[0] += 1; row[1] += depth
                    if state in ("APROBADO", "EXPORTADO", "ARCHIVADO"): row[2] += 1; row[3] += depth
                pits = metres = approved = 0
                for k in sorted(found):
                    row = found[k]
                    pits += row[0]; metres += row[1]; approved += row[3]
                    said = f"{label(k)} {row[0]} {row[1]:.2f} {row[2]} {row[3]:.2f}"
                    print(said if key is person else f"{said} {pits} {metres:.2f} {approved:.2f}")
            def week(day, name): return day.isocalendar()[:2]
            def person(day, name): return name
            table(week, lambda k: f"{k[0]}-W{k[1]:02d} " + datetime.date.fromisocalendar(k[0], k[1], 1).strftime("%d/%m/%Y"))
            table(lambda day, name: day.strftime("%Y-%m"), lambda k: k)
            table(person, lambda k: k)
            """, office.replica)
        #expect(expected.status == 0, "\(expected.error)")
        let rows = expected.output.split(separator: "\n")
        #expect(rows.count == 5)
        for row in rows { #expect(lines.contains { $0.hasPrefix(row) }, "\(row)") }
    }

    @Test func theLogKeepsTheOfficesTime() throws {
        let office = try Office.pits()
        // At 03:30 UTC it is still the evening before in Lima.
        try Self.change(
            """
            UPDATE activity_logs SET created_at = '2025-08-20T03:30:00Z' WHERE id = (SELECT min(id) FROM activity_logs
            WHERE created_at LIKE '2025-08-20%' AND project_id = (SELECT id FROM projects WHERE code = 'JLP-2025'))
            """, in: office)
        let expected = try Reading.python(
            """
            import sqlite3, sys, datetime, zoneinfo
            db = sqlite3.connect(sys.argv[1])
            for moment, name in db.execute("SELECT a.created_at, coalesce(p.full_name, p.email) FROM activity_logs a LEFT JOIN profiles p ON p.id = a.actor_id"
                " JOIN projects o ON o.id = a.project_id WHERE o.code = 'JLP-2025' ORDER BY a.created_at, a.id"):
                time = datetime.datetime.fromisoformat(moment.replace("Z", "+00:00")).astimezone(zoneinfo.ZoneInfo("America/Lima"))
                print(time.strftime("%d/%m/%Y %H:%M"), name)
            """, office.replica).output.split(separator: "\n").map(String.init)
        let lines = try Self.lines("bitacora", of: "JLP-2025", in: office)
        let entries = lines.filter { $0.range(of: "^[0-9]{2}/[0-9]{2}/[0-9]{4} [0-9]{2}:[0-9]{2} ", options: .regularExpression) != nil }
        #expect(entries.count == expected.count && expected.count > 50)
        for (entry, start) in zip(entries, expected) { #expect(entry.hasPrefix(start), "\(entry)") }
        let days = lines.filter { $0.hasPrefix("Día: ") }
        #expect(Set(days) == Set(expected.map { "Día: " + $0.prefix(10) }))
        #expect(entries.contains { $0.hasPrefix("19/08/2025 22:30") })
        #expect(entries.contains { $0.contains("C-01") && $0.contains("Borrador → En revisión") })
    }

    @Test func theLogSaysWhatACorrectionChanged() throws {
        let office = try Office.pits()
        let edited = try office.run(
            "edit", "C-01", "--project", "HYO-2025", "--set", "depth_m=4.25", "--set", "observations=Agua", "--set", "water_status=not_measured",
            "--reason", "medida de nuevo", "--fail-on", "never")
        #expect(edited.status == 0, "\(edited.error)")
        let text = try Self.lines("bitacora", of: "HYO-2025", in: office).joined(separator: " ")
        #expect(text.contains("Corrección") && !text.contains("row_edited"))
        #expect(text.contains("4.5 → 4.25") && text.contains("→ Agua") && text.contains("No presenta → No medida") && text.contains("medida de"), "\(text.suffix(900))")
    }

    @Test func whatWaitsIsCountedAndErrorsHaveAClass() throws {
        let office = try Office.pits()
        let lines = try Self.lines("pendientes", of: "CHU-2025", in: office)
        let counts = try office.sql(
            """
            SELECT sum(sync_state = 'synced') || ' ' || sum(sync_state = 'conflict') || ' ' || sum(sync_state = 'error') || ' ' || count(*)
            FROM calicatas WHERE project_id = (SELECT id FROM projects WHERE code = 'CHU-2025')
            """)
        #expect(lines.contains("Calicatas " + counts))
        #expect(lines.contains("Clase: Esquema"))
        #expect(lines.contains { $0.hasPrefix("Calicatas C-22 ") && $0.contains(" 5 ") && $0.contains("HTTP 409") })
        #expect(lines.contains { $0.hasPrefix("Calicatas C-19 ") && $0.hasSuffix("Profundidad, Observaciones") })
        for (name, table) in [("Muestras", "samples"), ("Ensayos de laboratorio", "lab_results"), ("Lecturas de la napa", "water_readings"), ("Ensayos de campo", "field_tests")] {
            let rows = try office.sql(
                "SELECT count(*) FROM calicata_\(table) t JOIN calicatas c ON c.id = t.calicata_id JOIN projects p ON p.id = c.project_id WHERE p.code = 'CHU-2025'")
            #expect(lines.contains("\(name) \(rows) \(rows)"), "\(name): synced, and in all")
        }
        let waiting = try office.sql(
            "SELECT count(*) FROM calicata_photos f JOIN calicatas c ON c.id = f.calicata_id JOIN projects p ON p.id = c.project_id WHERE p.code = 'CHU-2025' AND f.sync_state = 'pending_upload'")
        #expect(lines.filter { $0.hasPrefix("C-") && $0.contains("Pendiente de subir") }.count == Int(waiting))

        let errors = [
            ("new row violates row-level security policy for table \"calicatas\"", "RLS"), ("HTTP 403: permission denied", "Permisos"),
            ("Storage: bucket not found", "Storage"), ("PGRST204: column \"side\" not found", "Esquema"), ("HTTP 426: upgrade required", "Build"),
            ("RenderFlex overflowed: widget", "UI"), ("The request timed out", "Sync"),
        ]
        for (index, error) in errors.enumerated() {
            try Self.change(
                """
                UPDATE sync_queue SET last_error = '\(error.0)' WHERE id = (SELECT id FROM sync_queue
                WHERE entity_type = 'calicatas' AND project_id = (SELECT id FROM projects WHERE code = 'JLP-2025') ORDER BY id LIMIT 1 OFFSET \(index))
                """, in: office)
        }
        let classed = try Self.lines("pendientes", of: "JLP-2025", in: office)
        for (index, error) in errors.enumerated() {
            let start = try #require(classed.firstIndex { $0.hasPrefix("Clase: " + error.1) }, "\(errors[index])")
            let group = classed[(start + 1)...].prefix { !$0.hasPrefix("Clase: ") && $0 != "En conflicto" }
            #expect(group.contains { $0.contains(error.0.prefix(12)) }, "\(group)")
        }
    }

    @Test func theReviewSaysWhoAndSinceWhen() throws {
        let office = try Office.pits()
        try Self.change(
            """
            UPDATE calicatas SET observations = 'Falta el ensayo de la M-2' WHERE code = 'C-11' AND status = 'OBSERVADO';
            UPDATE calicatas SET observations = NULL WHERE code = 'C-12' AND status = 'OBSERVADO';
            """, in: office)
        let lines = try Self.lines("estado-revision", of: "JLP-2025", in: office)
        #expect(lines.contains { $0.hasPrefix("C-11 16+300 Falta el ensayo de la M-2") && $0.hasSuffix("22/08/2025 14:13") })
        #expect(lines.contains { $0.hasPrefix("! C-12 16+700") }, "an observed pit without an observation stands out")
        #expect(lines.contains { $0.hasPrefix("C-09 15+500") && $0.hasSuffix("Delia Huamaní Yupanqui Hernán Olórtegui Paz 29/08/2025 17:39") })
        #expect(lines.contains("Hernán Olórtegui Paz 2 2"), "two reviewed pits are with the reviewer")
    }

    @Test func documentsThatLostTheirPlaceAreListed() throws {
        let office = try Office.pits()
        let tree = try Self.lines("registro-documental", of: "JLP-2025", in: office)
        #expect(tree.contains("No hay huérfanos."))
        let plan = try #require(tree.firstIndex { $0.hasPrefix("Plan de exploración.pdf Archivo") })
        #expect(tree[plan - 1].hasPrefix("Calicatas Carpeta"))
        try Self.change(
            """
            UPDATE document_nodes SET parent_id = '0194fa3e-b080-7a88-baa9-4a36ee75d500' WHERE name LIKE 'Plan%';
            UPDATE document_nodes SET storage_path = NULL, local_path = NULL WHERE name LIKE 'Cargo%';
            """, in: office)
        let lost = try Self.lines("registro-documental", of: "JLP-2025", in: office)
        let folderless = try #require(lost.firstIndex { $0.hasPrefix("Motivo: Su carpeta no existe") })
        #expect(lost[folderless + 1].contains("Plan de exploración.pdf"))
        let fileless = try #require(lost.firstIndex { $0.hasPrefix("Motivo: Documento sin archivo") })
        #expect(lost[fileless + 1].contains("Cargo de recepción & anexos.pdf"))
        // A report that was registered is listed as a version, with its size.
        let run = try office.run("report", "registro-documental", "--project", "JLP-2025", "--format", "pdf", "-o", "out")
        #expect(run.status == 0, "\(run.error)")
        let version = try office.sql("SELECT printf('%.1f', bytes / 1000.0) FROM document_versions WHERE version = 1 AND document LIKE '%registro-documental%'")
        let listed = try Self.lines("registro-documental", of: "JLP-2025", in: office)
        #expect(listed.contains { $0.contains("registro-documental-2025-12-01-v1.pdf") && $0.contains(" \(version) ") }, "\(version)")
    }

    @Test func photosHaveCaptionsWithoutStrayPoints() throws {
        let office = try Office.pits()
        let id = "(SELECT id FROM calicatas WHERE code = 'C-02' AND project_id = (SELECT id FROM projects WHERE code = 'BAY-2025'))"
        try Self.change("DELETE FROM calicata_photos WHERE calicata_id = \(id)", in: office)
        let first = "(SELECT id FROM calicatas WHERE code = 'C-01' AND project_id = (SELECT id FROM projects WHERE code = 'BAY-2025'))"
        try Self.change("UPDATE calicata_photos SET caption = NULL, latitude = NULL, author = NULL, depth_m = 1.2, taken_at = NULL WHERE calicata_id = \(first) AND kind = 'pit'", in: office)
        let lines = try Self.lines("registro-fotografico", of: "BAY-2025", in: office)
        #expect(lines.contains("Calicatas sin fotos") && lines.contains { $0.contains(" C-02 0+250 ") && $0.contains("Aprobado") }, "an approved pit without photos stands out")
        #expect(lines.contains { $0.contains("BAY-2025 · C-01 · km 0+000 · a 1.20 m") } && lines.contains { $0.split(separator: " ").contains("Calicata") }, "the stamp, and below it the kind")
        let all = lines.joined(separator: "\n")
        #expect(!all.contains("· ·") && !all.contains("{"))
        let count = try office.sql(
            "SELECT count(*) FROM calicata_photos WHERE calicata_id IN (SELECT id FROM \(Self.pits("BAY-2025")))")
        let file = try office.document("registro-fotografico", "pdf", of: "BAY-2025")
        let pictures = try ProgramRun.program("/usr/bin/pdfimages", ["-list", file]).output.split(separator: "\n").dropFirst(2)
        #expect(pictures.filter { $0.contains(" jpeg ") }.count == Int(count))
    }

    @Test func aDescriptionIsComposedOfWhatIsKnown() throws {
        let office = try Office.pits()
        let pit = "(SELECT id FROM calicatas WHERE code = 'C-01' AND project_id = (SELECT id FROM projects WHERE code = 'CHU-2025'))"
        try Self.change(
            """
            UPDATE calicata_cortes SET description = NULL, sucs = 'SM', color = NULL, moisture = 'húmedo', compactness = 'densa', particle_size = NULL,
              particle_shape = NULL, organics = NULL, field_test = NULL, structure = NULL WHERE number = 1 AND calicata_id = \(pit);
            UPDATE calicata_cortes SET description = 'Arena.', color = 'gris', moisture = 'seco', compactness = NULL, particle_size = NULL,
              particle_shape = NULL, organics = NULL, field_test = NULL, structure = NULL, plasticity = NULL WHERE number = 2 AND calicata_id = \(pit);
            """, in: office)
        func joined(_ language: String) throws -> String {
            // The text is read in the order of the content, so that a wrapped description is one
            // text.
            let file = try office.document("ficha-calicata", "pdf", of: "CHU-2025", language: language, ["--record", "C-01", "--preview"])
            return try ProgramRun.program("/usr/bin/pdftotext", ["-raw", file, "-"]).output
                .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        let spanish = try joined("es")
        #expect(spanish.contains("Arena limosa, húmedo, densa"))
        #expect(spanish.contains("Arena, color gris, seco"))
        #expect(spanish.contains("Registrado por Delia") && !spanish.contains("Nombre completo"))
        #expect(spanish.contains("No presenta") && !spanish.contains(", ,") && !spanish.contains("· ·"))
        #expect(try joined("en").contains("Silty sand, moist, dense"))
    }

    @Test func workbooksHoldNumbersOnSheetsThatFitAPage() throws {
        let office = try Office.pits()
        let summary = try office.document("resumen-proyecto", "xlsx", of: "CHU-2025")
        let read = try Reading.python(
            """
            import sys, openpyxl
            wb = openpyxl.load_workbook(sys.argv[1])
            sheet = wb["Cobertura por kilómetro"]
            for row in sheet.iter_rows(values_only=True):
                if row[0] and str(row[0]).endswith(("9+000 – 10+000", "11+000 – 12+000")):
                    print([v for v in row if v is not None])
            """, summary)
        #expect(read.output == """
            ['9+000 – 10+000', 'Incompleta; hay excavadas fuera de la selección', 1, 2, 1, 2.4, 0, 1]
            ['11+000 – 12+000', 'Cumple', 2, 2, 0, 3.55, 0, 0]

            """, "\(read.error)")
        // Bars begin at the left, and the first category is at the top.
        let axes = try Reading.python(
            """
            import re, sys, zipfile
            xml = zipfile.ZipFile(sys.argv[1]).read("xl/charts/chart1.xml").decode()
            for name in ("catAx", "valAx"):
                axis = re.search(f"<c:{name}>.*?</c:{name}>", xml, re.S).group()
                print(name, re.search('orientation val="([a-zA-Z]+)"', axis).group(1), "Metros" in axis)
            """, summary)
        #expect(axes.output == "catAx maxMin False\nvalAx minMax True\n", "\(axes.output)\(axes.error)")
        // Even if the shares of its columns add up to more than 1, a table must not be wider than
        // its paper. A width of 269 mm has about 150 characters.
        let documents = try office.document("registro-documental", "xlsx", of: "CHU-2025")
        let width = try Reading.python(
            """
            import sys, openpyxl
            sheet = openpyxl.load_workbook(sys.argv[1]).worksheets[0]
            print(sum(d.width * (d.max - d.min + 1) for d in sheet.column_dimensions.values() if d.width) < 220)
            """, documents)
        #expect(width.output == "True\n", "\(width.error)")
    }

    /// A specialist does not see the names of people. Pages must be complete without them.
    @Test(arguments: names) func pagesAreWholeWithoutNamesAndInEveryLanguage(_ name: String) throws {
        var office = try Office.pits()
        for language in ["es", "en", "it"] {
            let text = try Self.lines(name, of: "HYO-2025", in: office, language: language).joined(separator: "\n")
            for stray in ["report.", "vocabulary.", "entity.", "field.calicatas", "label.", "{", "· ·", ", ,"] {
                #expect(!text.contains(stray), "\(language): \(stray)")
            }
        }
        office.environment["FICHERO_ACTOR"] = "especialista@example.pe"
        let nameless = try Self.lines(name, of: "HYO-2025", in: office).joined(separator: "\n")
        for person in try office.sql("SELECT full_name FROM profiles WHERE full_name IS NOT NULL AND email <> 'especialista@example.pe'").split(separator: "\n") {
            #expect(!nameless.contains(person), "\(person)")
        }
        #expect(!nameless.contains("· ·") && !nameless.contains("{"))
    }

    @Test func theMonthsPapersAreMadeInOneJob() throws {
        let office = try Office.pits()
        let run = try office.run("run", "informes-mensuales", "-o", "month")
        #expect(run.status == 0, "\(run.error)")
        let files = try office.files("month").filter { $0.contains("/JLP-2025/") && $0.hasSuffix(".pdf") }.compactMap { $0.split(separator: "/").last }
        #expect(files == ["avance-2025-12-01-v1.pdf", "ficha-calicata-2025-12-01-v1.pdf", "resumen-proyecto-2025-12-01-v1.pdf"])
    }
}
