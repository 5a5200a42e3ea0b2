import Foundation
import Packs
import Testing

@testable import Importing
@testable import Model
@testable import Suggesting

@Suite struct SuggestedYAMLTests {
    /// The shipped packs with one more mapping.
    private func load(_ yaml: String, _ name: String = "tabla") throws -> Pack {
        let folder = try Folder()
        let copy = URL(fileURLWithPath: folder.path + "/Templates")
        try FileManager.default.copyItem(at: PitSuggestions.templates, to: copy)
        try folder.write("Templates/ingeplus/imports/\(name).yaml", yaml)
        for language in ["es", "en", "it"] {
            let file = folder.path + "/Templates/ingeplus/texts/\(language).yaml"
            try (String(contentsOfFile: file, encoding: .utf8) + "\nimport.\(name): 'Tabla'\n").write(toFile: file, atomically: true, encoding: .utf8)
        }
        return try PackLoader.load("ingeplus", from: copy)
    }

    private func yaml(_ suggestion: MappingSuggestion, _ language: Language = .spanish) throws -> String {
        SuggestedYAML.text(of: suggestion, pack: try #require(PitSuggestions.pits), language: language)
    }

    private static let table = """
        Obra;"Calicata";"Este ""UTM""
        (m)";Norte # N;Fecha: día;Lado;DNI {n};Notas
        R-1;C-1;512345,5;9012345,5;13/02/2019;Left;45123678;"uno
        # status: APROBADO"
        R-1;C-2;512346,5;9012346,5;14/02/2019;Right;45123679;dos: 'tres'
        R-1;C-3;512347,5;9012347,5;14/02/2019;Left;45123680;"[a, {b"
        """

    @Test("A suggested mapping loads unchanged, also with quotes, line breaks and marks of YAML in headings and values", arguments: Language.allCases)
    func loadsWithThePack(_ language: Language) throws {
        let suggestion = try PitSuggestions.suggest(Self.table)
        let pack = try load(yaml(suggestion, language))
        let loaded = try #require(pack.mapping("tabla"))
        #expect("\(loaded.tables)" == "\(suggestion.mapping.tables)")
        #expect(loaded.lookups == suggestion.lookups)
        #expect(loaded.accepts == ["csv"])
        #expect(PitSuggestions.fed(suggestion)["Este \"UTM\"\n(m)"] == "calicatas.easting")
    }

    @Test("Values of unknown columns are not shown, because they may be personal")
    func noForeignValues() throws {
        let text = try yaml(PitSuggestions.suggest(Self.table))
        #expect(!text.contains("45123678"))
        #expect(text.contains("\"DNI {n}\": ningún campo se le parece"))
        #expect(text.contains("512345,5 | 512346,5"))
        #expect(!text.split(separator: "\n").contains { $0.trimmingCharacters(in: .whitespaces).hasPrefix("# status: APROBADO") })
    }

    @Test func personalFieldsShowNoValues() throws {
        var pack = try #require(PitSuggestions.pits)
        let entity = try #require(pack.entities.firstIndex { $0.name == "calicatas" })
        let field = try #require(pack.entities[entity].fields.firstIndex { $0.name == "observations" })
        pack.entities[entity].fields[field].privacy = "personal"
        let suggestion = try PitSuggestions.suggest("Obra;Calicata;Observaciones\nR-1;C-1;Ana Ruiz\nR-1;C-2;Luis Paz", pack)
        #expect(PitSuggestions.fed(suggestion)["Observaciones"] == "calicatas.observations")
        #expect(!SuggestedYAML.text(of: suggestion, pack: pack, language: .spanish).contains("Ana Ruiz"))
    }

    @Test func saysWhatIsLeftToDo() throws {
        let text = try yaml(PitSuggestions.suggest("Obra;Calicata;Este\nR-1;C-1;512345.5\nR-1;C-2;512346.5"), .english)
        #expect(
            text.contains(
                """
                          # required and without a column; fill it in:
                          # name: {column: "…"}
                          # required and without a column; fill it in: ACTIVO, EN_PAUSA, CERRADO, ARCHIVADO
                          # status: {value: …}

                """))
        #expect(text.contains("          status: {value: BORRADOR}"))
        #expect(text.contains("fichero import tabla.csv --mapping ./tabla.yaml --dry-run"))
    }

    @Test(arguments: ["yes", "N", "1.5", "a: b", "#x", "- a", "\u{85}b", "a\u{2028}b", "\u{7}", "ñandú 🙂", "~", "a\\b", " a", "2019-01-01", "null"])
    func textsComeBackAsTheyAre(_ word: String) throws {
        let suggestion = MappingSuggestion(
            name: "tabla", kind: "csv", file: "t\nimport: x", lookups: ["w": ["a": word]],
            tables: [
                .init(
                    name: "t", isNamed: false, hasHeading: false, requires: [],
                    targets: [
                        .init(
                            entity: try #require(PitSuggestions.pits?.entity("projects")), key: ["code"],
                            fields: [.init(field: .init("code", .column(["A"]))), .init(field: .init("name", .constant(word)))])
                    ])
            ])
        let loaded = try #require(load(yaml(suggestion)).mapping("tabla"))
        #expect(loaded.lookups == suggestion.lookups)
        #expect("\(loaded.tables)" == "\(suggestion.mapping.tables)")
    }
}
