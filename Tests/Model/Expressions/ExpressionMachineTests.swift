import Testing
import Workbench

@testable import Model

@Suite struct ExpressionMachineTests {
    /// The row on which all these expressions run.
    private static let columns: [(name: String, type: String, value: MemoryRows.Value)] = [
        ("i", "INTEGER", .integer(7)), ("k", "INTEGER", .integer(-3)), ("z", "INTEGER", .integer(0)), ("r", "REAL", .real(2.5)),
        ("s", "REAL", .real(-0.125)), ("big", "INTEGER", .integer(9_007_199_254_740_993)), ("bigr", "REAL", .real(9_007_199_254_740_992)),
        ("t", "TEXT", .text("Ñandú abc")), ("u", "TEXT", .text("abc")), ("e", "TEXT", .text("")), ("n", "REAL", .null), ("m", "TEXT", .null),
    ]

    private func evaluate(_ text: String) throws -> MemoryRows.Value {
        try evaluate(ExpressionParser.parse(text))
    }

    private func evaluate(_ expression: Expression) throws -> MemoryRows.Value {
        var batch = RowBatch(columnCount: Self.columns.count)
        MemoryRows(columnCount: Self.columns.count, rows: [Self.columns.map(\.value)]).fill(&batch)
        let program = try ExpressionProgram(expression, on: "2026-03-01") { path in Self.columns.firstIndex { $0.name == path.description } }
        var machine = ExpressionMachine()
        return machine.result(of: program, cells: batch.cells, at: 0, text: batch.text)
    }

    @Test func threeValuedLogic() throws {
        let words: [(String, MemoryRows.Value)] = [("1 = 1", .integer(1)), ("1 = 2", .integer(0)), ("n = 1", .null)]
        let and: [MemoryRows.Value] = [.integer(1), .integer(0), .null, .integer(0), .integer(0), .integer(0), .null, .integer(0), .null]
        let or: [MemoryRows.Value] = [.integer(1), .integer(1), .integer(1), .integer(1), .integer(0), .null, .integer(1), .null, .null]
        for (first, left) in words.enumerated() {
            for (second, right) in words.enumerated() {
                #expect(try evaluate("\(left.0) and \(right.0)") == and[first * 3 + second])
                #expect(try evaluate("\(left.0) or \(right.0)") == or[first * 3 + second])
            }
        }
        #expect(try evaluate("not n = 1") == .null)
        #expect(try evaluate("not 1 = 2") == .integer(1))
    }

    @Test(arguments: [
        ("metres('12+300')", MemoryRows.Value.real(12300)), ("metres('0+045.50')", .real(45.5)), ("metres('1+5')", .null), ("metres('x')", .null),
        ("metres('1+0005')", .null), ("metres('1+000.')", .null), ("metres(m)", .null), ("metres('')", .null), ("metres('12+300') = 12300", .integer(1)),
        ("year('2024-02-29')", .integer(2024)), ("year('2024')", .null), ("version_key('100.10') > version_key('100.9.9')", .integer(1)), ("version_key('1.0') = version_key('1')", .integer(1)), ("version_key('1.x')", .null), ("year('20x4-01-01')", .null), ("contains(t, 'abc')", .integer(1)),
        ("contains(t, 'x')", .integer(0)), ("contains(t, '')", .integer(1)), ("contains('ab', 'abc')", .integer(0)), ("contains(t, m)", .null),
        ("starts_with(t, 'Ñan')", .integer(1)), ("starts_with(t, 'abc')", .integer(0)), ("starts_with(lower(u), upper('abc'))", .integer(0)),
        ("contains(lower('XABCX'), lower('ABC'))", .integer(1)), ("coalesce(n, m, i)", .integer(7)), ("coalesce(n, m)", .null),
        ("today()", .text("2026-03-01")), ("today() > '2026-02-28'", .integer(1)), ("year(today()) = 2026", .integer(1)),
        ("true", .integer(1)), ("i in (1, n, 7)", .integer(1)), ("i in (1, n)", .null), ("i not in (1, n)", .null), ("n in (1)", .null),
    ])
    func functions(_ text: String, _ expected: MemoryRows.Value) throws {
        #expect(try evaluate(text) == expected, "\(text)")
    }

    @Test func anUnknownNameIsReported() {
        #expect(throws: ExpressionProgram.UnknownPath(path: FieldPath("a.b"))) {
            try ExpressionProgram(ExpressionParser.parse("a.b = 1")) { _ in nil }
        }
    }

    /// Random expressions give the same values as in SQLite.
    @Test func agreesWithSQLite() throws {
        let source = try PlainDatabase()
        try source.run("CREATE TABLE x (\(Self.columns.map { "\($0.name) \($0.type)" }.joined(separator: ", ")))")
        let values = Self.columns.map { column in
            switch column.value {
            case .null: "NULL"
            case .integer(let value): String(value)
            case .real(let value): String(value)
            case .text(let text): "'\(text)'"
            }
        }
        try source.run("INSERT INTO x VALUES (\(values.joined(separator: ", ")))")
        var generator = SeededNumbers(3)
        var unknown = 0
        for _ in 0..<5000 {
            let text = condition(4, &generator)
            let ours = try evaluate(text)
            let theirs = try source.value("SELECT \(text.replacing("contains(", with: "0 < instr(")) FROM x")
            #expect(agree(ours, theirs), "\(text): \(ours), SQLite \(theirs)")
            if ours == .null { unknown += 1 }
        }
        #expect((200..<4500).contains(unknown))
        for _ in 0..<3000 {
            let text = number(4, &generator)
            #expect(agree(try evaluate(text), try source.value("SELECT \(text) FROM x")), "\(text)")
        }
    }

    private func agree(_ ours: MemoryRows.Value, _ theirs: MemoryRows.Value) -> Bool {
        if case .real(let first) = ours, case .real(let second) = theirs { return first == second || abs(first - second) <= abs(first) * 1e-14 }
        return ours == theirs
    }

    private func condition(_ depth: Int, _ generator: inout SeededNumbers) -> String {
        if depth == 0 { return "\(number(0, &generator)) \(comparison(&generator)) \(number(0, &generator))" }
        switch Int.random(in: 0..<9, using: &generator) {
        case 0, 1: return "(\(condition(depth - 1, &generator)) and \(condition(depth - 1, &generator)))"
        case 2, 3: return "(\(condition(depth - 1, &generator)) or \(condition(depth - 1, &generator)))"
        case 4: return "not (\(condition(depth - 1, &generator)))"
        case 5: return "\(number(depth - 1, &generator)) \(comparison(&generator)) \(number(depth - 1, &generator))"
        case 6: return "\(word(depth - 1, &generator)) \(comparison(&generator)) \(word(depth - 1, &generator))"
        case 7:
            let items = (0..<3).map { _ in number(0, &generator) }.joined(separator: ", ")
            return "\(number(depth - 1, &generator)) \(Bool.random(using: &generator) ? "not in" : "in") (\(items))"
        default:
            return Bool.random(using: &generator)
                ? "\(word(depth - 1, &generator)) is \(Bool.random(using: &generator) ? "not " : "")null"
                : "contains(\(word(depth - 1, &generator)), \(word(0, &generator)))"
        }
    }

    private func comparison(_ generator: inout SeededNumbers) -> String {
        ["=", "!=", "<", "<=", ">", ">="].randomElement(using: &generator) ?? "="
    }

    private func number(_ depth: Int, _ generator: inout SeededNumbers) -> String {
        if depth == 0 {
            let names = ["i", "k", "z", "r", "s", "big", "bigr", "n", "0", "7", "2.5", "1.005", "9007199254740993", "9223372036854775807", "null"]
            return names.randomElement(using: &generator) ?? "0"
        }
        let inner = number(depth - 1, &generator)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: return "(\(inner) + \(number(depth - 1, &generator)))"
        case 1: return "(\(inner) - \(number(depth - 1, &generator)))"
        case 2: return "(\(inner) * \(number(depth - 1, &generator)))"
        case 3: return "(\(inner) / \(number(depth - 1, &generator)))"
        case 4: return "(- \(inner))"
        case 5: return "coalesce(\(inner), \(number(depth - 1, &generator)))"
        case 6: return "length(\(word(depth - 1, &generator)))"
        default: return inner
        }
    }

    private func word(_ depth: Int, _ generator: inout SeededNumbers) -> String {
        if depth == 0 { return ["t", "u", "e", "m", "'abc'", "'ABC'", "'Ñandú'", "'a''b'"].randomElement(using: &generator) ?? "t" }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: return "lower(\(word(depth - 1, &generator)))"
        case 1: return "upper(\(word(depth - 1, &generator)))"
        case 2: return "coalesce(\(word(depth - 1, &generator)), \(word(depth - 1, &generator)))"
        default: return word(0, &generator)
        }
    }

    @Test func roundingAndAbsoluteValuesAgreeWithSQLite() throws {
        let source = try PlainDatabase()
        for text in [
            "round(2.5)", "round(-2.5)", "round(1.005, 2)", "round(2.675, 2)", "round(1.125, 2)", "round(0.285, 2)", "round(7)", "round(-0.4)",
            "round(123456.789, 1)", "round(null)", "round(1.5, null)", "abs(-3)", "abs(-2.5)", "abs(null)", "7 / 2", "7 / 2.0", "-7 / 2",
            "1 / 0", "1.0 / 0", "9223372036854775807 + 1",
        ] {
            let (ours, theirs) = (try evaluate(text), try source.value("SELECT \(text)"))
            #expect(agree(ours, theirs), "\(text): \(ours), SQLite \(theirs)")
        }
    }
}
