/// Arithmetic as in SQLite: integers remain integers while they fit, and an undefined result is
/// null.
enum ExpressionArithmetic {
    static func apply(_ operation: Expression.Operator, _ left: ExpressionValue, _ right: ExpressionValue)
        -> ExpressionValue
    {
        guard left.isNumber, right.isNumber else { return .null }
        if left.kind == .integer, right.kind == .integer, let exact = exact(operation, left.integer, right.integer) {
            return exact
        }
        let (first, second) = (left.number, right.number)
        switch operation {
        case .plus: return .real(first + second)
        case .minus: return .real(first - second)
        case .times: return .real(first * second)
        default: return second == 0 ? .null : .real(first / second)
        }
    }

    /// The result of two integers; nil when it does not fit.
    private static func exact(_ operation: Expression.Operator, _ left: Int64, _ right: Int64) -> ExpressionValue? {
        let result: (partialValue: Int64, overflow: Bool)
        switch operation {
        case .plus: result = left.addingReportingOverflow(right)
        case .minus: result = left.subtractingReportingOverflow(right)
        case .times: result = left.multipliedReportingOverflow(by: right)
        default:
            if right == 0 { return .null }
            result = left.dividedReportingOverflow(by: right)
        }
        return result.overflow ? nil : .integer(result.partialValue)
    }

    static func negative(_ value: ExpressionValue) -> ExpressionValue {
        switch value.kind {
        case .integer: value.integer == .min ? .real(-Double(value.integer)) : .integer(-value.integer)
        case .real: .real(-value.real)
        default: .null
        }
    }

    static func absolute(_ value: ExpressionValue) -> ExpressionValue {
        switch value.kind {
        case .integer: value.integer == .min ? .null : .integer(abs(value.integer))
        case .real: .real(abs(value.real))
        default: .null
        }
    }

    /// -1, 0 or 1; exact even if an integer has more digits than a real can hold.
    @inline(__always)
    static func order(_ left: ExpressionValue, _ right: ExpressionValue) -> Int {
        if left.kind == .integer, right.kind == .integer {
            return left.integer == right.integer ? 0 : left.integer < right.integer ? -1 : 1
        }
        if left.kind == .real, right.kind == .real {
            return left.real == right.real ? 0 : left.real < right.real ? -1 : 1
        }
        return left.kind == .integer ? order(left.integer, right.real) : -order(right.integer, left.real)
    }

    private static func order(_ integer: Int64, _ real: Double) -> Int {
        if abs(real) < 0x1p52 || integer.magnitude < 1 << 53 {
            let number = Double(integer)
            return number == real ? 0 : number < real ? -1 : 1
        }
        if real >= 0x1p63 { return -1 }
        if real < -0x1p63 { return 1 }
        let whole = Int64(real)
        return integer == whole ? 0 : integer < whole ? -1 : 1
    }

    /// Rounds half away from zero, based on the number's decimal form: 1.005 becomes 1.01, though
    /// its binary form is below the half.
    static func round(_ value: ExpressionValue, decimals: ExpressionValue) -> ExpressionValue {
        guard value.isNumber, decimals.isNumber else { return .null }
        let number = value.number
        guard abs(number) < 0x1p52 else { return .real(number) }
        let places = Int(min(max(decimals.number, 0), 30))
        guard places > 0 else { return .real(number.rounded(.toNearestOrAwayFromZero)) }
        guard places <= 22 else { return .real(number) }
        let scale = powersOfTen[places]
        let scaled = abs(number) * scale
        guard scaled < 0x1p52 else { return .real(number) }
        let rounded = (scaled * (1 + 3e-16) + 0.5).rounded(.down) / scale
        return .real(number < 0 ? -rounded : rounded)
    }

    static let powersOfTen: [Double] = (0...22).map { power in (0..<power).reduce(1.0) { product, _ in product * 10 } }
}
