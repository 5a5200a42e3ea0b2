import Databases
import Foundation
import Testing

@testable import Model
@testable import Replica

/// Parameters are shown in words that people read, for each form of schema.
@Suite struct ParameterTextTests {
    private static let list = """
        [{"key":"power","label":{"it":"Potenza","en":"Power"},"type":"decimal","scope":"type","unit":"W"},
         {"key":"on","label":{"it":"Funziona","en":"Working"},"type":"boolean","scope":"instance"},
         {"key":"tested","label":{"it":"Prova","en":"Tested"},"type":"date","scope":"instance"},
         {"key":"bands","label":{"it":"Bande","en":"Bands"},"type":"list","scope":"instance","options":["2.4 GHz","5 GHz"]}]
        """
    private static let app = """
        {"parameters":[{"id":"a1","name":"Potenza","dataType":"NUMBER","scope":"TYPE","unit":"W"},{"id":"a2","name":"Funziona","dataType":"BOOLEAN","scope":"INSTANCE"}]}
        """
    private static let schema = #"{"properties":{"power":{"type":"number","x-label":"Potenza","x-unit":"W","x-scope":"type"},"on":{"type":"boolean"}}}"#

    private func value(_ sql: String, _ values: String...) throws -> String? {
        let scene = try ReadingScene.pits()
        let connection = try SQLiteConnection(path: scene.file)
        var pack = scene.pack
        pack.texts = Texts([
            .italian: ["word.yes": "Sì", "word.no": "No", "vocabulary.states.DRY": "Secco", "vocabulary.soils.TOP_SOIL": "Terra", "field.\(scene.pack.entities[0].name).f_state": "Stato"],
            .english: ["word.yes": "Yes", "word.no": "No"],
        ])
        pack.vocabularies = [
            Vocabulary(name: "states", entries: [.init(value: "DRY")]), Vocabulary(name: "soils", entries: [.init(value: "SM"), .init(value: "TOP_SOIL")], hasSymbols: true),
        ]
        pack.entities[0].fields += [
            Field(name: "f_state", type: .text, vocabulary: "states"), Field(name: "f_states", type: .list, vocabulary: "states"),
            Field(name: "f_soil", type: .text, vocabulary: "soils"), Field(name: "f_wet", type: .boolean), Field(name: "f_day", type: .date),
            Field(name: "f_at", type: .datetime), Field(name: "f_depth", type: .decimal),
        ]
        connection.useTexts(of: pack, in: TimeZone(identifier: "America/Lima") ?? .gmt)
        let statement = try connection.prepare("SELECT " + sql, values.map { .text($0) })
        #expect(try statement.step())
        return statement.text(0)
    }

    @Test(arguments: [
        (list, #"{"power":7.5,"on":true,"tested":"2025-05-11","bands":["2.4 GHz","5 GHz"]}"#, "it", "Potenza: 7,5 W · Funziona: Sì · Prova: 11/05/2025 · Bande: 2.4 GHz; 5 GHz"),
        (list, #"{"on":false,"power":30.0,"tested":"soon"}"#, "en", "Power: 30 W · Working: No · Tested: soon"),
        (app, #"{"a1":{"type":"number","numberValue":12},"a2":{"type":"bool","boolValue":true},"other":1}"#, "it", "Potenza: 12 W · Funziona: Sì"),
        (app, #"{"Potenza":12}"#, "it", "Potenza: 12 W"),
        (schema, #"{"power":1e20,"on":false}"#, "it", "Potenza: 1e+20 W · on: No"),
        (list, "{}", "it", nil), (list, "[]", "it", nil), (list, "broken", "it", nil), ("broken", "{}", "it", nil), (list, #"{"power":1}"#, "xx", nil),
    ] as [(String, String, String, String?)]) func valuesAreSaid(_ schema: String, _ values: String, _ language: String, _ said: String?) throws {
        #expect(try value("parameter_text(?1, ?2, NULL, ?3)", values, schema, language) == said)
    }

    @Test(arguments: [
        ("f_state", "DRY", "Secco"), ("f_state", "WET", "WET"), ("f_states", #"["DRY","WET"]"#, "Secco, WET"), ("f_soil", "SM", "SM"), ("f_soil", "TOP_SOIL", "Terra"), ("f_wet", "1", "Sì"),
        ("f_wet", "0", "No"), ("f_wet", "•••", "•••"), ("f_day", "2025-05-11", "11/05/2025"), ("f_at", "2025-05-11T03:00:00Z", "2025-05-10 22:00"),
        ("f_depth", "4.5", "4,5"), ("unknown", "DRY", "DRY"),
    ]) func valuesOfFieldsAreSaid(_ field: String, _ stored: String, _ said: String) throws {
        let entity = try #require(ReadingScene.pits().pack.entities.first).name
        #expect(try value("field_text(?1, ?2, ?3, 'it')", entity, field, stored) == said)
        #expect(try value("field_text(?1, ?2, NULL, 'it')", entity, field) == nil)
        #expect(try value("field_label(?1, ?2, 'it')", entity, field) == (field == "f_state" ? "Stato" : field))
    }

    @Test func eachScopeByItself() throws {
        let values = #"{"power":5,"on":true}"#
        #expect(try value("parameter_text(?1, ?2, 'type', 'it')", values, Self.list) == "Potenza: 5 W")
        #expect(try value("parameter_text(?1, ?2, 'instance', 'it')", values, Self.app.replacing("a1", with: "power").replacing("a2", with: "on")) == "Funziona: Sì")
    }

    @Test func schemasAreOneForm() throws {
        let kinds = "(SELECT group_concat((p.value ->> 'label') || ' ' || (p.value ->> 'kind') || ' ' || (p.value ->> 'scope') || ' ' || coalesce(p.value ->> 'unit', '-'), ', ') FROM json_each(schema_parameters(?1, 'it')) AS p)"
        for schema in [Self.app, #"[{"key":"p","label":"Potenza","type":"integer","scope":"type","unit":"W"},{"key":"f","label":"Funziona","type":"boolean"}]"#] {
            #expect(try value(kinds, schema) == "Potenza number type W, Funziona boolean instance -")
        }
        let adds = "(SELECT group_concat(coalesce(p.value ->> 'adds', '-')) FROM json_each(schema_parameters(?1, 'it')) AS p)"
        for schema in [
            #"[{"key":"a","type":"decimal","adds":"sum"},{"key":"b","type":"integer","adds":"none"},{"key":"c","type":"text"}]"#,
            #"{"properties":{"a":{"type":"number","x-adds":"sum"},"b":{"type":"integer","x-adds":"none"},"c":{"type":"string"}}}"#,
        ] { #expect(try value(adds, schema) == "sum,none,-") }
        #expect(try value("schema_parameters('broken', 'it')") == "[]")
        #expect(try value("schema_parameters(NULL, 'it')") == nil)
    }
}
