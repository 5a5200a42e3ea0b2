import Testing
import Workbench
@testable import JSONReading

@Suite struct JSONDocumentTests {
    /// The value that the tokens stand for.
    private func value(_ document: JSONDocument, _ token: Int = 0) -> JSONValue {
        let at = document.tokens[token]
        let text = String(decoding: document.bytes[at.range], as: UTF8.self)
        switch at.kind {
        case .null: return .null
        case .no: return .bool(false)
        case .yes: return .bool(true)
        case .number: return .number(text)
        case .string: return .string(text)
        case .array:
            var items: [JSONValue] = []
            var item = token + 1
            while item < at.end {
                items.append(value(document, item))
                item = document.tokens[item].end
            }
            #expect(items.count == at.count)
            return .array(items)
        case .object:
            var members: [JSONValue.Member] = []
            var key = token + 1
            while key < at.end {
                members.append(.init(key: String(decoding: document.bytes[document.tokens[key].range], as: UTF8.self), value: value(document, key + 1)))
                key = document.tokens[key + 1].end
            }
            #expect(members.count == at.count)
            return .object(members)
        }
    }

    @Test(arguments: [
        "null", " [ ] ", "{}", "[[],{},\"\"]", #"{"a":1,"b":[true,false,null],"c":{"d":-1.50e+3}}"#, #""\u00e1\uD83D\uDE00\n\"\\\/""#,
        #"{"\u0061b":"x","ä":"€😀"}"#, "0", "-0.5",
    ])
    func readsWhatIsWritten(_ text: String) throws {
        var document = JSONDocument()
        try document.read(Array(text.utf8))
        #expect(value(document) == (try JSONValue.parse(text)))
        // The text stands in the middle of other bytes and is read a second time.
        try document.read([0x7D] + Array(text.utf8) + [0x7B], in: 1..<(text.utf8.count + 1))
        #expect(value(document) == (try JSONValue.parse(text)))
    }

    /// Both readers of JSON accept and refuse the same texts. The texts are valid ones that are
    /// changed at random.
    @Test func agreesWithTheOtherReader() {
        var generator = SeededNumbers(5)
        let alphabet = Array("[]{},:\"\\u0e19+-.tfnrals \n\u{1}\u{FF}".utf8) + [0xC3, 0xA9, 0xED, 0xA0, 0x80]
        let seeds = [#"{"a":[1.5e-3,"\u00e1x",{"b":null}],"c":[true,false,[]],"d":"é\\","a":{"a":1}}"#, "[[0,1.5],[2,3]]", "\"\\uD83D\\uDE00\""]
        var accepted = 0
        for _ in 0..<20_000 {
            var text = Array((seeds.randomElement(using: &generator) ?? "").utf8)
            generator.damage(&text, with: alphabet)
            let limits = JSONLimits(allowsDuplicateKeys: Bool.random(using: &generator))
            var document = JSONDocument()
            let isRead = (try? document.read(text, limits: limits)) != nil
            let other = try? JSONValue.parse(text, limits: limits)
            #expect(isRead == (other != nil), "\(String(decoding: text, as: UTF8.self))")
            guard isRead, let other else { continue }
            accepted += 1
            if !limits.allowsDuplicateKeys { #expect(value(document) == other) }
        }
        #expect((2000..<18_000).contains(accepted))
    }

    @Test func theFirstOfTwoEqualKeysCounts() throws {
        var document = JSONDocument()
        let limits = JSONLimits(allowsDuplicateKeys: true)
        try document.read(Array(#"{"a":1,"a":{"a":[2,{"a":3}]},"b":{"c":4,"c":5},"a":6}"#.utf8), limits: limits)
        #expect(value(document).description == #"{"a":1,"b":{"c":4}}"#)
        // A few members are compared one by one, many by their keys in a set.
        for distinct in [20, 100] {
            let many = "{" + (0..<2 * distinct).map { "\"k\($0 % distinct)\":\($0)" }.joined(separator: ",") + "}"
            try document.read(Array(many.utf8), limits: limits)
            #expect(document.tokens[0].count == distinct)
            #expect(throws: JSONMistake.self) { try document.read(Array(many.utf8)) }
        }
        #expect(document.tokens.isEmpty)
    }

    @Test(arguments: [
        (#"{"a":1,"a":2}"#, "duplicate"), (String(repeating: "[", count: 300), "deep"), (String(repeating: "[", count: 300_000), "deep"),
        ("[1," , "end"), ("1 2", "trailing"), (#""\uD800""#, "surrogate"), ("[\n 1,\n x]", "malformed"), (String(repeating: "1", count: 500), "long"),
        ("NaN", "malformed"), ("Infinity", "malformed"), ("01", "malformed"), ("", "end"),
    ])
    func whatIsRefused(_ text: String, _ kind: String) {
        var document = JSONDocument()
        let mistake = #expect(throws: JSONMistake.self) { try document.read(Array(text.utf8)) }
        let found =
            switch mistake?.reason {
            case .duplicateKey?: "duplicate"
            case .tooDeep?: "deep"
            case .unexpectedEnd?: "end"
            case .trailingText?: "trailing"
            case .loneSurrogate?: "surrogate"
            case .numberTooLong?: "long"
            default: "malformed"
            }
        #expect(found == kind)
        if text.contains("x") { #expect(mistake?.line == 3) }
    }
}
