import JSONReading
import Testing
import Workbench

@Suite struct JSONValueTests {
    /// RFC 8259 allows these texts. They are like the `y_` files of JSONTestSuite.
    @Test(arguments: [
        "[]", "{}", "[[]   ]", "[\"\"]", "[null, 1, \"1\", {}]", " 42 ", "-0", "[-0]", "[0e+1]", "[1E400]", "[1.5e-10]", "[-123]",
        "\"\\u0060\\u012a\\u12AB\"", "\"\\uD801\\udc37\"", "\"\\ud83d\\ude39\\ud83d\\udc8d\"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "\"\\u0000\"", "\"\u{7F}\"", "\"\\\\u0000\"", "\"€𝄞\"", "{\"\":0}", "{\"a\":[]}", "\t[]\r\n", "[123e65]", "true", "null", "\"x\"",
        "{\"a\":{\"b\":{}}}", "\u{FEFF}[1]", "[20e1]", "[1e-2]", "[-0.000000000000000000000000000000000001]",
    ])
    func accepts(_ text: String) throws {
        let value = try JSONValue.parse(text)
        #expect(try JSONValue.parse(value.description) == value)
    }

    /// RFC 8259 forbids these texts. They are like the `n_` files.
    @Test(arguments: [
        "", " ", "[", "]", "{", "[1,]", "[1,,2]", "[,1]", "[1 true]", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "{'a':1}", "{1:1}", "[-]", "[+1]",
        "[.5]", "[1.]", "[1.e1]", "[0x1]", "[01]", "[-01]", "[1e]", "[1e+]", "[NaN]", "[Infinity]", "[nul]", "[tru]", "[\"a]", "\"\\x00\"",
        "\"\\u00\"", "\"\\uD800\\u\"", "\"\\a\"", "[1]x", "[1][2]", "{} {}", "// c\n[]", "[/* c */]", "\"a\nb\"", "\"\t\"", "\u{C}[]", "[\u{B}1]",
        "[\"\\", "{\"a\":", "{\"a\":1", "\u{00A0}[]", "[1:2]", "{\"a\",1}", "\"\\uqqqq\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800x\"",
        "\"\\ud800\\n\"", "\"\\ud800\\ud800\\udc00\"", "\"\\udc00\\ud800\"", "\"a\"\"", "1\"", "{}\"x", "[] \"",
    ])
    func refuses(_ text: String) {
        #expect(throws: JSONMistake.self) { try JSONValue.parse(text) }
    }

    @Test(arguments: [
        [0x22, 0xFF, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xE2, 0x82, 0x22], [0x22, 0xF4, 0xBF, 0xBF, 0xBF, 0x22],
        [0xFE, 0xFF, 0x00, 0x5B], [0x5B, 0x00, 0x5D], [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D],
    ] as [[UInt8]])
    func refusesBytesThatAreNoUTF8(_ bytes: [UInt8]) {
        #expect(throws: JSONMistake.self) { try JSONValue.parse(bytes) }
    }

    @Test func keepsWhatWasWritten() throws {
        let text = #"{"b":1.10,"a":-0,"n":123456789012345678901234567890.0,"t":"ñ\"\\\u0001","l":[true,false,null,1E+5],"o":{}}"#
        #expect(try JSONValue.parse(text).description == text)
        let value = try JSONValue.parse(text)
        #expect(value.members?.map(\.key) == ["b", "a", "n", "t", "l", "o"])
        #expect(value["b"] == .number("1.10"))
        #expect(value["l"]?[3] == .number("1E+5"))
        #expect(value["l"]?[4] == nil)
        #expect(value["t"]?.text == "ñ\"\\\u{1}")
        #expect(value["zz"] == nil)
    }

    @Test func tellsWhere() {
        func mistake(_ text: String, limits: JSONLimits = .standard) -> JSONMistake? {
            #expect(throws: JSONMistake.self) { try JSONValue.parse(text, limits: limits) }
        }
        let bad = mistake("[1,\n 2,\n  x]")
        #expect(bad?.line == 3)
        // The mistake is at the wrong character or right after it.
        #expect(bad.map { (10...11).contains($0.offset) } == true)
        #expect(bad.map { (3...4).contains($0.column) } == true)
        if case .malformed = bad?.reason {} else { Issue.record("\(String(describing: bad))") }
        #expect(mistake("{\"a\":1,\n\"a\":2}")?.reason == .duplicateKey("a"))
        #expect(mistake("{\"a\":1,\n\"a\":2}")?.line == 2)
        #expect(mistake("[1")?.reason == .unexpectedEnd)
        #expect(mistake("[1")?.offset == 2)
        #expect(mistake("[1] 2")?.reason == .trailingText)
        #expect(mistake("[\n\"\\ud800\"]")?.reason == .loneSurrogate)
        #expect(mistake("[\n\"\\ud800\"]")?.line == 2)
    }

    @Test func findsDuplicatesAmongManyKeys() throws {
        let many = (0..<100).map { "\"k\($0)\":\($0)" }
        #expect(try JSONValue.parse("{" + many.joined(separator: ",") + "}").members?.count == 100)
        let twice = "{" + (many + ["\"k3\":0"]).joined(separator: ",") + "}"
        #expect(throws: JSONMistake.self) { try JSONValue.parse(twice) }
        #expect(try JSONValue.parse("{\"a\":1,\"a\":1}", limits: JSONLimits(allowsDuplicateKeys: true)).members?.count == 2)
    }

    @Test func keepsWithinLimits() throws {
        func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        func reason(_ text: String, _ limits: JSONLimits) -> JSONMistake.Reason? {
            do { _ = try JSONValue.parse(text, limits: limits) } catch { return error.reason }
            return nil
        }
        let limits = JSONLimits(depth: 10, textBytes: 8, numberLength: 5, valueBytes: 1000)
        #expect(reason(nested(10), limits) == nil)
        #expect(reason(nested(11), limits) == .tooDeep(limit: 10))
        #expect(reason(String(repeating: "[", count: 1000), limits) == .tooDeep(limit: 10))
        #expect(reason("\"12345678\"", limits) == nil)
        #expect(reason("\"123456789\"", limits) == .textTooLong(limit: 8))
        #expect(reason("{\"123456789\":1}", limits) == .textTooLong(limit: 8))
        #expect(reason("12345", limits) == nil)
        #expect(reason("123456", limits) == .numberTooLong(limit: 5))
        #expect(reason(String(repeating: " ", count: 1001), limits) == .valueTooLarge(limit: 1000))
        // The reader stops at the first levels of a million.
        #expect(reason(String(repeating: "[{\"a\":", count: 500_000), .standard) == .tooDeep(limit: 200))
    }

    /// Random bytes, and valid texts with random changes, give a value or a mistake and never a
    /// crash. A value that was read can be written.
    @Test func survivesAnything() throws {
        var generator = SeededNumbers(42)
        let alphabet = Array("[]{},:\"\\ue0123456789.+-truefalsnDd8 \n".utf8) + [0x00, 0x0C, 0x80, 0xC3, 0xED, 0xA0, 0xFF]
        let good = Array(#"{"a":[1.5e3,"\ud83d\ude39é",{"b":null}],"c":[true,false,[]],"d":"x\\"}"#.utf8)
        var accepted = 0
        for _ in 0..<20_000 {
            var bytes = Bool.random(using: &generator)
                ? (0..<Int.random(in: 0...40, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? 0 } : good
            for _ in 0..<Int.random(in: 0...3, using: &generator) where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = alphabet.randomElement(using: &generator) ?? 0
            }
            if let value = try? JSONValue.parse(bytes) {
                accepted += 1
                #expect(try JSONValue.parse(value.description) == value)
            }
        }
        #expect(accepted > 1000)
    }
}
