import Model
import SQLReading
import Testing

@testable import Importing
@testable import Suggesting

/// Conditions of forms and databases become keys of fields or expressions of packs, and what
/// cannot be said becomes neither.
struct ConditionTests {
    private let fields = [
        DraftField("depth_m", .decimal, source: "depth"), DraftField("water", .decimal, source: "water"), DraftField("kind", .text, source: "kind"),
        DraftField("problems", .list, source: "problems"), DraftField("day", .date, source: "day"),
    ]

    private func names(_ own: String?) -> ConditionTerm.Names { .init(own: own) { source in fields.first { $0.source == source } } }

    @Test(arguments: [
        ("${depth} > ${water}", "depth_m > water"), (". <= ${depth}", "water <= depth_m"), ("${kind} = 'well' and not(${depth} < 1.5)", "kind = 'well' and not depth_m < 1.5"),
        ("selected(${kind}, 'well') or ${kind} = ''", "kind = 'well' or kind is null"), ("(${depth} + 1) * 2 >= .", "(depth_m + 1) * 2 >= water"),
        ("${depth} - (${water} - 1) > 0", "depth_m - (water - 1) > 0"), ("${depth} div 2 != -1", "depth_m / 2 != -1"), (". <= today()", "water <= today()"),
        ("string-length(${kind}) > 3", "length(kind) > 3"), ("${kind} != ''", "kind is not null"), ("${kind} = ‘a’", "kind = 'a'"), ("${kind} = \"it's\"", "kind = 'it''s'"),
        ("(${depth} > 1 or ${water} > 1) and ${depth} < 9", "(depth_m > 1 or water > 1) and depth_m < 9"), ("true()", "true"), ("${depth} > .5", "depth_m > 0.5"),
    ])
    func aConditionOfAFormIsAnExpression(_ form: String, _ expression: String) throws {
        let term = try #require(FormCondition.term(form))
        #expect(term.expression(names("water")) == expression)
        _ = try ExpressionParser.parse(expression)
    }

    @Test(arguments: [
        "selected(${problems}, 'dry')", "${nobody} > 1", "count(${depth}) > 1", "../depth > 1", "${depth} >", "if(${depth} > 1, 1, 2) = 1", "regex(${kind}, 'a.*')", "${depth} mod 2 = 0", "current()/../x",
        "${depth} > 1 and", "once(uuid())", String(repeating: "(", count: 5_000) + "1" + String(repeating: ")", count: 5_000),
    ])
    func whatCannotBeSaidIsNoExpression(_ form: String) {
        #expect(FormCondition.term(form)?.expression(names("water")) == nil)
    }

    @Test(arguments: [
        ("depth > water", "depth_m > water"), ("(depth)::numeric >= (0)::numeric", "depth_m >= 0"), ("kind = ANY (ARRAY['a'::text, 'b'::text])", "kind in ('a', 'b')"),
        ("(kind)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying(3)])::text[])", "kind in ('a', 'b')"), ("depth BETWEEN 1 AND 5 OR water IS NOT NULL", "depth_m >= 1 and depth_m <= 5 or not water is null"),
        ("kind NOT IN ('a')", "not kind in ('a')"), ("kind LIKE '%x%'", "contains(kind, 'x')"), ("kind LIKE 'x%'", "starts_with(kind, 'x')"), ("NOT (depth <> 1)", "not depth_m != 1"),
    ])
    func aCheckOfADatabaseIsAnExpression(_ check: String, _ expression: String) throws {
        let term = try #require(ConditionParser.term(try SQLTokens(check).tokens))
        #expect(term.expression(names(nil)) == expression)
        _ = try ExpressionParser.parse(expression)
    }

    @Test(arguments: ["kind LIKE 'a_b%'", "kind ILIKE 'a%'", "depth > (SELECT 1)", "kind ~~ 'a'", "depth IS DISTINCT FROM 1", "x.depth > 1"])
    func whatADatabaseAloneCanSayIsNoTerm(_ check: String) throws {
        #expect(ConditionParser.term(try SQLTokens(check).tokens)?.expression(names(nil)) == nil)
    }

    /// Long conditions are programs: what walks through a term calls itself for each piece.
    @Test(arguments: [" and a = 1", " or a = 1", " - -", " + 1"]) func aConditionWithoutEndIsNoTerm(_ more: String) throws {
        func text(_ name: String) -> String { name + " = 1" + String(repeating: more.replacing("a =", with: name + " ="), count: 20_000) + " 1" }
        #expect(ConditionParser.term(try SQLTokens(text("a")).tokens) == nil)
        #expect(FormCondition.term(text("${a}")) == nil)
    }

    @Test func aPatternThatIsNotWholeIsSearched() throws {
        #expect(try limited(.text, "f ~ '^a|b$'", searches: true).0.pattern == "[\\s\\S]*(?:^a|b$)[\\s\\S]*")
        #expect(try ConditionParser.term(SQLTokens("kind LIKE '100\\%'").tokens) == nil, "a mark that stands for itself")
        #expect(try SQLTokens("1e3").tokens == [.number("1e3")] && ConditionTerm.number("1e3").expression(names(nil)) == nil)
    }

    /// A check holds for what is missing.
    @Test(arguments: ["f <> ''", "f IS NULL OR f <> ''"]) func aTextThatIsNotBlankIsNotRequired(_ check: String) throws {
        let (field, rest) = try limited(.text, check)
        #expect(!field.isRequired && rest == 0)
    }

    private func limited(_ type: FieldType, _ check: String, searches: Bool = false) throws -> (DraftField, rest: Int) {
        var field = DraftField("f", type, source: "f")
        let term = try #require(ConditionParser.term(try SQLTokens(check).tokens))
        let rest = DraftLimits.add(term, to: &field, searches: searches) { $0 == .field("f") }
        return (field, rest.count)
    }

    @Test func boundsBecomeKeysOfTheField() throws {
        var (field, rest) = try limited(.integer, "f > 0 AND f < 10 AND 3 <= f")
        #expect((field.minimum, field.maximum, rest) == (3, 9, 0))
        (field, rest) = try limited(.decimal, "f > 0 AND f <= 10")
        #expect((field.minimum, field.maximum, rest) == (nil, 10, 1), "there is no next decimal after 0")
        (field, rest) = try limited(.text, "length(f) <= 5 AND char_length(f) > 1 AND f ~ '^[A-Z]+$'", searches: true)
        #expect((field.minimumLength, field.maximumLength, field.pattern, rest) == (2, 5, "^[A-Z]+$", 0))
        (field, rest) = try limited(.text, "f ~ '@' OR f = 'x'", searches: true)
        #expect(field.pattern == nil && rest == 1)
        (field, rest) = try limited(.text, "f IS NULL OR f ~ '@'", searches: true)
        #expect(field.pattern == "[\\s\\S]*(?:@)[\\s\\S]*" && rest == 0, "SQL searches, the pack matches the whole")
        (field, rest) = try limited(.text, "f IS NOT NULL AND f <> '' AND f ~ '('")
        #expect(field.isRequired && field.pattern == nil && rest == 1, "a pattern that is none stays a check")
    }
}
