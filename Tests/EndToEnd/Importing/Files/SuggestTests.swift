import Foundation
import Testing

/// `fichero import --suggest` writes mappings for the legacy samples. They bring in as many records
/// as the mappings that people wrote.
@Suite struct SuggestTests {
    private static let folder = ProgramRun.root + "/Samples/ingeplus/legacy/"
    private static let files = ["registros/registro-legado.xlsx", "registros/registro-legado.xls", "registros/registro-plano.csv", "registros/registro-web.xls", "registros/registro.xml", "foxpro"]

    /// An office with its own copy of the packs, in which tests may write.
    private func office() throws -> Office {
        var office = try Office(system: "ingeplus", set: nil)
        try FileManager.default.copyItem(atPath: ProgramRun.root + "/Templates", toPath: office.path("Templates"))
        office.environment = ["FICHERO_TEMPLATES": office.path("Templates")]
        return office
    }

    private struct Counts: Decodable { var imported = 0, rejected = 0 }
    private struct Line: Decodable { var entity: String, counts: Counts }
    private struct Report: Decodable { var lines: [Line] }
    private struct Result: Decodable { var report: Report }

    private func counts(_ path: String, _ mapping: String, _ office: Office) throws -> [String: [Int]] {
        let run = try office.run("import", path, "--mapping", mapping, "--json", "--fail-on", "never", "--actor", Office.administrator)
        let result = try #require(JSONDecoder().decode([Result].self, from: Data(run.output.utf8)).first, "\(run.error)")
        return Dictionary(result.report.lines.map { ($0.entity, [$0.counts.imported, $0.counts.rejected]) }, uniquingKeysWith: { zip($0, $1).map(+) })
    }

    private func suggest(_ path: String, _ office: Office) throws {
        let run = try office.run("import", "--suggest", Self.folder + path, "--name", "sugerido", "-o", office.path("Templates/ingeplus/imports/sugerido.yaml"))
        #expect(run.status == 0, "\(run.error)")
        for language in ["es", "en", "it"] {
            let file = office.path("Templates/ingeplus/texts/\(language).yaml")
            try (String(contentsOfFile: file, encoding: .utf8) + "\nimport.sugerido: 'Sugerido'\n").write(toFile: file, atomically: true, encoding: .utf8)
        }
    }

    /// A suggestion with the state of the project, which the files do not say.
    private func corrected(_ path: String, _ office: Office) throws {
        let run = try office.run("import", "--suggest", path)
        #expect(run.status == 0, "\(run.error)")
        let corrected = run.output.replacing("# status: {value: …}", with: "status: {value: ACTIVO}")
        #expect(corrected != run.output)
        try corrected.write(toFile: office.path("m.yaml"), atomically: true, encoding: .utf8)
    }

    /// The register of the sample as a JSON document, as one list and with the list under a key:
    /// what it holds is suggested as from text.
    @Test(arguments: ["rows", #"{"registro": {"calicatas": rows}}"#]) func aJSONDocumentIsSuggestedAsATextIs(_ document: String) throws {
        let (own, shipped) = (try office(), try Office(system: "ingeplus", set: nil))
        let (register, script) = (
            "registros/registro-plano.csv",
            """
            import csv, json, sys
            rows = list(csv.DictReader(open(sys.argv[1], encoding="cp1252"), delimiter=";"))
            json.dump(\(document), open(sys.argv[2], "w"))
            """
        )
        let made = try ProgramRun.program("/usr/bin/python3", ["-c", script, Self.folder + register, own.path("registro.json")])
        #expect(made.status == 0, "\(made.error)")
        try corrected("registro.json", own)
        #expect(try counts(own.path("registro.json"), "./m.yaml", own) == counts(Self.folder + register, Self.shipped(register), shipped))
        let keys = """
            SELECT group_concat(p.code || c.code || coalesce(c.easting, '') || c.depth_m || s.number || s.depth_to_m || coalesce(s.sucs, '') || s.description, char(10))
            FROM (SELECT * FROM calicata_cortes ORDER BY calicata_id, number) AS s JOIN calicatas AS c ON c.id = s.calicata_id JOIN projects AS p ON p.id = c.project_id
            """
        #expect(try own.sql(keys) == shipped.sql(keys))
        #expect(try !own.sql(keys).isEmpty)
    }

    /// Values may be personal, so only headings are told.
    @Test func whatASuggestionLacksInJSONIsToldWithoutValues() throws {
        let office = try office()
        try Data(#"[{"codigo":"C-01","ficha":"Secreto","profundidad":1.5},{"codigo":"C-02","ficha":"Otro","profundidad":2.5}]"#.utf8)
            .write(to: URL(fileURLWithPath: office.path("a.json")))
        let run = try office.run("import", "--suggest", "a.json")
        #expect(run.status == 65 && run.error.contains("IMPORT-SUGGEST-NOTHING") && run.error.contains("codigo") && !run.error.contains("Secreto"), "\(run.error)")
    }

    /// One object a line is no document, and no table of text either.
    @Test(arguments: ["", "\n"]) func linesOfJSONAreNotTakenForATableOfText(_ start: String) throws {
        let office = try office()
        let rows = start + #"{"codigo":"C-01","ficha":"Secreto","profundidad":1.5}"# + "\n" + #"{"codigo":"C-02","ficha":"Otro","profundidad":2.5}"#
        try Data(rows.utf8).write(to: URL(fileURLWithPath: office.path("a.json")))
        let run = try office.run("import", "--suggest", "a.json")
        #expect(run.status == 65 && run.error.contains("IMPORT-MAPPING-JSON") && run.error.contains("--entity") && !run.error.contains("Secreto"), "\(run.error)")
    }

    private static func shipped(_ path: String) -> String {
        switch path {
        case "foxpro": "foxpro"
        case "registros/registro.xml": "registro-xml"
        case "registros/registro-plano.csv", "registros/registro-web.xls": "registro-plano"
        default: "registro-legado"
        }
    }

    @Test(arguments: files)
    func bringsInAsManyRecordsAsTheShippedMapping(_ path: String) throws {
        let (own, shipped) = (try office(), try Office(system: "ingeplus", set: nil))
        try suggest(path, own)
        #expect(try counts(Self.folder + path, "sugerido", own) == counts(Self.folder + path, Self.shipped(path), shipped))
        let keys = "SELECT group_concat(p.code || c.code || coalesce(c.easting, '') || c.depth_m || s.number || s.depth_to_m || coalesce(s.sucs, '')) FROM (SELECT * FROM calicata_cortes ORDER BY calicata_id, number) AS s JOIN calicatas AS c ON c.id = s.calicata_id JOIN projects AS p ON p.id = c.project_id"
        #expect(try own.sql(keys) == shipped.sql(keys))
    }

    @Test(arguments: [
        ("fichas/fichas-calicatas.xlsx", "ficha-calicata"), ("fichas/fichas-apiladas.xlsx", "fichas-apiladas"), ("fichas/fichas-laterales.xlsx", "ficha-calicata-lateral"),
        ("registros/formulario-kobo.jsonl", "formulario-kobo"),
    ])
    func bringsInThePitsOfFormsAsTheShippedMapping(_ path: String, _ shippedMapping: String) throws {
        let (own, shipped) = (try office(), try Office(system: "ingeplus", set: nil))
        try corrected(Self.folder + path, own)
        let counted = try counts(Self.folder + path, "./m.yaml", own)
        #expect(counted.values.allSatisfy { $0[1] == 0 }, "no row is lost")
        var other = try counts(Self.folder + path, shippedMapping, shipped)
        other["calicata_photos"] = nil
        #expect(counted == other)
        let rows = """
            SELECT group_concat(p.code || p.name || c.code || c.progresiva || c.easting || c.northing || c.end_date || c.depth_m
                || coalesce(c.groundwater_depth_m, 'dry') || s.number || s.depth_from_m || s.depth_to_m || s.sucs || s.aashto || s.description, char(10))
            FROM (SELECT * FROM calicata_cortes ORDER BY calicata_id, number) AS s JOIN calicatas AS c ON c.id = s.calicata_id JOIN projects AS p ON p.id = c.project_id
            """
        #expect(try own.sql(rows) == shipped.sql(rows))
        #expect(try !own.sql(rows).isEmpty)
    }

    @Test func saysWhyNothingFits() throws {
        let office = try office()
        try "Desde;Hasta;Nota\n0;1;x\n1;2;y\n".write(toFile: office.path("otra.csv"), atomically: true, encoding: .utf8)
        let run = try office.run("import", "--suggest", "otra.csv")
        #expect(run.status == 65)
        #expect(run.error.contains("Desde → calicata_cortes.depth_from_m") && run.error.contains("calicatas.code"), "\(run.error)")
    }

    @Test func printsAndChangesNothing() throws {
        let office = try office()
        let run = try office.run("import", "--suggest", Self.folder + "foxpro")
        #expect(run.status == 0 && run.output.contains("import: foxpro-2\n"), "\(run.error)")
        #expect(run.output.hasPrefix("# First mapping for foxpro"))
        #expect(try office.sql("SELECT count(*) FROM pipeline_runs WHERE command = 'import'") == "0")
        #expect(try office.sql("SELECT count(*) FROM projects") == "0")
        let json = try Reading.json(office.run("import", "--suggest", Self.folder + "foxpro", "--json").output)
        #expect((json["mapping"] as? String)?.contains("entity: calicatas") == true)
    }

    @Test func needsNoReplicaWhereThePackIsNamed() throws {
        let run = try ProgramRun.fichero(
            ["import", "--suggest", Self.folder + "foxpro", "--pack", "ingeplus", "--lang", "it"], in: NSTemporaryDirectory(),
            environment: ["FICHERO_TEMPLATES": ProgramRun.root + "/Templates"])
        #expect(run.status == 0 && run.output.hasPrefix("# Prima corrispondenza"), "\(run.error)")
    }

    @Test func failsAsOtherReadingDoes() throws {
        let office = try office()
        try "Factura;Importe\nF-1;20,50\n".write(toFile: office.path("otra.csv"), atomically: true, encoding: .utf8)
        try "trabajado".write(toFile: office.path("mio.yaml"), atomically: true, encoding: .utf8)
        for (arguments, status) in [
            (["--suggest", "nada.csv"], Int32(66)), (["--suggest", "otra.csv"], 65), (["--suggest"], 64), (["--suggest", "a", "b"], 64),
            (["otra.csv", "-o", "x.yaml"], 64), (["--suggest", "otra.csv", "--name", "../x"], 64),
            (["--suggest", Self.folder + "foxpro", "-o", "mio.yaml"], 73),
        ] {
            let run = try office.run(["import"] + arguments)
            #expect(run.status == status, "\(arguments): \(run.status) \(run.error)")
        }
        #expect(try String(contentsOfFile: office.path("mio.yaml"), encoding: .utf8) == "trabajado")
    }

    /// The sample register as a DOS program could have written it, with exclamation marks as
    /// separators. The reader cannot find this separator by itself.
    private func oddRegister(_ office: Office) throws -> String {
        let script = """
            import csv, sys
            rows = list(csv.reader(open(sys.argv[1], encoding="cp1252", newline=""), delimiter=";"))
            with open(sys.argv[2], "w", encoding="cp850", errors="replace", newline="") as file:
                csv.writer(file, delimiter="!").writerows(rows)
            """
        let made = try Reading.python(script, Self.folder + "registros/registro-plano.csv", office.path("raro.csv"))
        #expect(made.status == 0, "\(made.error)")
        return office.path("raro.csv")
    }

    @Test func readsAsItIsTold() throws {
        let office = try office()
        let file = try oddRegister(office)
        func headings(_ options: String...) throws -> [String] {
            let run = try office.run(["describe", file, "--json"] + options)
            let tables = try Reading.json(run.output)["tables"] as? [[String: Any]]
            return (tables?.first?["columns"] as? [[String: Any]])?.compactMap { $0["name"] as? String } ?? []
        }
        let told = ["--encoding", "cp850", "--delimiter", "!"]
        let named = "Obra;Nombre;Calicata;Progresiva;Lado;Este;Norte;Cota;Profundidad;NF;Fecha;Estrato;Desde;Hasta;SUCS;Descripción".split(separator: ";").map(String.init)
        #expect(try headings() != named)
        #expect(try headings("--encoding", "cp850", "--delimiter", "!") == named)
        #expect(try office.run("import", "--suggest", file).status == 65, "one column of anything")
        let output = office.path("Templates/ingeplus/imports/sugerido.yaml")
        let run = try office.run(["import", "--suggest", file, "--name", "sugerido", "-o", output] + told)
        #expect(run.status == 0, "\(run.error)")
        #expect(try String(contentsOfFile: output, encoding: .utf8).contains("Descripción"))
        for language in ["es", "en", "it"] {
            let texts = office.path("Templates/ingeplus/texts/\(language).yaml")
            try (String(contentsOfFile: texts, encoding: .utf8) + "\nimport.sugerido: 'Sugerido'\n").write(toFile: texts, atomically: true, encoding: .utf8)
        }
        // An import and a check can read the file with the same option. Without the option, they
        // cannot.
        #expect(try office.run("import", file, "--mapping", "sugerido", "--actor", Office.administrator).status == 65)
        let imported = try office.run(["import", file, "--mapping", "sugerido", "--fail-on", "never", "--actor", Office.administrator] + told)
        #expect(imported.status == 0, "\(imported.error)")
        let shipped = try Office(system: "ingeplus", set: nil)
        _ = try counts(Self.folder + "registros/registro-plano.csv", "registro-plano", shipped)
        let strata = "SELECT group_concat(c.code || s.number || s.description) FROM (SELECT * FROM calicata_cortes ORDER BY calicata_id, number) AS s JOIN calicatas AS c ON c.id = s.calicata_id"
        #expect(try office.sql(strata) == shipped.sql(strata), "to the last accent")
        // Bounds also apply to a suggestion.
        let bounded = try office.run("import", "--suggest", file, "--limit", "columns=1", "--encoding", "cp850", "--delimiter", "!")
        #expect(bounded.status == 65 && bounded.error.contains("the bound columns"), "\(bounded.error)")
        for wrong in ["ab", "x", "7", "é", ""] { #expect(try office.run("import", "--suggest", file, "--delimiter", wrong).status == 64, "\(wrong)") }
        #expect(try office.run("import", "--suggest", file, "--encoding", "klingon").status == 64)
    }
}
