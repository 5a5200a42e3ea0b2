import Foundation
import Testing

@testable import Model

@Suite struct ExpressionCheckTests {
    static let works = Entity(
        name: "works",
        fields: [Field(name: "id", type: .uuid), Field(name: "code", type: .text), Field(name: "lanes", type: .integer)])
    static let pits = Entity(
        name: "pits",
        fields: [
            Field(name: "id", type: .uuid), Field(name: "work_id", type: .uuid, references: "works"),
            Field(name: "status", type: .text),
            Field(name: "depth_m", type: .decimal), Field(name: "is_wet", type: .boolean), Field(name: "dug_on", type: .date),
            Field(name: "photo_ids", type: .list, references: "works"),
        ])
    static let pack = Pack(
        name: "p", version: "1.0.0", fingerprint: "", directory: URL(fileURLWithPath: "/"), languages: [.english], environments: [],
        timeZone: "UTC", privacyClasses: ["public"], roles: [], project: ProjectNaming(entity: "works", code: "code", name: "code"),
        entities: [works, pits], vocabularies: [], records: [], numberings: [], rules: [], exports: [], jobs: [], texts: Texts())

    private func mistakes(_ source: String) throws -> [ExpressionCheck.Mistake] {
        ExpressionCheck.mistakes(inCondition: try ExpressionParser.parse(source), over: Self.pits, of: Self.pack, knowsDay: false)
    }

    @Test(arguments: [
        "depth_m >= 1.5", "status = 'A' and not is_wet", "is_wet", "is_wet = true", "work_id.lanes * 2 + 1 < depth_m / 2",
        "dug_on >= '2025-01-01'", "year(dug_on) = 2025", "status in ('A', 'B') or status is null", "coalesce(depth_m, 0) > abs(-1)",
        "length(work_id.code) = 5", "contains(lower(status), 'x')", "starts_with(photo_ids, '[')", "metres(status) > 100",
        "round(depth_m, 1) != round(depth_m)", "coalesce(null, is_wet)", "work_id is not null",
    ])
    func acceptsConditions(_ source: String) throws {
        #expect(try mistakes(source) == [])
    }

    @Test(arguments: [
        (
            "depht_m > 1",
            [ExpressionCheck.Mistake.Reason.unknownField(name: "depht_m", entity: "pits", known: pits.fields.map(\.name))]
        ),
        ("work_id.cod = 'x'", [.unknownField(name: "cod", entity: "works", known: ["id", "code", "lanes"])]),
        ("status.code = 'x'", [.notReference(name: "status", entity: "pits")]),
        ("photo_ids.code = 'x'", [.notReference(name: "photo_ids", entity: "pits")]),
        ("depth_m = '1.5'", [.mismatch(left: .number, right: .text)]),
        ("status in ('A', 1, true)", [.mismatch(left: .text, right: .number), .mismatch(left: .text, right: .boolean)]),
        ("is_wet = 1", [.mismatch(left: .boolean, right: .number)]),
        ("is_wet < true", [.wrongOperand(of: "<", expected: .number, found: .boolean)]),
        ("status + 1 > 2", [.wrongOperand(of: "+", expected: .number, found: .text)]),
        ("-status > 2", [.wrongOperand(of: "-", expected: .number, found: .text)]),
        ("not depth_m", [.wrongOperand(of: "not", expected: .boolean, found: .number)]),
        (
            "status and depth_m",
            [
                .wrongOperand(of: "and", expected: .boolean, found: .text),
                .wrongOperand(of: "and", expected: .boolean, found: .number),
            ]
        ),
        ("length(depth_m) > 1", [.wrongOperand(of: "length", expected: .text, found: .number)]),
        ("coalesce(depth_m, 'x') > 1", [.wrongOperand(of: "coalesce", expected: .number, found: .text)]),
        ("status < today()", [.noDay]), ("office_day(status) = 'x'", [.noDay]),
        ("status = null", [.comparedWithNull]),
        ("null != status", [.comparedWithNull]),
        ("status in ('A', null)", [.comparedWithNull]),
        ("depth_m", [.notCondition(found: .number)]),
        ("'x'", [.notCondition(found: .text)]),
        ("null", [.notCondition(found: .unknown)]),
        // A mistake must not cause further ones. So its result has an unknown type, which fits
        // everywhere.
        (
            "depht_m + 1 > 'x' or nothing",
            [
                .unknownField(name: "depht_m", entity: "pits", known: pits.fields.map(\.name)),
                .mismatch(left: .number, right: .text),
                .unknownField(name: "nothing", entity: "pits", known: pits.fields.map(\.name)),
            ]
        ),
    ])
    func findsEveryMistake(_ source: String, _ reasons: [ExpressionCheck.Mistake.Reason]) throws {
        #expect(try mistakes(source).map(\.reason) == reasons)
    }

    @Test func mistakesNameTheWrongPart() throws {
        #expect(try mistakes("status = 'A' and (depth_m  >  'x')").map(\.part) == ["depth_m > 'x'"])
    }

    @Test func typesOfValues() throws {
        for (source, type) in [
            ("depth_m * 2", ExpressionCheck.ValueType.number), ("upper(status)", .text), ("is_wet or true", .boolean),
            ("null", .unknown),
        ] {
            let found = ExpressionCheck.type(of: try ExpressionParser.parse(source), over: Self.pits, in: Self.pack)
            #expect(found.type == type && found.mistakes.isEmpty)
        }
    }

    @Test(arguments: [
        ("depth_m >", "EXPRESSION-END"), ("depth_m ? 1", "EXPRESSION-UNEXPECTED"), ("status = 'x", "EXPRESSION-QUOTE"),
        ("foo(1)", "EXPRESSION-FUNCTION"), ("length()", "EXPRESSION-ARGUMENTS"), ("deep > 1", "EXPRESSION-FIELD"),
        ("status.x = 1", "EXPRESSION-REFERENCE"), ("depth_m = 'x'", "EXPRESSION-TYPE"), ("-status = 1", "EXPRESSION-OPERAND"),
        ("status = null", "EXPRESSION-NULL"), ("status", "EXPRESSION-CONDITION"),
        (String(repeating: "(", count: 200), "EXPRESSION-LIMIT"),
    ])
    func aConditionFromOutsideFailsWithItsCode(_ source: String, _ code: String) {
        let failure = #expect(throws: ExpressionFailure.self) {
            try ExpressionFailure.condition(source, over: Self.pits, of: Self.pack)
        }
        #expect(failure?.code == code && failure?.exitCode == .usage)
        #expect(failure?.arguments["expression"] == source)
    }

    @Test func anUnknownNameComesWithWhatThereIs() {
        let failure = #expect(throws: ExpressionFailure.self) {
            try ExpressionFailure.condition("work_id.name = 'x'", over: Self.pits, of: Self.pack)
        }
        #expect(failure?.arguments["known"] == "id, code, lanes" && failure?.arguments["entity"] == "works")
    }

    @Test func aGoodConditionIsGivenBack() throws {
        let condition = try ExpressionFailure.condition("depth_m > 1", over: Self.pits, of: Self.pack)
        #expect(condition == .binary(.greater, .field(FieldPath("depth_m")), .number("1")))
    }
}
