import Model
import Testing

@testable import Packs

/// Options of mappings, and conditions under which they refuse files: how packs write them, and how
/// mistakes in them are found.
@Suite struct ImportOptionDeclarationTests {
    private static let text = """
        import: old
        options:
          sheet: {required: true, pattern: '[0-9]+', example: 12}
          note: {title: {es: Nota, en: Note}}
        refuses:
          - code: OLD-SHEET
            sql: SELECT code AS known FROM works WHERE code > :sheet AND id IS NOT :project AND :today > '2000'
            arguments: [known, sheet]
        tables:
          - rows:
              - entity: works
                key: [code]
                fields:
                  id: {identifier: [{option: sheet}, Code]}
                  code: Code
                  title: {option: note}
        """

    private static func pack(_ text: String = text) -> SamplePack {
        var pack = SamplePack().adding("pits/imports/old.yaml", text)
        let texts = "import.old: Old\nimport.old.sheet: Sheet\nrule.OLD-SHEET: Old\nrule.OLD-SHEET.message: '{known} is newer than {sheet}'\nrule.OLD-SHEET.remedy: Take it.\n"
        for language in ["es", "en"] { pack = pack.replacing("job.monthly:", with: texts + "job.monthly:", in: "pits/texts/\(language).yaml") }
        return pack
    }

    @Test func optionsAndConditionsAreRead() throws {
        let pack = try Self.pack().load()
        let mapping = try #require(pack.mapping("old"))
        #expect(mapping.options.map(\.name) == ["sheet", "note"] && mapping.options.map(\.isRequired) == [true, false])
        #expect(mapping.options[0].pattern == "[0-9]+" && mapping.options[0].example == "12")
        #expect(mapping.options[1].titles[.english] == "Note")
        #expect(mapping.refusals.map(\.code) == ["OLD-SHEET"] && pack.refusals.map(\.arguments) == [["known", "sheet"]])
        guard case .option("note") = mapping.tables[0].targets[0].fields[2].value else { return #expect(Bool(false), "no option") }
        let description = PackDescription(pack, language: .english)
        #expect(description.text().contains("--option sheet=12: Sheet (required); --option note=…: Note"), "\(description.text())")
        #expect(description.json().contains("\"OLD-SHEET\""))
        let findings = FindingDescription(pack, language: .english)
        #expect(findings.markdown().contains("OLD-SHEET") && findings.json().contains("\"mappings\""))
    }

    @Test func theColumnsOfAConditionAreThoseThatAreNoOptions() throws {
        let queries = try Self.pack().inFolder { PackLoader.queries(of: "pits", from: $0) }
        #expect(queries.filter { $0.place.file == "pits/imports/old.yaml" }.map(\.columns) == [["known"]])
    }

    @Test(arguments: [
        (PackMistake.Code.unknownName, "{option: note}", "{option: notes}", "notes"),
        (.unknownName, "[{option: sheet}, Code]", "[{option: page}, Code]", "page"),
        (.unknownName, "> :sheet", "> :page", ":page"),
        (.badName, "note: {title", "today: {title", "today"),
        (.badName, "note: {title", "Note-1: {title", "Note-1"),
        (.badValue, "example: 12", "example: twelve", "example"),
        (.badPattern, "'[0-9]+'", "'[0-9'", "[0-9"),
        (.sql, "SELECT code", "DELETE code", ""),
        (.duplicateName, "code: OLD-SHEET", "code: FIELD-REQUIRED", "FIELD-REQUIRED"),
        (.unknownKey, "required: true", "requird: true", "requird"),
        (.missingKey, "    sql: SELECT", "    sq: SELECT", "sql"),
    ])
    func mistakesAreFound(_ code: PackMistake.Code, _ old: String, _ new: String, _ word: String) throws {
        let text = Self.text.replacing(old, with: new)
        #expect(text != Self.text)
        let found = try Self.pack(text).mistakes()
        #expect(found.contains { $0.code == code && (word.isEmpty || $0.arguments.values.contains(word)) }, "\(found)")
    }

    @Test func eachTextMustBeThereAndHaveItsPlaceholders() throws {
        let without = Self.pack().replacing("import.old.sheet: Sheet\n", with: "", in: "pits/texts/en.yaml")
        #expect(try without.mistakes().map { $0.arguments["key"] } == ["import.old.sheet"])
        let wrong = Self.pack().replacing("newer than {sheet}", with: "newer than {page}", in: "pits/texts/es.yaml")
        #expect(try wrong.mistakes().contains { $0.code == .placeholder && $0.arguments["placeholder"] == "{page}" })
    }

    /// The records of imports keep options.
    @Test func anOptionThatIsPersonalDataIsRefused() throws {
        let pack = Self.pack().replacing("privacy: [public, personal, secret]", with: "privacy: [public, internal, personal, secret]", in: "pits/pack.yaml")
            .replacing("{name: title, type: text}", with: "{name: title, type: text, privacy: personal}", in: "pits/entities/works.yaml")
        #expect(try pack.mistakes().contains { $0.code == .wrongField && $0.arguments["path"] == "title" })
        // An id that follows from the option says nothing of it.
        #expect(try !pack.mistakes().contains { $0.code == .wrongField && $0.arguments["path"] == "id" })
    }
}
