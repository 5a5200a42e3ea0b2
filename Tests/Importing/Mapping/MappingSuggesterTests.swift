import Foundation
import JSONReading
import Model
import Testing
import Workbench

@testable import Importing
@testable import Suggesting

/// The shipped pack, and tables of our own for it.
enum PitSuggestions {
    static let templates = ProjectFolder.root.appendingPathComponent("Templates")
    static let pits: Pack? = try? ShippedPack.named("ingeplus")
    static let assets: Pack? = try? ShippedPack.named("anagrafica")

    static func suggest(_ text: String, _ pack: Pack? = pits, file: String = "tabla.csv") throws -> MappingSuggestion {
        let folder = try Folder()
        let path = try folder.write(file, text)
        return try MappingSuggester(pack: try #require(pack)).suggest(try TableFiles.open(path: path), path: path, name: "tabla")
    }

    /// The field that each heading feeds, such as `calicatas.code`.
    static func fed(_ suggestion: MappingSuggestion) -> [String: String] {
        var fed: [String: String] = [:]
        for target in suggestion.tables.flatMap(\.targets) {
            for choice in target.fields {
                if case .column(let headings) = choice.field.value { fed[headings[0]] = target.entity.name + "." + choice.field.name }
            }
        }
        return fed
    }

    static func conversions(_ suggestion: MappingSuggestion, _ field: String) -> [CellConversion]? {
        suggestion.tables.flatMap(\.targets).flatMap(\.fields).first { $0.field.name == field }?.field.conversions
    }
}

@Suite struct MappingSuggesterTests {
    /// Where columns repeat side by side, each stratum has those of its own group.
    @Test(arguments: [
        "Proyecto;Calicata;Hasta 1;Suelo 1;SUCS 1;Hasta 2;Suelo 2;SUCS 2", "Proyecto;Calicata;Hasta;Suelo;SUCS;Hasta 2;Suelo 2;SUCS 2",
    ])
    func columnsThatRepeatStayInTheirGroups(_ headings: String) throws {
        let rows = (1...9).map { "RIO-01;C-\($0);0,\($0);Arcilla baja;CL;1,\($0);Arena limosa;SM" }
        let suggestion = try PitSuggestions.suggest(([headings] + rows).joined(separator: "\n"))
        let names = headings.split(separator: ";").map(String.init)
        let strata = suggestion.tables.flatMap(\.targets).filter { $0.entity.name == "calicata_cortes" }
        #expect(strata.count == 2)
        for (index, stratum) in strata.enumerated() {
            let values = Dictionary(uniqueKeysWithValues: stratum.fields.map { ($0.field.name, $0.field.value) })
            guard case .column(let to)? = values["depth_to_m"], case .column(let symbol)? = values["sucs"], case .constant(let number)? = values["number"]
            else {
                Issue.record("\(index): \(values)")
                continue
            }
            #expect(to == [names[2 + 3 * index]] && symbol == [names[4 + 3 * index]] && number == String(index + 1))
            #expect(stratum.requires == to)
            switch values["depth_from_m"] {
            case .constant(let depth): #expect(index == 0 && depth == "0")
            case .column(let above): #expect(index == 1 && above == [names[2]])
            default: Issue.record("\(String(describing: values["depth_from_m"]))")
            }
        }
        // What is suggested comes in whole: two strata for each pit.
        #expect(suggestion.tables.flatMap(\.unused).isEmpty)
    }

    /// Two numbered columns of one kind alone are no groups.
    @Test func twoNumbersAreNoGroup() throws {
        let rows = (1...9).map { "RIO-01;C-\($0);0,\($0);CL;a;b" }
        let suggestion = try PitSuggestions.suggest((["Proyecto;Calicata;Hasta;SUCS;Nota 1;Nota 2"] + rows).joined(separator: "\n"))
        #expect(suggestion.tables.flatMap(\.targets).filter { $0.entity.name == "calicata_cortes" }.count == 1)
    }

    private static let pitRows = """
        RIO-01;Puente Río Seco;C-1;0+100;512345,50;9012345,25;1,80;03/02/2019;1;0,00;0,60;GP
        RIO-01;Puente Río Seco;C-1;0+100;512345,50;9012345,25;1,80;03/02/2019;2;0,60;1,80;SM
        RIO-01;Puente Río Seco;C-2;0+200;512445,00;9012445,75;2,10;23/02/2019;1;0,00;0,90;CL
        RIO-01;Puente Río Seco;C-2;0+200;512445,00;9012445,75;2,10;23/02/2019;2;0,90;2,10;SP-SM
        RIO-02;Acceso norte;C-1;1+000;512545,00;9012545,00;1,50;24/02/2019;1;0,00;1,50;ML
        """
    private static let fields = [
        "projects.code", "projects.name", "calicatas.code", "calicatas.progresiva", "calicatas.easting", "calicatas.northing", "calicatas.depth_m",
        "calicatas.end_date", "calicata_cortes.number", "calicata_cortes.depth_from_m", "calicata_cortes.depth_to_m", "calicata_cortes.sucs",
    ]

    /// Headings as offices write them in three languages, and how many of the twelve must be found.
    private static let headings: [(text: String, least: Int)] = [
        ("Obra;Nombre;Calicata;Progresiva;Este;Norte;Profundidad;Fecha;Estrato;Desde;Hasta;SUCS", 12),
        ("PROYECTO;Nombre del proyecto;N° pozo;Km;Coord. X;Coord. Y;Prof. (m);Fecha excav.;Capa;De (m);A (m);Clasif. SUCS", 12),
        ("Project;Project name;Test pit no.;Chainage;Easting (m);Northing (m);Total depth;Date;Layer no.;From;To;USCS symbol", 12),
        ("Commessa;Nome progetto;Pozzetto;Progressiva;Coord. Est;Coord. Nord;Profondità;Data;N. strato;Da;A;Classificazione USCS", 12),
        ("Código obra;Nombre obra;Calicta;Progresva;Coordenada Este;Coordenada Norte;Profundidd;Fecha;Nro estrato;Prof. desde;Prof. hasta;Clasificacion", 12),
    ]

    @Test(arguments: headings.indices)
    func headingsOfThreeLanguagesLeadToTheirFields(_ index: Int) throws {
        let (heading, least) = Self.headings[index]
        let fed = try PitSuggestions.fed(PitSuggestions.suggest(heading + "\n" + Self.pitRows))
        let wrong = zip(heading.split(separator: ";").map(String.init), Self.fields).filter { fed[$0] != $1 }
        #expect(Self.fields.count - wrong.count >= least, "\(wrong.map { "\($0) → \(fed[$0] ?? "nothing"), not \($1)" })")
    }

    @Test("Depths in centimetres, metres with their sign and months in letters are read as the cells write them")
    func unitsAndMonthsOfCells() throws {
        func suggested(_ depths: [String], _ dates: [String]) throws -> MappingSuggestion {
            let rows = zip(depths, dates).enumerated().map { "RIO-01;C-\($0 + 1);\($1.0);\($1.1)" }
            return try PitSuggestions.suggest("Obra;Calicata;Profundidad;Fecha\n" + rows.joined(separator: "\n"))
        }
        let small = try suggested(["140 cm", "80 cm", "95 cm"], ["12-mar-19", "3-abr-19", "28-dic-18"])
        #expect(PitSuggestions.conversions(small, "depth_m") == [.trim, .unit(["cm"]), .centimetres])
        #expect(PitSuggestions.conversions(small, "end_date")?.contains(.date(["dd MMMM yy"])) == true)
        let metres = try suggested(["1,20 m", "0,80 m", "2,00 m"], ["12-mar-19", "3-abr-19", "28-dic-18"])
        #expect(PitSuggestions.conversions(metres, "depth_m") == [.trim, .unit(["m"]), .decimalComma])
    }

    @Test func columnsMayStandInAnyOrder() throws {
        let heading = Self.headings[0].text.split(separator: ";").map(String.init)
        let lines = ([Self.headings[0].text] + Self.pitRows.split(separator: "\n").map(String.init)).map { line in
            line.split(separator: ";").reversed().joined(separator: ";")
        }
        let fed = try PitSuggestions.fed(PitSuggestions.suggest(lines.joined(separator: "\n")))
        for (name, field) in zip(heading, Self.fields) { #expect(fed[name] == field) }
    }

    @Test("If headings say nothing, columns are mapped by their values, and doubtful ones are left open")
    func meaninglessHeadings() throws {
        let letters = (0..<12).map { "Campo\($0)" }
        let suggestion = try PitSuggestions.suggest(letters.joined(separator: ";") + "\n" + Self.pitRows)
        let fed = PitSuggestions.fed(suggestion)
        #expect(fed == [
            "Campo0": "projects.code", "Campo2": "calicatas.code", "Campo3": "calicatas.progresiva", "Campo4": "calicatas.easting", "Campo5": "calicatas.northing",
        ])
        #expect(zip(letters, Self.fields).allSatisfy { fed[$0] == nil || fed[$0] == $1 }, "no column is mapped wrongly")
        #expect(suggestion.tables[0].targets.flatMap(\.fields).count { $0.isByContent } == fed.count)
        #expect(suggestion.tables[0].unused.map(\.heading) == letters.filter { fed[$0] == nil })
    }

    @Test("If a heading does not fit its values, the column is not mapped to that field")
    func swappedHeadings() throws {
        let suggestion = try PitSuggestions.suggest(
            """
            Calicata;Este;Norte;SUCS;Profundidad
            C-1;9012345.25;512345.50;1.80;GP
            C-2;9012445.75;512445.00;2.10;SM
            C-3;9012545.75;512545.00;1.10;CL
            """.replacingOccurrences(of: "Calicata;", with: "Obra;Calicata;").replacingOccurrences(of: "\nC-", with: "\nRIO-01;C-"))
        let fed = PitSuggestions.fed(suggestion)
        #expect(fed["Calicata"] == "calicatas.code")
        // The values below "Este" are northings, so they tell the field.
        #expect(fed["Este"] == "calicatas.northing" && fed["Norte"] != "calicatas.northing")
        #expect(fed["SUCS"] == nil && fed["Profundidad"] == nil)
        let told = suggestion.tables.flatMap(\.unused)
        for (name, field) in [("SUCS", "calicata_cortes.sucs"), ("Profundidad", "calicatas.depth_m")] {
            guard case .valuesDoNotFit(field) = told.first(where: { $0.heading == name })?.reason else {
                Issue.record("\(name): \(told)")
                continue
            }
        }
    }

    @Test func whatMustBeDoneWithTheValuesIsSeenInThem() throws {
        let suggestion = try PitSuggestions.suggest(
            """
            Obra;Calicata;Km;Este;Norte;Prof. (cm);Napa;Fecha;Lado;Estado
            r-1;c-1;Km 0+100;"512,345.50";"9,012,345.25";180;N.P.;12-31-2019;Derecho;Borrador
            r-1;c-2;1200;"512,445.00";"9,012,445.75";210;1.20;01-15-2020;Left;Aprobado
            r-1;c-3;2200;"512,445.10";"9,012,445.85";90;-;01-16-2020;Right;Aprobado
            """)
        #expect(PitSuggestions.conversions(suggestion, "progresiva") == [.trim, .chainage])
        #expect(PitSuggestions.conversions(suggestion, "easting") == [.trim, .decimalPoint])
        #expect(PitSuggestions.conversions(suggestion, "depth_m") == [.trim, .centimetres])
        #expect(PitSuggestions.conversions(suggestion, "groundwater_depth_m") == [.trim, .blank(["N.P.", "-"])])
        #expect(PitSuggestions.conversions(suggestion, "end_date") == [.date(["MM-dd-yyyy"])])
        #expect(PitSuggestions.conversions(suggestion, "code") == [.trim, .upper])
        #expect(PitSuggestions.conversions(suggestion, "side") == [.trim, .lookup("side")])
        #expect(suggestion.lookups["side"]?["Left"] == "IZQUIERDO")
        #expect(PitSuggestions.conversions(suggestion, "status") == [.trim])
    }

    @Test func dayAndMonthThatCouldBeEitherAreMarked() throws {
        let suggestion = try PitSuggestions.suggest("Obra;Calicata;Fecha;Este\nR-1;C-1;03/02/2019;512345.5\nR-1;C-2;04/02/2019;512346.5\nR-1;C-3;05/06/2019;512346.5")
        let date = suggestion.tables.flatMap(\.targets).flatMap(\.fields).first { $0.field.name == "end_date" }
        #expect(date?.isUncertain == true)
        #expect(date?.field.conversions == [.date(["dd/MM/yyyy"])])
    }

    @Test("A register with one line for each stratum gets keys, parents and repeats of project, pit and stratum")
    func levels() throws {
        let suggestion = try PitSuggestions.suggest(Self.headings[0].text + "\n" + Self.pitRows)
        let targets = try #require(suggestion.tables.first?.targets)
        #expect(targets.map(\.entity.name) == ["projects", "calicatas", "calicata_cortes"])
        #expect(targets.map(\.repeats) == [true, true, false])
        #expect(targets.map(\.key) == [["code"], ["project_id", "code"], ["calicata_id", "number"]])
        #expect(suggestion.tables[0].requires == ["Calicata"])
        #expect(targets[2].requires == ["Estrato"])
        #expect(targets[0].missing.map(\.name) == ["status"])
        guard case .constant("BORRADOR") = targets[1].fields.first(where: { $0.field.name == "status" })?.field.value else {
            Issue.record("no initial state")
            return
        }
    }

    @Test("Strata without a number are numbered in the order of the file")
    func numberedAsTheyStand() throws {
        let suggestion = try PitSuggestions.suggest("Obra;Calicata;Desde;Hasta;SUCS\nR-1;C-1;0.0;1.0;GP\nR-1;C-1;1.0;2.0;SM\nR-1;C-2;0.0;0.5;SM")
        let strata = try #require(suggestion.tables.flatMap(\.targets).first { $0.entity.name == "calicata_cortes" })
        guard case .ordinal(let columns) = strata.fields.first(where: { $0.field.name == "number" })?.field.value else {
            Issue.record("no number")
            return
        }
        #expect(columns == ["Obra", "Calicata"])
    }

    @Test func roomsOfABuilding() throws {
        let suggestion = try PitSuggestions.suggest(
            """
            Edificio;Piano;N. piano;Locale;Destinazione d'uso;Superficie (mq)
            Scuola Pascoli;Terra;0;0001;Atrio;52,30
            Scuola Pascoli;Terra;0;0002;Aula 1;48,10
            Scuola Pascoli;Primo;1;1001;Aula 4;47,90
            """, PitSuggestions.assets)
        let fed = PitSuggestions.fed(suggestion)
        #expect(fed["Edificio"] == "projects.name" && fed["Piano"] == "levels.name" && fed["N. piano"] == "levels.number")
        #expect(fed["Locale"] == "rooms.number" && fed["Destinazione d'uso"] == "rooms.name" && fed["Superficie (mq)"] == "rooms.area")
    }

    @Test func aFileOfSomethingElseIsRefused() throws {
        #expect(throws: ImportFailure.self) { try PitSuggestions.suggest("Factura;Importe\nF-1;20,50\nF-2;30,10\n") }
        #expect(throws: ImportFailure.self) { try PitSuggestions.suggest("a\n") }
    }

    @Test("Columns with doubled or missing headings or without values are reported with their reasons")
    func hostileTables() throws {
        let long = String(repeating: "x", count: 5_000)
        let suggestion = try PitSuggestions.suggest(
            "Obra;Calicata;Este;Este;;\(long);Cota\nR-1;C-1;512345.5;1;x;;\nR-1;C-2;512346.5;2\nR-1;C-3;512347.5;3;;;;;;;9\n")
        let reasons = Dictionary(suggestion.tables[0].unused.map { ($0.heading, $0.reason) }, uniquingKeysWith: { first, _ in first })
        #expect(PitSuggestions.fed(suggestion)["Este"] == "calicatas.easting")
        #expect(reasons["Este"] == .sameHeading)
        #expect(reasons[long] == .empty)
        #expect(reasons["E"] == .noHeading)
    }

    /// Two forms, each on its own sheet. `{n}` is the number of the form.
    private static func forms(_ text: String, _ details: SheetDetails = SheetDetails()) throws -> (MappingSuggestion, rows: [ReadRow]) {
        let book = FormBook()
        for number in ["1", "2"] { book.add("C-" + number, text.replacing("{n}", with: number), details) }
        let pack = try #require(PitSuggestions.pits)
        let suggestion = try MappingSuggester(pack: pack).suggest(book, path: "f.xlsx", name: "f")
        var mapping = suggestion.mapping
        // This field names the project, which an import gets by option.
        for index in mapping.forms.first?.rows.indices ?? 0..<0 { mapping.forms[0].rows[index].target.key.removeAll { $0 == "project_id" } }
        let source = try MappedSource(book, path: "f.xlsx", mapping: mapping, pack: pack, keys: NoRecordKeys())
        return (suggestion, try ReadRow.rows(of: source, pack: pack).filter { !$0.isFiltered })
    }

    private static let strata = "\n\nDesde (m);Hasta (m);SUCS;Descripción\n0;1.5;CL;Arcilla\n1.5;2.5;GP;Grava\n"

    @Test("Labels of forms are found in each layout that offices use", arguments: [
        // The colon stands before the value, and a blank separates thousands.
        "Calicata;: C-{n}\nFecha;: 12.03.2024\nProf.;: 2.50 m\nCoordenada Este;: 345 120.50\nCoordenada Norte;: 8 674 321.20",
        // Blank cells stand between a label and its value.
        "Calicata :;;C-{n};;Fecha :;;12/03/2024\nProf. (m) :;;2.5\nEste :;;345120.5;;Norte :;;8674321.2",
        // Values stand below their labels. The last label is unknown.
        "CALICATA;FECHA;PROF. (m)\nC-{n};12/03/2024;2.5\nNORTE;COTA;ESTE;EQUIPO\n8674321.2;3250;345120.5;Manual",
    ])
    func labelsOfForms(_ head: String) throws {
        let (suggestion, rows) = try Self.forms(head + Self.strata)
        #expect(suggestion.forms.count == 1 && suggestion.tables.isEmpty)
        let pits = rows.filter { $0.entity == "calicatas" }
        #expect(pits.map { $0.value["code"]?.text } == ["C-1", "C-2"], "\(rows.flatMap(\.findings))")
        #expect(pits.compactMap { $0.value["easting"]?.description } == ["345120.5", "345120.5"])
        #expect(pits.compactMap { $0.value["depth_m"]?.description } == ["2.5", "2.5"])
        #expect(pits.compactMap { $0.value["end_date"]?.text } == ["2024-03-12", "2024-03-12"])
        #expect(rows.filter { $0.entity == "calicata_cortes" }.compactMap { $0.value["sucs"]?.text } == ["CL", "GP", "CL", "GP"])
        let yaml = SuggestedYAML.text(of: suggestion, pack: try #require(PitSuggestions.pits), language: .english)
        #expect(yaml.contains("at: {row: 0, column: 2}") == head.contains(";;"), "\(yaml)")
    }

    @Test("Strata in merged rows are found, and a field is mapped even if all its values mean \"nothing\"")
    func mergedStrata() throws {
        let head = "Calicata:;C-{n}\nFecha:;12/03/2024\nNivel freático (m):;No presenta\nProf. (m):;2.5\n\n"
        let table = "Desde (m);Hasta (m);SUCS\n0;1.5;CL\n;;\n1.5;2.5;GP\n;;\n"
        let (suggestion, rows) = try Self.forms(head + table, .merged("A7:A8", "B7:B8", "C7:C8", "A9:A10", "B9:B10", "C9:C10"))
        #expect(rows.filter { $0.entity == "calicata_cortes" }.compactMap { $0.value["sucs"]?.text } == ["CL", "GP", "CL", "GP"])
        let water = suggestion.forms.first?.targets.flatMap(\.target.fields).first { $0.field.name == "groundwater_depth_m" }
        #expect(water?.field.conversions.contains(.blank(["No presenta"])) == true)
        #expect(water?.share == nil)
    }

    @Test("A depth in the form's table with the name of the pit's depth is the lower end of each layer")
    func depthsOfLayers() throws {
        let head = "Calicata N° :;C-{n}\nFecha:;Lima, 12/03/2024\nProf. (m):;2.5\n\n"
        let (_, rows) = try Self.forms(head + "Prof. (m);Descripción;SUCS\n1.50 m;Arcilla;CL\n2.50 m;Grava;GP\n")
        #expect(rows.filter { $0.entity == "calicatas" }.compactMap { $0.value["depth_m"]?.description } == ["2.5", "2.5"])
        let strata = rows.filter { $0.entity == "calicata_cortes" }
        #expect(strata.map { [$0.value["depth_from_m"]?.description, $0.value["depth_to_m"]?.description].compactMap { $0.flatMap(Double.init) } }
            == [[0, 1.5], [1.5, 2.5], [0, 1.5], [1.5, 2.5]], "\(strata.flatMap(\.findings))")
        #expect(strata.allSatisfy { $0.value["sample_depth_m"] == nil || $0.value["sample_depth_m"] == .null })
    }

    /// Lists inside lists. Every element occurs twice, and the first one has values and the next
    /// element in it.
    private static func deep(_ levels: Int) -> String {
        (1...levels).reduce("") { inner, level in
            "<n\(level) a=\"1\"><c\(level)>1.5</c\(level)><b codigo=\"C-1\"/>\(inner)</n\(level)><n\(level) a=\"2\"/>"
        }
    }

    private static func work(_ levels: Int) throws -> (headings: Int, asked: Int, judged: Int) {
        let folder = try Folder()
        let path = try folder.write("hondo.xml", "<obra codigo=\"P-1\">\(deep(levels))</obra>")
        let suggester = MappingSuggester(pack: try #require(PitSuggestions.pits))
        do { _ = try suggester.suggest(try TableFiles.open(path: path), path: path, name: "hondo") } catch is ImportFailure {}
        let fits = suggester.judged.work
        return (suggester.words.known.count, fits.asked, fits.judged)
    }

    @Test("A document that is twice as deep takes about twice the work")
    func deepDocuments() throws {
        let (once, twice) = (try Self.work(14), try Self.work(28))
        #expect(once.asked > 0 && once.judged > 0)
        #expect(twice.asked <= once.asked * 5 / 2)
        #expect(twice.judged <= once.judged * 5 / 2)
        #expect(twice.headings <= once.headings * 5 / 2)
        // A value around several rows is read for each of them but judged only once.
        #expect(twice.judged * 8 < twice.asked)
    }
}
