/// One value during the evaluation of an expression: a number, or the range of a text's bytes. As
/// in SQLite, true and false are 1 and 0.
struct ExpressionValue {
    enum Kind: UInt8 {
        case null, integer, real
        /// Bytes of the row, of the program's constants, or made during the evaluation.
        case rowText, constantText, madeText
    }

    let kind: Kind
    private let bits: UInt64

    private init(kind: Kind, bits: UInt64) {
        self.kind = kind
        self.bits = bits
    }

    static let null = ExpressionValue(kind: .null, bits: 0)
    static let yes = integer(1)
    static let no = integer(0)

    @inline(__always) static func integer(_ value: Int64) -> Self {
        Self(kind: .integer, bits: UInt64(bitPattern: value))
    }
    /// A value that is not a number becomes null, as in SQLite.
    @inline(__always) static func real(_ value: Double) -> Self {
        value.isNaN ? .null : Self(kind: .real, bits: value.bitPattern)
    }
    @inline(__always) static func text(_ kind: Kind, _ range: Range<Int>) -> Self {
        Self(kind: kind, bits: UInt64(range.lowerBound) << 32 | UInt64(range.count))
    }
    @inline(__always) static func truth(_ truth: Truth) -> Self {
        switch truth {
        case .yes: .yes
        case .no: .no
        case .unknown: .null
        }
    }

    @inline(__always) init(_ cell: RowBatch.Cell) {
        switch cell.kind {
        case .null: self = .null
        case .integer: self = .integer(cell.integer)
        case .real: self = .real(cell.real)
        case .text: self = .text(.rowText, cell.range)
        }
    }

    @inline(__always) var integer: Int64 { Int64(bitPattern: bits) }
    @inline(__always) var real: Double { Double(bitPattern: bits) }
    @inline(__always) var start: Int { Int(truncatingIfNeeded: bits >> 32) }
    @inline(__always) var length: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }
    var range: Range<Int> { start..<(start + length) }

    @inline(__always) var isText: Bool { kind.rawValue >= Kind.rowText.rawValue }
    @inline(__always) var isNumber: Bool { kind == .integer || kind == .real }

    /// The number as a real. Valid only for numbers.
    @inline(__always) var number: Double { kind == .integer ? Double(integer) : real }

    @inline(__always) var truth: Truth {
        switch kind {
        case .null: .unknown
        case .integer: integer != 0 ? .yes : .no
        case .real: real != 0 ? .yes : .no
        default: .no
        }
    }
}

/// Three-valued logic: a comparison with a missing value is unknown.
package enum Truth: UInt8, Sendable, Hashable {
    case no, yes, unknown

    @inline(__always) static func && (left: Truth, right: Truth) -> Truth {
        if left == .no || right == .no { return .no }
        return left == .yes && right == .yes ? .yes : .unknown
    }

    @inline(__always) static func || (left: Truth, right: Truth) -> Truth {
        if left == .yes || right == .yes { return .yes }
        return left == .no && right == .no ? .no : .unknown
    }

    @inline(__always) static prefix func ! (truth: Truth) -> Truth {
        switch truth {
        case .yes: .no
        case .no: .yes
        case .unknown: .unknown
        }
    }
}
