import JSONReading
import Testing
@testable import Schemas

/// Hostile schemas and values: the work is bounded, and a clear fault is reported without a crash.
@Suite struct SchemaHostileTests {
    private func faults(_ schema: String, _ value: String) throws -> [SchemaFault] {
        let outcome = SchemaProgram.compile(try JSONValue.parse(schema))
        #expect(outcome.mistakes == [])
        var machine = SchemaMachine(try #require(outcome.program))
        var document = JSONDocument()
        try document.read(Array(value.utf8))
        return machine.faults(of: document)
    }

    @Test func aTreeOfReferencesThatDoublesAtEachStep() throws {
        let definitions = (0..<60).map { "\"d\($0)\":{\"allOf\":[{\"$ref\":\"#/$defs/d\($0 + 1)\"},{\"$ref\":\"#/$defs/d\($0 + 1)\"}]}" }
        let schema = "{\"$ref\":\"#/$defs/d0\",\"$defs\":{" + definitions.joined(separator: ",") + ",\"d60\":{\"type\":\"integer\"}}}"
        #expect(try faults(schema, "1").map(\.limit) == [.steps])
    }

    @Test func aCircleThatOnlyRunningFinds() throws {
        #expect(try faults(##"{"anyOf":[{"type":"null"},{"$ref":"#"}]}"##, "1").map(\.limit) == [.depth])
        #expect(try faults(##"{"$dynamicAnchor":"a","$dynamicRef":"#a"}"##, "1").map(\.limit) == [.depth])
        // Below `not`, a missing answer must not count as a good one.
        #expect(try faults(##"{"not":{"anyOf":[{"type":"null"},{"not":{"$ref":"#"}}]}}"##, "1").map(\.limit) == [.depth])
    }

    @Test func aPatternThatExplodes() throws {
        let text = "\"" + String(repeating: "a", count: 5000) + "!\""
        let found = try faults(#"{"pattern":"^(a+)+$"}"#, text)
        #expect(found.map(\.keyword) == ["pattern"])
        #expect(found.first?.limit == .pattern)
        let names = "{" + (0..<200).map { "\"\(String(repeating: "a", count: 40))\($0)!\":1" }.joined(separator: ",") + "}"
        #expect(try faults(#"{"patternProperties":{"^(a+)+$":false}}"#, names).last?.limit == .steps)
    }

    @Test func hugeNumbers() throws {
        #expect(try faults(#"{"type":"number"}"#, "1e999999999").map(\.limit) == [.number])
        #expect(try faults(#"{"maximum":5}"#, "1e99999").map(\.limit) == [.number])
        #expect(try faults(#"{"multipleOf":0.123456789}"#, "1e308").map(\.keyword) == ["multipleOf"])
        #expect(try faults(#"{"type":"integer","maximum":1e400}"#, String(repeating: "9", count: 400)) == [])
        #expect(try faults(#"{"exclusiveMinimum":0}"#, "-0.0").map(\.keyword) == ["exclusiveMinimum"])
        #expect(SchemaProgram.compile(.object([.init(key: "minLength", value: .number("1e300"))])).program != nil)
    }

    @Test func deepAndWideValues() throws {
        let deep = String(repeating: "[", count: 199) + String(repeating: "]", count: 199)
        #expect(try faults(##"{"items":{"$ref":"#"}}"##, deep) == [])
        #expect(try faults(##"{"items":{"$ref":"#"},"type":"array"}"##, deep.replacing("[]", with: "[1]")).map(\.keyword) == ["type"])
        let wide = "[" + Array(repeating: "\"x\"", count: 5000).joined(separator: ",") + "]"
        let found = try faults(#"{"items":{"type":"integer"}}"#, wide)
        #expect(found.count == 1001)
        #expect(found.last?.limit == .faults)
        let objects = "[" + (0..<20_000).map { "{\"a\":\($0)}" }.joined(separator: ",") + "]"
        #expect(try faults(#"{"uniqueItems":true}"#, objects) == [])
        let endless = "[" + Array(repeating: "1", count: 150_000).joined(separator: ",") + "]"
        #expect(try faults(#"{"items":{"type":"integer"}}"#, endless).map(\.limit) == [.steps])
    }

    private static let longText = "\"" + String(repeating: "a", count: 1_000_000) + "\""
    private static let manyMembers: String = {
        let members = (0..<3000).map { number in "\"k\(number)\":1" }
        return "{" + members.joined(separator: ",") + "}"
    }()
    private static let manyItems: String = "[" + (0..<3000).map { String($0) }.joined(separator: ",") + "]"

    /// Work that is cheap once must have a bound, because a schema may repeat it a thousand times.
    @Test(arguments: [
        (#"{"minLength":1}"#, longText), (#"{"propertyNames":{"minLength":1}}"#, manyMembers), (#"{"dependentSchemas":{"zz":false}}"#, manyMembers),
        (#"{"not":{"const":[0,1]}}"#, manyItems),
    ])
    func theSameWorkAThousandTimes(_ inner: String, _ value: String) throws {
        let schema = "{\"allOf\":[" + Array(repeating: inner, count: 1000).joined(separator: ",") + "]}"
        #expect(try faults(schema, value).map(\.limit) == [.steps])
    }

    @Test func longNamesAreCutShortInPlaces() throws {
        let name = String(repeating: "n", count: 100_000)
        let found = try faults(#"{"additionalProperties":{"type":"null"}}"#, "{\"\(name)\":\"\(name)\"}")
        #expect((found.first?.pointer.utf8.count ?? .max) < 500)
        #expect((found.first?.value?.utf8.count ?? .max) < 500)
    }

    @Test func aSchemaOfTooManyParts() throws {
        let many = "{\"$defs\":{" + (0..<25_000).map { "\"d\($0)\":{}" }.joined(separator: ",") + "}}"
        let outcome = SchemaProgram.compile(try JSONValue.parse(many))
        #expect(outcome.program == nil)
        #expect(outcome.mistakes.count == 1)
        let chain = "{\"$ref\":\"#/$defs/d0\",\"$defs\":{" + (0..<5000).map { "\"d\($0)\":{\"$ref\":\"#/$defs/d\($0 + 1)\"}" }.joined(separator: ",")
            + ",\"d5000\":true}}"
        #expect(try faults(chain, "1").map(\.limit) == [.depth])
    }

    /// Random schemas and values never crash, stay within bounds, and give the same answer twice.
    @Test func randomSchemasAndValues() throws {
        var random = RandomJSON(seed: 20_251_121)
        var (compiled, right, wrong) = (0, 0, 0)
        for _ in 0..<3000 {
            let outcome = SchemaProgram.compile(random.schema(depth: 3), options: .init(assertsFormats: true, readsExtras: true))
            #expect((outcome.program == nil) != outcome.mistakes.isEmpty)
            guard let program = outcome.program else { continue }
            compiled += 1
            var machine = SchemaMachine(program)
            for _ in 0..<5 {
                let value = random.value(depth: 3)
                let faults = machine.faults(of: value)
                #expect(machine.faults(of: value) == faults)
                if faults.isEmpty { right += 1 } else { wrong += 1 }
            }
        }
        #expect(compiled > 500)
        #expect(right > 500)
        #expect(wrong > 500)
    }
}
