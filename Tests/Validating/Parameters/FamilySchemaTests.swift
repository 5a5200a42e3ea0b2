import JSONReading
import Schemas
import Testing
import Workbench

@testable import Model
@testable import Validating

/// Families that declare their parameters in JSON Schema, and versions of schemas.
@Suite struct FamilySchemaTests {
    private static let schema = """
        {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","required":["power","maker","mode"],
        "properties":{
          "power":{"title":"Power","type":"number","x-unit":"W","minimum":0.5,"exclusiveMaximum":100,"multipleOf":0.1},
          "maker":{"type":"string","x-scope":"type","minLength":2},
          "mode":{"enum":["a","b"]},
          "ip":{"$ref":"#/$defs/address","x-label":{"es":"Red","en":"Net"}},
          "day":{"type":"string","format":"date","x-required-when":"mode = 'b'"},
          "size":{"type":"object","properties":{"w":{"type":"integer"}},"required":["w"],"additionalProperties":false},
          "old":false},
        "patternProperties":{"^x-":{"type":"string","maxLength":3}},
        "if":{"properties":{"mode":{"const":"b"}}},"then":{"required":["ip"]},
        "additionalProperties":false,
        "$defs":{"address":{"type":"string","pattern":"^10\\\\."}}}
        """

    private func faults(_ values: String, schema: String = schema, scope: ParameterSchema.Scope = .instance) throws -> [ParameterFault] {
        let outcome = ParameterSchemaParser.parse(Array(schema.utf8))
        #expect(outcome.faults == [])
        var document = JSONDocument()
        try document.read(Array(values.utf8), limits: JSONLimits(allowsDuplicateKeys: true))
        return ParameterCheck(try #require(outcome.schema), scope: scope).faults(of: document)
    }

    @Test(arguments: [
        (#"{"power":5,"mode":"a"}"#, []), (#"{"power":5,"mode":"b","ip":"10.1","day":"2024-02-29"}"#, []),
        ("{}", ["PARAMETER-REQUIRED Power", "PARAMETER-REQUIRED mode", "PARAMETER-REQUIRED ip"]),
        (#"{"power":"5","mode":"a"}"#, ["PARAMETER-TYPE Power"]), (#"{"power":null,"mode":"a"}"#, ["PARAMETER-TYPE Power"]),
        (#"{"power":100,"mode":"a"}"#, ["PARAMETER-RANGE Power"]), (#"{"power":0.55,"mode":"a"}"#, ["PARAMETER-STEP Power"]),
        (#"{"power":5,"mode":"c"}"#, ["PARAMETER-OPTION mode"]), (#"{"power":5,"mode":"a","ip":"11.1"}"#, ["PARAMETER-PATTERN ip"]),
        (#"{"power":5,"mode":"b","ip":"10.1"}"#, ["PARAMETER-REQUIRED day"]), (#"{"power":5,"mode":"a","day":"2026-02-31"}"#, ["PARAMETER-TYPE day"]),
        (#"{"power":5,"mode":"a","maker":"x"}"#, ["PARAMETER-SCOPE maker"]), (#"{"power":5,"mode":"a","zz":1}"#, ["PARAMETER-UNKNOWN zz"]),
        (#"{"power":5,"mode":"a","size":{"h":1}}"#, ["PARAMETER-REQUIRED size/w", "PARAMETER-UNKNOWN size/h"]),
        (#"{"power":5,"mode":"a","old":1}"#, ["PARAMETER-RULE old"]), (#"{"power":5,"mode":"a","x-a":"long"}"#, ["PARAMETER-LENGTH x-a"]),
        (#"{"mode":"a","mode":"zz","power":5}"#, []),
    ] as [(String, [String])])
    func judgesJSONSchema(_ values: String, _ expected: [String]) throws {
        #expect(try faults(values).map { "\($0.code) \($0.parameter)" } == expected, "\(values)")
    }

    @Test func whatMessagesQuote() throws {
        let range = try #require(try faults(#"{"power":0.4,"mode":"a"}"#).first)
        #expect(range.arguments == ["minimum": "0.5", "maximum": "100", "unit": "W"])
        #expect(range.pointer == "/power")
        #expect(range.value == "0.4")
        let rule = try #require(try faults(#"{"power":5,"mode":"a","old":1}"#).first)
        #expect(rule.arguments == ["keyword": "false", "location": "/properties/old"])
        let inner = try #require(try faults(#"{"power":5,"mode":"a","size":{"w":1.5}}"#).first)
        #expect(inner.pointer == "/size/w")
        #expect(inner.arguments == ["type": "integer"])
        #expect(try faults(#"{"maker":"ACME"}"#, scope: .type).isEmpty)
        #expect(try faults(#"{"maker":"A","power":5}"#, scope: .type).map(\.code) == ["PARAMETER-SCOPE", "PARAMETER-LENGTH"])
    }

    @Test func boundsAreReported() throws {
        let definitions = (0..<40).map { "\"d\($0)\":{\"allOf\":[{\"$ref\":\"#/$defs/d\($0 + 1)\"},{\"$ref\":\"#/$defs/d\($0 + 1)\"}]}" }
        let schema = "{\"$ref\":\"#/$defs/d0\",\"$defs\":{" + definitions.joined(separator: ",") + ",\"d40\":{\"type\":\"object\"}}}"
        let found = try faults("{}", schema: schema)
        #expect(found.map(\.code) == ["PARAMETER-LIMIT"])
        #expect(found.first?.arguments == ["limit": "steps"])
    }

    /// Both forms of the same family give the same results for random values.
    @Test func bothFormsAgree() throws {
        let list = """
            [{"key":"a","type":"integer","required":true,"min":1,"max":9},{"key":"b","type":"text","minLength":2,"maxLength":3,"pattern":"[a-z]+"},
             {"key":"c","type":"boolean"},{"key":"d","type":"enum","options":["x","y"]},{"key":"e","type":"text","scope":"type"}]
            """
        let standard = """
            {"properties":{"a":{"type":"integer","minimum":1,"maximum":9},"b":{"type":"string","minLength":2,"maxLength":3,"pattern":"^[a-z]+$"},
             "c":{"type":"boolean"},"d":{"type":["string","number"],"enum":["x","y"]},"e":{"type":"string","x-scope":"type"}},
             "required":["a"],"additionalProperties":false}
            """
        let values = ["1", "9.0", "10", "0", "1.5", #""ab""#, #""abcd""#, #""A1""#, "true", #""x""#, "[]", "{}"]
        var generator = SeededNumbers(3)
        var faulty = 0
        let checks = try [list, standard].map { ParameterCheck(try #require(ParameterSchemaParser.parse(Array($0.utf8)).schema), scope: .instance) }
        for _ in 0..<2000 {
            let members = ["a", "b", "c", "d", "e", "f"].filter { _ in Bool.random(using: &generator) }.map { "\"\($0)\":\(values.randomElement(using: &generator) ?? "1")" }
            let text = "{" + members.joined(separator: ",") + "}"
            var document = JSONDocument()
            try document.read(Array(text.utf8))
            let (one, other) = (checks[0].faults(of: document), checks[1].faults(of: document))
            #expect(one.map { "\($0.code) \($0.pointer ?? "")" } == other.map { "\($0.code) \($0.pointer ?? "")" }, "\(text)")
            if !one.isEmpty { faulty += 1 }
        }
        #expect(faulty > 1000)
    }

    /// All mistakes in either form are reported, each with its place.
    @Test(arguments: [
        (#"[{"key":"a","type":"decimal","min":"5"},{"key":"b","type":"x"}]"#, ["/0/min", "/1/type"]),
        (#"{"parameters":[{"id":"a","dataType":"TEXT","validation":{"regex":"("}}]}"#, ["/parameters/0/validation/regex"]),
        (#"[{"key":"a","type":"text","requiredWhen":"b ="}]"#, ["/0/requiredWhen"]), (#"[{"key":"a","type":"integer","max":3,"default":4}]"#, ["/0/default"]),
        (#"[{"key":"a","type":"enum","options":["x",[]]}]"#, ["/0/options/1"]), (#"[{"key":"a","type":"text","label":{"es":3}}]"#, ["/0/label/es"]),
        (#"{"properties":{"a":{"type":"float"}}}"#, ["/properties/a/type"]), (#"{"type":"object","properties":{"a":{"x-required-when":"zz = 1"}}}"#, ["/properties/a/x-required-when"]),
        (#"{"type":"object","properties":{"a":{"x-required-when":"today() > '2026'"}}}"#, ["/properties/a/x-required-when"]),
        (#"[{"key":"a","type":"integer","adds":"all"},{"key":"b","type":"text","adds":"sum"},{"key":"c","type":"text","adds":"count"}]"#, ["/0/adds", "/1/adds"]),
        (#"{"properties":{"a":{"type":"integer","x-adds":"all"},"b":{"type":"integer","x-adds":"mean"}}}"#, ["/properties/a/x-adds"]),
        (##"{"$ref":"#"}"##, ["/$ref"]), (#"{"name":"x"}"#, [""]),
    ] as [(String, [String])])
    func mistakesHaveTheirPlace(_ schema: String, _ pointers: [String]) {
        let outcome = ParameterSchemaParser.parse(Array(schema.utf8))
        #expect(outcome.schema == nil)
        #expect(outcome.faults.map(\.pointer) == pointers)
    }

    /// A record is checked against the older version under which it was captured. The difference
    /// between the versions is reported once.
    @Test func versions() throws {
        let pack = TestPack.make(entities: Self.entities)
        let source = try SQLiteSource(pack)
        let now = #"[{"key":"w","type":"decimal","required":true,"max":5},{"key":"n","type":"text","required":true}]"#
        let before = #"{"families":[{"id":"\#(TestPack.plain(1))","parameters":[{"key":"w","type":"decimal","max":9}]},{"id":"x"}]}"#
        try source.insert("families", ["id": TestPack.uuid(1), "name": "'Lamp'", "schema": "'\(now)'"])
        try source.insert("versions", ["id": TestPack.uuid(5), "name": "'0.9'", "families": "'\(before)'"])
        try source.insert("versions", ["id": TestPack.uuid(6), "name": "'0.8'", "families": "'[]'"])
        let rows = [("'{\"w\":7}'", TestPack.uuid(5)), ("'{\"w\":8}'", TestPack.uuid(5)), ("'{\"w\":10,\"n\":\"x\"}'", TestPack.uuid(5)),
            ("'{\"w\":7,\"n\":\"x\"}'", "NULL"), ("'{\"w\":1}'", TestPack.uuid(6))]
        for (index, row) in rows.enumerated() {
            try source.insert("things", [
                "id": TestPack.uuid(10 + index), "number": "\(index)", "family_id": TestPack.uuid(1), "parameters": row.0, "version_id": row.1,
            ])
        }
        let list = FindingList()
        _ = try Validator(pack: pack).validate(source, into: list)
        let found = list.findings.map { "\($0.code) \($0.place.key ?? "") \($0.place.pointer ?? "")" }.sorted()
        #expect(found == [
            "PARAMETER-RANGE 2 /w", "PARAMETER-RANGE 3 /w", "PARAMETER-REQUIRED 4 /n", "PARAMETER-UNKNOWN 2 /n", "SCHEMA-DIFFERENCE Lamp /n",
            "SCHEMA-DIFFERENCE Lamp /w",
        ])
        let difference = try #require(list.findings.first { $0.code == "SCHEMA-DIFFERENCE" && $0.place.pointer == "/n" })
        #expect(difference.arguments == ["family": "Lamp", "parameter": "n", "version": "0.9", "captured": "OK", "current": "PARAMETER-REQUIRED"])
    }

    /// If the schema of a version is wrong, this is reported once, and the current schema counts.
    @Test func aVersionWithAWrongSchema() throws {
        let pack = TestPack.make(entities: Self.entities)
        let source = try SQLiteSource(pack)
        let before = #"[{"id":"\#(TestPack.plain(1))","schema":{"properties":{"w":{"type":"float"}}}}]"#
        try source.insert("families", ["id": TestPack.uuid(1), "name": "'Lamp'", "schema": #"'[{"key":"w","type":"decimal","max":5}]'"#])
        try source.insert("versions", ["id": TestPack.uuid(5), "name": "'0.9'", "families": "'\(before)'"])
        for (index, value) in ["7", "1", "8"].enumerated() {
            try source.insert("things", [
                "id": TestPack.uuid(10 + index), "number": "\(index)", "family_id": TestPack.uuid(1), "parameters": "'{\"w\":\(value)}'",
                "version_id": TestPack.uuid(5),
            ])
        }
        let list = FindingList()
        _ = try Validator(pack: pack).validate(source, into: list)
        let found = list.findings.map { "\($0.code) \($0.place.key ?? "") \($0.place.pointer ?? "")" }.sorted()
        #expect(found == ["PARAMETER-RANGE 0 /w", "PARAMETER-RANGE 2 /w", "SCHEMA-INVALID 0.9 /properties/w/type"])
    }

    /// Hostile cells go through a whole validation. Each is reported once with a clear code.
    @Test func hostileCells() throws {
        let pack = TestPack.make(entities: Self.entities)
        let source = try SQLiteSource(pack)
        let schema = #"[{"key":"w","type":"decimal","required":true},{"key":"t","type":"text","pattern":"^(a+)+$"},{"key":"d","type":"date"}]"#
        try source.insert("families", ["id": TestPack.uuid(1), "name": "'Lamp'", "schema": "'\(schema)'"])
        let deep = "{\"w\":" + String(repeating: "[", count: 250) + String(repeating: "]", count: 250) + "}"
        let cells = [
            #"'{"w":NaN}'"#, #"'{"w":Infinity}'"#, #"'{"w":1e999999}'"#, "'{\"w\":\(String(repeating: "9", count: 500))}'", "'\(deep)'",
            #"'{"w":1,"t":"\uD800"}'"#, "CAST(x'7B2277223A312C2274223A22FF227D' AS TEXT)", #"'{"w":1,"d":"2026-02-31"}'"#,
            "'{\"w\":1,\"t\":\"\(String(repeating: "a", count: 5000))!\"}'", #"'{"w":1,"w":"x"}'"#, "'\(String(repeating: "[", count: 100_000))'",
        ]
        for (index, cell) in cells.enumerated() {
            try source.insert("things", [
                "id": TestPack.uuid(10 + index), "number": "\(index)", "family_id": TestPack.uuid(1), "parameters": cell,
            ])
        }
        let list = FindingList()
        _ = try Validator(pack: pack).validate(source, into: list)
        let found = list.findings.map { "\($0.place.key ?? "") \($0.code)" }
        #expect(found == [
            "0 FIELD-TYPE", "1 FIELD-TYPE", "2 PARAMETER-TYPE", "3 FIELD-TYPE", "4 FIELD-TYPE", "5 FIELD-TYPE", "6 FIELD-TYPE", "7 PARAMETER-TYPE",
            "8 PARAMETER-PATTERN", "10 FIELD-TYPE",
        ])
    }

    private static let entities = [
        Entity(name: "families", key: ["name"], fields: [TestPack.id, Field(name: "name", type: .text), Field(name: "schema", type: .json)]),
        Entity(name: "versions", key: ["name"], fields: [TestPack.id, Field(name: "name", type: .text), Field(name: "families", type: .json)]),
        Entity(
            name: "things", key: ["number"],
            fields: [
                TestPack.id, Field(name: "number", type: .integer), Field(name: "family_id", type: .uuid, references: "families"),
                Field(name: "version_id", type: .uuid, references: "versions"),
                Field(
                    name: "parameters", type: .json, schemaPath: FieldPath("family_id.schema"), schemaScope: "instance",
                    schemaVersion: FieldPath("version_id.families")),
            ]),
    ]
}
