import Testing
import Workbench

@testable import Model

@Suite struct ExpressionParserTests {
    private static func field(_ path: String) -> Expression { .field(FieldPath(path)) }
    private static func number(_ digits: String) -> Expression { .number(digits) }

    @Test(arguments: [
        ("a or b and c", Expression.binary(.or, field("a"), .binary(.and, field("b"), field("c")))),
        ("a and b or c", .binary(.or, .binary(.and, field("a"), field("b")), field("c"))),
        ("(a or b) and c", .binary(.and, .binary(.or, field("a"), field("b")), field("c"))),
        ("not a = 1", .not(.binary(.equal, field("a"), number("1")))),
        ("not a and b", .binary(.and, .not(field("a")), field("b"))),
        ("not not a", .not(.not(field("a")))),
        ("1 - 2 - 3", .binary(.minus, .binary(.minus, number("1"), number("2")), number("3"))),
        ("1 + 2 * 3", .binary(.plus, number("1"), .binary(.times, number("2"), number("3")))),
        ("-a * b", .binary(.times, .negative(field("a")), field("b"))),
        ("-(a + b)", .negative(.binary(.plus, field("a"), field("b")))),
        (
            "a+1>=b/2",
            .binary(.greaterOrEqual, .binary(.plus, field("a"), number("1")), .binary(.dividedBy, field("b"), number("2")))
        ),
        ("a_id.b_id.c != 'it''s'", .binary(.notEqual, field("a_id.b_id.c"), .text("it's"))),
        ("a in ('x', 'y')", .isIn(field("a"), [.text("x"), .text("y")], negated: false)),
        ("a not in (1)", .isIn(field("a"), [number("1")], negated: true)),
        ("a is null", .isNull(field("a"), negated: false)),
        ("a is not null and b", .binary(.and, .isNull(field("a"), negated: true), field("b"))),
        ("starts_with(lower(a), 'c')", .call(.startsWith, [.call(.lower, [field("a")]), .text("c")])),
        ("round(a, 2) = 1.50", .binary(.equal, .call(.round, [field("a"), number("2")]), number("1.50"))),
        ("true = false", .binary(.equal, .boolean(true), .boolean(false))),
        ("null", .null),
        ("order", field("order")),
        ("  a\n=\t1 ", .binary(.equal, field("a"), number("1"))),
        ("año = 1", .binary(.equal, field("año"), number("1"))),
    ])
    func reads(_ source: String, _ expected: Expression) throws {
        #expect(try ExpressionParser.parse(source) == expected)
    }

    @Test func numbersKeepTheirDigits() throws {
        #expect(try ExpressionParser.parse("0.10") == .number("0.10"))
        #expect(try ExpressionParser.parse("12345678901234567890") == .number("12345678901234567890"))
    }

    @Test(arguments: [
        ("", ExpressionParser.Mistake.Reason.unexpectedEnd, 0),
        ("a =", .unexpectedEnd, 3),
        ("a = 'x", .unclosedText, 4),
        ("a == 1", .unexpected("="), 3),
        ("a = 1 b", .unexpected("b"), 6),
        ("a = 1)", .unexpected(")"), 5),
        ("(a = 1", .unexpectedEnd, 6),
        ("a & b", .unexpected("&"), 2),
        ("a = \"x\"", .unexpected("\""), 4),
        ("a < b < c", .unexpected("<"), 6),
        ("and", .unexpected("and"), 0),
        ("a AND b", .unexpected("AND"), 2),
        ("a is 1", .unexpected("1"), 5),
        ("a in ()", .unexpected(")"), 6),
        ("a in 1", .unexpected("1"), 5),
        ("1.2.3", .unexpected("1.2.3"), 0),
        ("a.", .unexpected("a."), 0),
        ("1 + a..b", .unexpected("a..b"), 4),
        ("foo(1)", .unknownFunction("foo"), 0),
        ("1 = length()", .wrongArgumentCount(function: "length", expected: "1"), 4),
        ("round(1, 2, 3)", .wrongArgumentCount(function: "round", expected: "1–2"), 0),
        ("a = 'x' 'y'", .unexpected("'y'"), 8),
    ])
    func saysWhereAMistakeIs(_ source: String, _ reason: ExpressionParser.Mistake.Reason, _ offset: Int) {
        let mistake = #expect(throws: ExpressionParser.Mistake.self) { try ExpressionParser.parse(source) }
        #expect(mistake?.reason == reason)
        #expect(mistake?.offset == offset)
    }

    @Test(arguments: ["(", "not ", "-", "length("]) func depthIsBounded(_ opening: String) {
        let source = String(repeating: opening, count: 1200) + "a"
        let mistake = #expect(throws: ExpressionParser.Mistake.self) { try ExpressionParser.parse(source) }
        #expect(mistake?.reason == .tooDeep)
    }

    @Test func lengthIsBounded() {
        let mistake = #expect(throws: ExpressionParser.Mistake.self) {
            try ExpressionParser.parse(String(repeating: "a", count: 10_001))
        }
        #expect(mistake?.reason == .tooLong)
    }

    /// A longer chain ended the program when something walked through it.
    @Test(arguments: [" + 1", " * 1", " or a", " and a", " = 1 or a"]) func operatorsAreBounded(_ link: String) throws {
        func chain(_ count: Int) -> String { "a" + String(repeating: link, count: count) }
        let each = link.hasPrefix(" = ") ? 2 : 1
        let expression = try ExpressionParser.parse(chain(500 / each))
        #expect(expression.description.count > 500)
        let mistake = #expect(throws: ExpressionParser.Mistake.self) { try ExpressionParser.parse(chain(501 / each + 1)) }
        #expect(mistake?.reason == .tooDeep)
    }

    @Test func longListsAreFine() throws {
        let list = "a in (" + (0..<2000).map(String.init).joined(separator: ",") + ")"
        #expect(try ExpressionParser.parse(list).description.count > 2000)
    }

    @Test func fieldPathsComeInOrder() throws {
        let expression = try ExpressionParser.parse("b.c = a and not x in (y, 1) or coalesce(d, 'e') is null")
        #expect(expression.fieldPaths.map(\.description) == ["b.c", "a", "x", "y", "d"])
    }

    /// For expressions of every form, the written text parses to the same expression.
    @Test(arguments: 0..<200) func writesWhatItReads(_ seed: UInt64) throws {
        var random = SeededNumbers(seed)
        for _ in 0..<20 {
            let expression = Self.condition(depth: 4, &random)
            let text = expression.description
            #expect(try ExpressionParser.parse(text) == expression, "\(text)")
        }
    }

    @Test(arguments: [
        ("((a))", "a"), ("a or (b and c)", "a or b and c"), ("(a or b) and c", "(a or b) and c"), ("1-(2-3)", "1 - (2 - 3)"),
        ("(1-2)-3", "1 - 2 - 3"), ("not (a = 1)", "not a = 1"), ("(not a) = true", "(not a) = true"), ("- - 1", "--1"),
        ("a in ('it''s',(1+2))", "a in ('it''s', 1 + 2)"),
    ])
    func writesNoNeedlessParentheses(_ source: String, _ expected: String) throws {
        #expect(try ExpressionParser.parse(source).description == expected)
    }

    private static func condition(depth: Int, _ random: inout SeededNumbers) -> Expression {
        let leaves: [Expression] = [
            .text("it's"), .text(""), .number("1.50"), .number("7"), .boolean(true), .null, field("a"), field("b_id.c"),
        ]
        guard depth > 0 else { return leaves.randomElement(using: &random) ?? .null }
        func inner() -> Expression { condition(depth: depth - 1, &random) }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return leaves.randomElement(using: &random) ?? .null
        case 1: return .not(inner())
        case 2: return .negative(inner())
        case 3, 4: return .binary(Expression.Operator.allCases.randomElement(using: &random) ?? .and, inner(), inner())
        case 5: return .isIn(inner(), [inner(), inner()], negated: Bool.random(using: &random))
        case 6: return .isNull(inner(), negated: Bool.random(using: &random))
        default:
            let function = Expression.Function.allCases.randomElement(using: &random) ?? .lower
            return .call(function, (0..<function.argumentCounts.lowerBound).map { _ in inner() })
        }
    }
}
