import Model

/// An expression of the pack's language as SQL with bound values: no external text becomes SQL.
struct ExpressionSQL {
    private(set) var bindings: [MemoryRows.Value] = []
    private var joins: PathJoins

    /// Compiles the condition and adds its joins to `joins`. SQL parameters are numbered from
    /// `first` on, since one parameter may be used twice.
    static func compile(
        _ expression: Expression, joins: inout PathJoins, on day: String, firstParameter first: Int = 1
    ) -> (sql: String, bindings: [MemoryRows.Value]) {
        var compiler = ExpressionSQL(joins: joins, first: first, day: day)
        let sql = compiler.sql(expression.byOfficeDays(over: joins.root, in: joins.pack))
        joins = compiler.joins
        return (sql, compiler.bindings)
    }

    /// Compiles the condition with its values as SQL literals instead of parameters. It is for a
    /// template's conditions, which contain no external text.
    static func literal(_ expression: Expression, joins: inout PathJoins, on day: String) -> String {
        var compiler = ExpressionSQL(joins: joins, first: 1, day: day)
        compiler.writesLiterals = true
        let sql = compiler.sql(expression.byOfficeDays(over: joins.root, in: joins.pack))
        joins = compiler.joins
        return sql
    }

    private var writesLiterals = false
    private let first: Int
    /// The day of the run in the office's time zone.
    private let day: String

    private init(joins: PathJoins, first: Int, day: String) {
        self.joins = joins
        self.day = day
        self.first = first
    }

    private mutating func bind(_ value: MemoryRows.Value) -> String {
        if writesLiterals {
            switch value {
            case .null: return "NULL"
            case .integer(let integer): return String(integer)
            case .real(let real): return String(real)
            case .text(let text): return SQLText.literal(text)
            }
        }
        bindings.append(value)
        return "?\(first + bindings.count - 1)"
    }

    private mutating func sql(_ expression: Expression) -> String {
        switch expression {
        case .text(let text): return bind(.text(text))
        case .number(let digits):
            if let integer = Int64(digits) { return bind(.integer(integer)) }
            return bind(.real(Double(digits) ?? 0))
        case .boolean(let value): return value ? "1" : "0"
        case .null: return "NULL"
        case .field(let path): return joins.column(path)
        case .not(let inner): return "(NOT \(sql(inner)))"
        case .negative(let inner): return "(-\(sql(inner)))"
        case .binary(let operation, let left, let right): return "(\(sql(left)) \(Self.text(operation)) \(sql(right)))"
        case .isIn(let inner, let items, let negated):
            let value = sql(inner)
            return "(\(value) \(negated ? "NOT IN" : "IN") (\(items.map { sql($0) }.joined(separator: ", "))))"
        case .isNull(let inner, let negated): return "(\(sql(inner)) IS \(negated ? "NOT " : "")NULL)"
        case .call(.today, _): return bind(.text(day))
        case .call(let function, let arguments): return call(function, arguments.map { sql($0) })
        }
    }

    private static func text(_ operation: Expression.Operator) -> String {
        switch operation {
        case .and: "AND"
        case .or: "OR"
        // Division is decimal, since fields often contain decimals: in the expression language 3/2
        // is 1.5.
        case .dividedBy: "* 1.0 /"
        default: operation.rawValue
        }
    }

    private func call(_ function: Expression.Function, _ arguments: [String]) -> String {
        switch function {
        case .contains: "(instr(\(arguments[0]), \(arguments[1])) > 0)"
        case .startsWith: "(substr(\(arguments[0]), 1, length(\(arguments[1]))) = \(arguments[1]))"
        case .length, .lower, .upper, .absolute, .round, .coalesce, .metres, .year, .today, .officeDay,
            .versionKey:
            "\(function.rawValue)(\(arguments.joined(separator: ", ")))"
        }
    }
}
