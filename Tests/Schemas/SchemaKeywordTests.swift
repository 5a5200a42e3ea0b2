import JSONReading
import Testing
@testable import Schemas

/// Tests each keyword alone, and which keyword is reported. SpecificationTests shows how keywords
/// work together.
@Suite struct SchemaKeywordTests {
    /// A schema, values that fit it, and values that break it with the keyword that is reported.
    @Test(arguments: [
        (#"{"type":"integer"}"#, ["3", "3.0", "-1e3"], [("3.5", "type"), (#""3""#, "type"), ("1e-1", "type")]),
        (#"{"type":["null","boolean"]}"#, ["null", "true"], [("0", "type"), ("[]", "type")]),
        (#"{"minimum":0.1,"exclusiveMaximum":0.3}"#, ["0.1", "0.29999999999999999999", #""x""#], [("0.3", "exclusiveMaximum"), ("0.0999", "minimum")]),
        (#"{"multipleOf":0.01}"#, ["19.99", "1e20", "0"], [("0.001", "multipleOf"), ("19.999", "multipleOf")]),
        (#"{"minLength":2,"maxLength":3}"#, [#""ñ€""#, #""😀😀😀""#], [(#""é""#, "minLength"), (#""abcd""#, "maxLength")]),
        (#"{"pattern":"b+$"}"#, [#""abb""#, "7"], [(#""bba""#, "pattern")]),
        (#"{"pattern":"^\\p{Letter}+\\u00e9$"}"#, [#""cafté""#], [(#""1é""#, "pattern")]),
        (#"{"enum":["a",1,[1,{"b":2}],null]}"#, [#""a""#, "1.0", #"[1e0,{"b":2.0}]"#, "null"], [(#""b""#, "enum"), ("[1]", "enum"), ("false", "enum")]),
        (#"{"const":{"a":1,"b":[]}}"#, [#"{"b":[],"a":1.0}"#], [(#"{"a":1}"#, "const"), (#"{"a":1,"b":{}}"#, "const")]),
        (#"{"uniqueItems":true}"#, ["[1,2]", #"[1,"1",true]"#, "[]"], [("[1,1.0]", "uniqueItems"), (#"[{"a":1,"b":2},{"b":2,"a":1}]"#, "uniqueItems")]),
        (#"{"minItems":1,"maxItems":2}"#, ["[1]", "{}"], [("[]", "minItems"), ("[1,2,3]", "maxItems")]),
        (#"{"prefixItems":[{"type":"string"}],"items":{"type":"integer"}}"#, [#"["a",1,2]"#, "[]"], [("[1]", "type"), (#"["a","b"]"#, "type")]),
        (#"{"contains":{"minimum":5},"minContains":2,"maxContains":3}"#, ["[5,1,6]"], [("[5]", "minContains"), ("[5,5,5,5]", "maxContains")]),
        (#"{"contains":{"type":"null"}}"#, ["[1,null]"], [("[1]", "contains"), ("[]", "contains")]),
        (#"{"required":["a"],"properties":{"a":{"type":"null"}}}"#, [#"{"a":null}"#, "[]"], [("{}", "required"), (#"{"a":1}"#, "type")]),
        (#"{"properties":{"a":true},"patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false}"#,
            [#"{"a":1,"x-b":"c"}"#], [(#"{"b":1}"#, "additionalProperties"), (#"{"x-b":1}"#, "type")]),
        (#"{"additionalProperties":{"type":"integer"}}"#, [#"{"a":1}"#], [(#"{"a":"1"}"#, "type")]),
        (#"{"propertyNames":{"maxLength":2}}"#, [#"{"ab":1}"#], [(#"{"abc":1}"#, "maxLength")]),
        (#"{"minProperties":1,"maxProperties":1}"#, [#"{"a":1}"#], [("{}", "minProperties"), (#"{"a":1,"b":1}"#, "maxProperties")]),
        (#"{"dependentRequired":{"a":["b","c"]}}"#, [#"{"b":1}"#, #"{"a":1,"b":1,"c":1}"#], [(#"{"a":1,"b":1}"#, "dependentRequired")]),
        (#"{"dependentSchemas":{"a":{"required":["b"]}}}"#, ["{}", #"{"a":1,"b":1}"#], [(#"{"a":1}"#, "required")]),
        (#"{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}"#, [#"{"a":1,"b":1}"#, #"{"c":1}"#],
            [(#"{"a":1}"#, "required"), ("{}", "required")]),
        (#"{"not":{"type":"string"}}"#, ["1"], [(#""a""#, "not")]),
        (#"{"allOf":[{"minimum":1},{"maximum":3}]}"#, ["2"], [("0", "minimum"), ("4", "maximum")]),
        (#"{"anyOf":[{"type":"null"},{"minimum":3}]}"#, ["null", "3"], [("1", "anyOf")]),
        (#"{"oneOf":[{"multipleOf":2},{"multipleOf":3}]}"#, ["2", "9"], [("6", "oneOf"), ("7", "oneOf")]),
        (#"{"properties":{"a":false}}"#, ["{}"], [(#"{"a":1}"#, "false")]),
        (#"{"allOf":[{"properties":{"a":true}}],"anyOf":[{"properties":{"b":{"const":1}}},true],"unevaluatedProperties":false}"#,
            [#"{"a":1}"#, #"{"a":1,"b":1}"#], [(#"{"b":2}"#, "unevaluatedProperties"), (#"{"c":1}"#, "unevaluatedProperties")]),
        (#"{"prefixItems":[true],"contains":{"type":"string"},"minContains":0,"unevaluatedItems":{"type":"null"}}"#, [#"[1,"a",null]"#, "[]"],
            [("[1,2]", "type")]),
        (##"{"$ref":"#/$defs/a~1b","$defs":{"a/b":{"type":"string"}}}"##, [#""x""#], [("1", "type")]),
        (##"{"$ref":"#here","$defs":{"x":{"$anchor":"here","minimum":2}}}"##, ["2"], [("1", "minimum")]),
        (##"{"$id":"https://example.it/a/","$ref":"b","$defs":{"x":{"$id":"b","$ref":"#/$defs/y","$defs":{"y":{"maximum":2}}}}}"##, ["2"], [("3", "maximum")]),
        (##"{"properties":{"next":{"$ref":"#"},"v":{"type":"integer"}}}"##, [#"{"v":1,"next":{"v":2,"next":{}}}"#], [(#"{"next":{"next":{"v":"x"}}}"#, "type")]),
        (##"{"$id":"https://example.it/tree","$dynamicAnchor":"node","properties":{"c":{"$dynamicRef":"#node"},"v":{"type":"integer"}}}"##,
            [#"{"c":{"c":{"v":1}}}"#], [(#"{"c":{"c":{"v":""}}}"#, "type")]),
        (#"{"$ref":"https://json-schema.org/draft/2020-12/schema"}"#, [#"{"type":"string"}"#, "true"], [(#"{"minLength":-1}"#, "minimum")]),
    ] as [(String, [String], [(String, String)])])
    func judges(_ schema: String, _ right: [String], _ wrong: [(String, String)]) throws {
        let outcome = SchemaProgram.compile(try JSONValue.parse(schema))
        #expect(outcome.mistakes == [])
        var machine = SchemaMachine(try #require(outcome.program))
        for text in right { #expect(machine.faults(of: try JSONValue.parse(text)) == [], "\(schema) and \(text)") }
        for (text, keyword) in wrong {
            let faults = machine.faults(of: try JSONValue.parse(text))
            #expect(faults.first?.keyword == keyword, "\(schema) and \(text): \(faults)")
        }
    }

    @Test func faultsHaveBothPlaces() throws {
        let schema = ##"{"properties":{"a/b":{"items":{"$ref":"#/$defs/n"}}},"required":["c"],"$defs":{"n":{"maximum":5}}}"##
        var machine = SchemaMachine(try #require(SchemaProgram.compile(try JSONValue.parse(schema)).program))
        let faults = machine.faults(of: try JSONValue.parse(#"{"a/b":[1,7.50,9]}"#))
        #expect(faults.map(\.pointer) == ["/a~1b/1", "/a~1b/2", ""])
        #expect(faults.map(\.location) == ["/$defs/n/maximum", "/$defs/n/maximum", "/required"])
        #expect(faults.map(\.value) == ["7.50", "9", nil])
        #expect(faults.map(\.expected) == ["5", "5", "c"])
    }

    /// A format alone is only a remark. If formats are checked, a date must be a day that exists.
    @Test(arguments: [
        ("date", ["2024-02-29", "1999-12-31"], ["2023-02-29", "2026-02-31", "2026-13-01", "26-01-01", "2026-1-1", "2026-02-3x"]),
        ("time", ["10:00:00Z", "23:59:60Z", "10:00:00.5+02:00"], ["24:00:00Z", "10:00:00", "10:00Z", "22:59:60Z", "10:00:00.Z"]),
        ("date-time", ["2026-05-01T10:00:00Z", "2026-05-01t10:00:00.123-05:00"], ["2026-02-31T10:00:00Z", "2026-05-01", "2026-05-01T25:00:00Z"]),
        ("duration", ["P1Y2M3DT4H", "PT5M", "P2W"], ["P", "PT", "1Y", "P1S", "P1W2D"]),
        ("email", ["a.b@example.it", "\"a b\"@example.it", "a@[127.0.0.1]"], ["a", "@x", "a..b@x", "a@-x", "a@"]),
        ("uuid", ["019c65ad-9280-724a-962d-82376b8dfd0e"], ["019c65ad-9280-724a-962d-82376b8dfd0", "019c65ad9280724a962d82376b8dfd0e0000"]),
        ("uri", ["https://example.it/a?b#c", "urn:x:y"], ["a/b", "http://a b", "http://x/%zz", ":x", "<urn:x:y"]),
        ("ipv4", ["10.0.0.1"], ["10.0.0.256", "10.0.0", "10.0.0.01", "1.2.3.4.5"]),
        ("ipv6", ["::1", "2001:db8::8a2e:370:7334", "::ffff:10.0.0.1"], ["1::2::3", ":1", "12345::", "1:2:3:4:5:6:7:8:9", "1:"]),
        ("hostname", ["a-b.example"], ["-a", "a-", "a..b", "a_b", ""]),
        ("json-pointer", ["", "/a~0b/~1"], ["a", "/~2"]), ("regex", ["a+"], ["("]),
    ] as [(String, [String], [String])])
    func formats(_ name: String, _ right: [String], _ wrong: [String]) throws {
        let schema = JSONValue.object([.init(key: "format", value: .string(name))])
        var remarks = SchemaMachine(try #require(SchemaProgram.compile(schema).program))
        var asking = SchemaMachine(try #require(SchemaProgram.compile(schema, options: .init(assertsFormats: true)).program))
        for text in right { #expect(asking.faults(of: .string(text)) == [], "\(name) \(text)") }
        for text in wrong {
            #expect(asking.faults(of: .string(text)).map(\.keyword) == ["format"], "\(name) \(text)")
            #expect(remarks.faults(of: .string(text)) == [])
        }
        #expect(asking.faults(of: .number("3")) == [])
    }

    @Test func vocabulariesSayWhatCounts() throws {
        let dialect = try JSONValue.parse("""
            {"$vocabulary":{"https://json-schema.org/draft/2020-12/vocab/core":true,"https://json-schema.org/draft/2020-12/vocab/applicator":true,
            "https://example.it/own":false}}
            """)
        let options = SchemaProgram.Options(documents: ["https://example.it/dialect": dialect])
        let schema = try JSONValue.parse(#"{"$schema":"https://example.it/dialect","properties":{"a":false,"b":{"type":"string"}}}"#)
        var machine = SchemaMachine(try #require(SchemaProgram.compile(schema, options: options).program))
        #expect(machine.faults(of: try JSONValue.parse(#"{"a":1,"b":1}"#)).map(\.pointer) == ["/a"])
    }
}
