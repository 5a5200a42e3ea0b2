import JSONReading
import Testing
@testable import Schemas

@Suite struct SchemaMistakeTests {
    /// Each mistake in a schema is reported with its place.
    @Test(arguments: [
        ("3", ""), (#""x""#, ""), (#"{"type":"float"}"#, "/type"), (#"{"type":[]}"#, "/type"), (#"{"properties":{"a":{"minimum":"5"}}}"#, "/properties/a/minimum"),
        (#"{"properties":[]}"#, "/properties"), (#"{"properties":{"a/b":7}}"#, "/properties/a~1b"), (#"{"multipleOf":0}"#, "/multipleOf"),
        (#"{"multipleOf":1.2345678901234567891}"#, "/multipleOf"), (#"{"minimum":1e5000}"#, "/minimum"), (#"{"minimum":5,"maximum":1}"#, "/minimum"),
        (#"{"minLength":-1}"#, "/minLength"), (#"{"minLength":1.5}"#, "/minLength"), (#"{"pattern":"("}"#, "/pattern"), (#"{"pattern":7}"#, "/pattern"),
        (#"{"patternProperties":{"(":true}}"#, "/patternProperties/("), (#"{"enum":"x"}"#, "/enum"), (#"{"required":"a"}"#, "/required"),
        (#"{"required":["a","a"]}"#, "/required"), (#"{"uniqueItems":1}"#, "/uniqueItems"), (#"{"allOf":[]}"#, "/allOf"), (#"{"anyOf":{}}"#, "/anyOf"),
        (#"{"allOf":[true,5]}"#, "/allOf/1"), (#"{"not":"x"}"#, "/not"), (#"{"dependentRequired":{"a":"b"}}"#, "/dependentRequired"),
        (##"{"$ref":"#/$defs/none"}"##, "/$ref"), (#"{"$ref":"https://example.it/elsewhere"}"#, "/$ref"), (#"{"$ref":5}"#, "/$ref"),
        (##"{"$ref":"#none"}"##, "/$ref"), (##"{"$ref":"#%FF"}"##, "/$ref"), (#"{"$id":"x#y"}"#, "/$id"), (#"{"$anchor":"1"}"#, "/$anchor"),
        (#"{"$schema":"http://json-schema.org/draft-07/schema#"}"#, "/$schema"), (#"{"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}}"#, "/$defs/b/$anchor"),
        (#"{"$defs":{"unused":{"type":"word"}}}"#, "/$defs/unused/type"),
        // These references are endless circles.
        (##"{"$ref":"#"}"##, "/$ref"), (##"{"allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"not":{"$ref":"#"}}}}"##, "/$defs/a/not/$ref"),
        (##"{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##, "/$defs/b/$ref"),
    ])
    func areFoundWithTheirPlace(_ schema: String, _ pointer: String) throws {
        let outcome = SchemaProgram.compile(try JSONValue.parse(schema))
        #expect(outcome.program == nil)
        #expect(outcome.mistakes.map(\.pointer) == [pointer], "\(outcome.mistakes)")
        #expect(outcome.mistakes.allSatisfy { !$0.reason.isEmpty })
    }

    @Test func allAreReported() throws {
        let outcome = SchemaProgram.compile(try JSONValue.parse(#"{"type":"x","properties":{"a":{"minimum":[]},"b":{"pattern":"["}}}"#))
        #expect(outcome.mistakes.map(\.pointer) == ["/type", "/properties/a/minimum", "/properties/b/pattern"])
    }

    @Test func extrasAreReadOnlyWhenAsked() throws {
        let schema = try JSONValue.parse(#"{"properties":{"a":{"title":"A","x-unit":"m","x-scope":"house","x-label":{"es":"a"}}}}"#)
        #expect(SchemaProgram.compile(schema).mistakes == [])
        let outcome = SchemaProgram.compile(schema, options: .init(readsExtras: true))
        #expect(outcome.mistakes.map(\.pointer) == ["/properties/a/x-scope"])
    }
}
