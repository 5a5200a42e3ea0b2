import JSONReading
import Model
import Testing
@testable import Validating

@Suite struct ParameterTests {
    private static let schema = """
        [{"key":"power","label":"Potencia","type":"decimal","unit":"W","required":true,"min":0.5,"max":100,"step":0.1},
         {"key":"count","label":"Lamps","type":"integer","min":1},
         {"key":"ip","type":"text","pattern":"IP\\\\d{2}","minLength":4,"maxLength":5},
         {"key":"on","type":"boolean","scope":"instance"},
         {"key":"built","type":"date"},
         {"key":"colour","type":"enum","options":["red","green"]},
         {"key":"tags","type":"list","options":["a","b"]},
         {"key":"why","type":"text","requiredWhen":"colour = 'red' and count > 2"},
         {"key":"maker","type":"text","scope":"type","required":true}]
        """

    private func faults(
        _ values: String, schema: String = ParameterTests.schema, scope: ParameterSchema.Scope = .instance
    ) throws -> [ParameterCheck.Fault] {
        let outcome = ParameterSchemaParser.parse(Array(schema.utf8))
        #expect(outcome.faults == [])
        let parsed = try #require(outcome.schema)
        let value = try members(values)
        return ParameterCheck(parsed, scope: scope).faults(of: value)
    }

    @Test func goodValues() throws {
        #expect(try faults(#"{"power":0.8}"#).isEmpty)
        #expect(try faults(
            #"{"power":60.0,"count":3.0,"ip":"IP44","on":false,"built":"2024-02-29","colour":"green","tags":["a","b"],"why":null}"#).isEmpty)
        #expect(try faults(#"{"maker":"ACME"}"#, scope: .type).isEmpty)
    }

    @Test(arguments: [
        (#"{}"#, "PARAMETER-REQUIRED", "Potencia"), (#"{"power":null}"#, "PARAMETER-REQUIRED", "Potencia"),
        (#"{"power":1,"ip":" "}"#, nil, ""),
        (#"{"power":1,"colour":"red","count":3}"#, "PARAMETER-REQUIRED", "why"), (#"{"power":1,"colour":"red","count":2}"#, nil, ""),
        (#"{"power":1,"colour":"red"}"#, nil, ""),
        (#"{"power":"1"}"#, "PARAMETER-TYPE", "Potencia"), (#"{"power":1,"count":1.5}"#, "PARAMETER-TYPE", "Lamps"),
        (#"{"power":1,"ip":44}"#, "PARAMETER-TYPE", "ip"), (#"{"power":1,"on":"true"}"#, "PARAMETER-TYPE", "on"),
        (#"{"power":1,"built":"2023-02-29"}"#, "PARAMETER-TYPE", "built"), (#"{"power":1,"colour":true}"#, "PARAMETER-TYPE", "colour"),
        (#"{"power":1,"tags":"a"}"#, "PARAMETER-TYPE", "tags"), (#"{"power":1,"tags":[{}]}"#, "PARAMETER-TYPE", "tags"),
        (#"{"power":0.4}"#, "PARAMETER-RANGE", "Potencia"), (#"{"power":100.1}"#, "PARAMETER-RANGE", "Potencia"),
        (#"{"power":1,"count":0}"#, "PARAMETER-RANGE", "Lamps"), (#"{"power":0.85}"#, "PARAMETER-STEP", "Potencia"),
        (#"{"power":1,"ip":"IP123"}"#, "PARAMETER-PATTERN", "ip"), (#"{"power":1,"colour":"blue"}"#, "PARAMETER-OPTION", "colour"),
        (#"{"power":1,"tags":["a","c"]}"#, "PARAMETER-OPTION", "tags"), (#"{"power":1,"maker":"ACME"}"#, "PARAMETER-SCOPE", "Potencia"),
        (#"{"power":1,"volts":3}"#, "PARAMETER-UNKNOWN", "volts"),
        (#"{"power":{"type":"number","numberValue":60}}"#, nil, ""), (#"{"power":{"type":"number","numberValue":600}}"#, "PARAMETER-RANGE", "Potencia"),
        (#"{"power":{"type":"number"}}"#, "PARAMETER-REQUIRED", "Potencia"), (#"{"power":{"type":"text","stringValue":"x"}}"#, "PARAMETER-TYPE", "Potencia"),
        (#"{"power":1e999999999}"#, "PARAMETER-TYPE", "Potencia"),
    ])
    func judges(_ values: String, _ code: String?, _ parameter: String) throws {
        let found = try faults(values)
        #expect(found.map(\.code) == [code].compactMap { $0 }, "\(values)")
        if code != "PARAMETER-SCOPE" { #expect(found.first?.parameter ?? "" == parameter) }
    }

    @Test func whatMessagesQuote() throws {
        let range = try #require(try faults(#"{"power":100.10}"#).first)
        #expect(range.value == "100.10")
        #expect(range.arguments == ["minimum": "0.5", "maximum": "100", "unit": "W"])
        #expect(range.pointer == "/power")
        let length = try #require(try faults(#"{"power":1,"ip":"IP1"}"#).first)
        #expect(length.code == "PARAMETER-LENGTH")
        #expect(length.arguments == ["length": "3", "minimum": "4", "maximum": "5"])
        #expect(try faults(#"{"power":1,"maker":"x"}"#).first?.arguments == ["scope": "type"])
        #expect(try faults(#"{"power":1}"#, scope: .type).map(\.code) == ["PARAMETER-SCOPE", "PARAMETER-REQUIRED"])
        #expect(try faults(#"{"power":0.85}"#).first?.arguments == ["step": "0.1"])
    }

    @Test func explosivePatternsAreReported() throws {
        let schema = #"[{"key":"x","type":"text","pattern":"^(a+)+$"}]"#
        let found = try faults("{\"x\":\"" + String(repeating: "a", count: 60) + "!\"}", schema: schema)
        #expect(found.map(\.code) == ["PARAMETER-PATTERN"])
        #expect(found.first?.arguments["note"] == "too-costly")
    }

    /// The form of the field app: keyed by id or by name, with separate bounds and types in capital
    /// letters.
    @Test func theAppsForm() throws {
        let schema = """
            {"id":"f","parameters":[
              {"id":"p1","name":"Potenza","dataType":"NUMBER","scope":"INSTANCE","isRequired":true,"unit":"W","validation":{"min":1,"max":10,"regex":null}},
              {"id":"p2","name":"Nota","dataType":"TEXT","scope":"INSTANCE","isRequired":false,"validation":{"maxLength":3.0,"regex":"[a-z]+"}},
              {"id":"p3","name":"Marca","dataType":"ENUM","scope":"TYPE","isRequired":false,"enumValues":["A","B"]}]}
            """
        #expect(try faults(#"{"p1":5,"Nota":"abc"}"#, schema: schema).isEmpty)
        #expect(try faults(#"{"Potenza":50}"#, schema: schema).map(\.code) == ["PARAMETER-RANGE"])
        #expect(try faults(#"{"Potenza":5,"p2":"abcd"}"#, schema: schema).map(\.code) == ["PARAMETER-LENGTH"])
        #expect(try faults(#"{"p1":5,"p2":{"type":"text","stringValue":"1"}}"#, schema: schema).map(\.code) == ["PARAMETER-PATTERN"])
        #expect(try faults(#"{"p3":"C"}"#, schema: schema, scope: .type).map(\.code) == ["PARAMETER-OPTION"])
        #expect(try faults(#"{"p3":"A","p1":5}"#, schema: schema).map(\.code) == ["PARAMETER-SCOPE"])
    }

    @Test(arguments: [
        "", "3", "{}", "[3]", #"[{"type":"text"}]"#, #"[{"key":"a"}]"#, #"[{"key":"a","type":"float"}]"#, #"[{"key":"a","type":"enum"}]"#,
        #"[{"key":"a","type":"decimal","min":5,"max":1}]"#, #"[{"key":"a","type":"decimal","min":"5"}]"#, #"[{"key":"a","type":"decimal","step":0}]"#,
        #"[{"key":"a","type":"text","minLength":3,"maxLength":1}]"#, #"[{"key":"a","type":"text","maxLength":-1}]"#,
        #"[{"key":"a","type":"text","pattern":"("}]"#, #"[{"key":"a","type":"text"},{"key":"a","type":"text"}]"#,
        #"[{"key":"a","type":"text","scope":"family"}]"#, #"[{"key":"a","type":"text","requiredWhen":"a ="}]"#,
        #"[{"key":"a","type":"text","requiredWhen":"b = 1"}]"#, #"[{"key":"a","type":"text","required":"yes"}]"#,
        #"[{"key":"a","type":"enum","options":"x"}]"#, #"[{"key":"a","type":"enum","options":[[]]}]"#, #"[{"key":"a","key":"b","type":"text"}]"#,
    ])
    func schemasThatAreWrong(_ schema: String) {
        let outcome = ParameterSchemaParser.parse(Array(schema.utf8))
        #expect(outcome.schema == nil)
        #expect(outcome.faults.count == 1)
    }

    @Test func aPatternEscapedTwiceIsReportedAndNotJudgedBy() throws {
        let schema = #"[{"key":"ip","type":"text","maxLength":15,"pattern":"^(\\\\d{1,3}\\\\.){3}\\\\d{1,3}$"}]"#
        let outcome = ParameterSchemaParser.parse(Array(schema.utf8))
        #expect(outcome.faults.count == 1)
        let parsed = try #require(outcome.schema)
        let check = ParameterCheck(parsed, scope: .instance)
        #expect(check.faults(of: try members(#"{"ip":"10.0.0.1"}"#)).isEmpty)
        #expect(check.faults(of: try members(#"{"ip":"1000.1000.1000.1000"}"#)).map(\.code) == ["PARAMETER-LENGTH"])
    }

    /// In a whole validation, schemas are checked once for each family, and values with the schema
    /// of their family.
    @Test func inAReplica() throws {
        let pack = TestPack.make()
        let source = try SQLiteSource(pack)
        let good = #"[{"key":"w","type":"decimal","required":true,"max":9},{"key":"m","type":"text","scope":"type"}]"#
        try source.insert("families", ["id": TestPack.uuid(1), "name": "'Lamp'", "schema": "'\(good)'"])
        try source.insert("families", ["id": TestPack.uuid(2), "name": "'Broken'", "schema": "'[{\"key\":\"a\"}]'"])
        try source.insert("types", ["id": TestPack.uuid(3), "name": "'L1'", "family_id": TestPack.uuid(1), "parameters": "'{\"m\":1}'"])
        try source.insert("types", ["id": TestPack.uuid(4), "name": "'B1'", "family_id": TestPack.uuid(2), "parameters": "'{\"zz\":1}'"])
        for (index, parameters) in ["'{\"w\":5}'", "'{\"w\":50}'", "NULL", "'{\"m\":\"x\",\"w\":1}'", "'[1]'", "'{\"w\":1,\"w\":99}'"].enumerated() {
            try source.insert("instances", [
                "id": TestPack.uuid(10 + index), "number": "\(index)", "type_id": TestPack.uuid(3), "parameters": parameters,
            ])
        }
        try source.insert("instances", ["id": TestPack.uuid(20), "number": "20", "type_id": TestPack.uuid(4), "parameters": "'{\"x\":1}'"])
        try source.insert("instances", ["id": TestPack.uuid(21), "number": "21", "parameters": "'{\"x\":1}'"])
        let list = FindingList()
        _ = try Validator(pack: pack).validate(source, into: list)
        let found = list.findings.map { [$0.code, $0.place.table ?? "", $0.place.key ?? "", $0.place.field ?? ""].joined(separator: " ") }
        #expect(found == [
            "SCHEMA-INVALID families Broken schema", "PARAMETER-TYPE types L1 parameters", "PARAMETER-RANGE instances 1 parameters",
            "PARAMETER-REQUIRED instances 2 parameters", "PARAMETER-SCOPE instances 3 parameters", "FIELD-TYPE instances 4 parameters",
        ])
        #expect(list.findings.first?.arguments["family"] == "Broken")
        // A schema is read once for each family and field, and not for each row.
        #expect(source.queries.count { $0.contains("\"schema\"") } == 4)
    }
}


private func members(_ text: String) throws -> [JSONValue.Member] {
    try #require(try JSONValue.parse(text).members)
}
