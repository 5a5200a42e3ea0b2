import Foundation
import Model
import Testing
import Workbench

@testable import Packs

@Suite struct PackFormatTests {
    private func schema() throws -> [String: Any] {
        let data = Data(PackFormat.jsonSchema().utf8)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test func isJSONAndTheSameEveryTime() throws {
        #expect(try schema()["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
        #expect(PackFormat.jsonSchema() == PackFormat.jsonSchema())
        #expect(PackFormat.jsonSchema().hasSuffix("}\n"))
    }

    @Test func knowsEveryKeyWithItsDocumentation() throws {
        let definitions = try #require(try schema()["$defs"] as? [String: [String: Any]])
        #expect(PackFormat.keys.count > 20)
        for (name, keys) in PackFormat.keys {
            let properties = try #require(definitions[name]?["properties"] as? [String: [String: Any]], "\(name)")
            #expect(Set(properties.keys) == Set(keys))
            for (key, property) in properties {
                #expect((property["description"] as? String)?.hasSuffix(".") == true, "\(name).\(key)")
            }
            #expect(definitions[name]?["additionalProperties"] as? Bool == false)
        }
    }

    @Test func everyReferenceLeadsSomewhere() throws {
        let text = PackFormat.jsonSchema()
        let definitions = try #require(try schema()["$defs"] as? [String: Any])
        for reference in text.matches(of: /"\$ref": "#\/\$defs\/([^"]*)"/) {
            #expect(definitions[String(reference.output.1)] != nil, "\(reference.output.1)")
        }
    }

    @Test func theDocumentExplainsEveryKey() throws {
        let root = ProjectFolder.root
        let document = try String(contentsOf: root.appendingPathComponent("Docs/pack-format.md"), encoding: .utf8)
        for (object, keys) in PackFormat.keys {
            for key in keys { #expect(document.contains(key), "\(object).\(key)") }
        }
    }

    @Test(arguments: [
        ("abc", true, true, false, true), ("a_1", true, true, false, true), ("a-b", false, true, false, false),
        ("A-B", false, false, true, false),
        ("a.b", false, false, false, true), ("a..b", false, false, false, false), (".a", false, false, false, false),
        ("", false, false, false, false),
        ("1a", false, false, false, false), ("ñ", false, false, false, false), ("A", false, false, true, false),
        ("A-", false, false, false, false),
        (String(repeating: "a", count: 61), false, false, false, false), ("a\n", false, false, false, false),
    ])
    func namesHaveForms(_ text: String, _ name: Bool, _ title: Bool, _ code: Bool, _ path: Bool) throws {
        #expect(NameForm.name.accepts(text) == name)
        #expect(NameForm.title.accepts(text) == title)
        #expect(NameForm.code.accepts(text) == code)
        #expect(NameForm.path.accepts(text) == path)
        // The schema of packs accepts and refuses the same names.
        for form in [NameForm.name, .title, .code, .path] where text.count <= 60 {
            let matches = try Regex(form.pattern).wholeMatch(in: text) != nil
            #expect(matches == form.accepts(text), "\(form)")
        }
    }

    @Test(arguments: [
        ("2024-02-29", true), ("2025-02-29", false), ("1900-02-29", false), ("2000-02-29", true), ("2025-13-01", false),
        ("2025-00-01", false),
        ("2025-04-31", false), ("2025-1-01", false), ("20250101", false), ("2025-01-01T", false), ("２０２５-01-01", false),
    ])
    func daysExist(_ text: String, _ exists: Bool) {
        #expect(Timestamp.isDate(text) == exists)
    }

    @Test(
        arguments: [
            ("timezone", ["timeZone", "name"], "timeZone"), ("lenght", ["length", "label"], "length"), ("xyz", ["abc"], nil),
            ("tpye", ["type"], "type"),
            ("b", ["c", "a"], "a"), ("", ["a"], "a"),
        ] as [(String, [String], String?)])
    func guessesWhatWasMeant(_ name: String, _ known: [String], _ expected: String?) {
        #expect(Spelling.nearest(to: name, among: known) == expected)
    }

    @Test(arguments: [
        ("SELECT 1", true), ("with a as (select 1) select * from a;", true), ("-- why\n  SELECT 1", true), ("SELECT ';' ", true),
        ("", false), ("DELETE FROM a", false), ("SELECT 1; DELETE FROM a", false), ("(SELECT 1)", false), ("selection", false),
    ])
    func queriesOnlyRead(_ sql: String, _ isFine: Bool) {
        #expect(RuleCheck.isOneQuery(sql) == isFine)
    }

    @Test func jsonSurvivesEveryCharacter() throws {
        let text = "\u{0}\u{1f}\"\\/\n\r\t ñ🙂\u{2028}"
        let json = JSONText.object([("k\"", .list([.text(text), .integer(-1), .number(0.1), .number(3), .boolean(true), .null]))])
            .rendered()
        let parsed = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: [Any]])
        #expect(parsed["k\""]?[0] as? String == text)
        #expect(parsed["k\""]?[2] as? Double == 0.1)
        #expect(json.contains("3,"))
    }
}
