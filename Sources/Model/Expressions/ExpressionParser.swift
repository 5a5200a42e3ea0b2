/// Reads the expression language: names, dotted paths, literals, comparison, arithmetic,
/// `and or not`, `in`, `is null`, functions.
///
///     status in ('APROBADO', 'EXPORTADO') and depth_m >= 1.5
///       and not contains(lower(title), 'prueba')
///
/// Precedence, from lowest to highest: `or`, `and`, `not`, comparison / `in` / `is null`, `+ -`, `*
/// /`, unary `-`. Text is in single quotes, doubled inside. Keywords are lower case. There are
/// limits on the text's length, the number of operators, and the depth of nested parentheses,
/// `not`, `-` and arguments, because code that walks through an expression is recursive. A list
/// after `in` is limited only by the text's length.
package struct ExpressionParser {
    package struct Mistake: Error, Hashable, Sendable {
        package enum Reason: Hashable, Sendable {
            case unexpectedEnd
            case unexpected(String)
            case unclosedText
            case unknownFunction(String)
            case wrongArgumentCount(function: String, expected: String)
            case tooDeep
            case tooLong
        }

        package var reason: Reason
        /// Offset in characters from the start of the text, zero-based.
        package var offset: Int
    }

    private enum Token: Hashable {
        case name(String)
        case text(String)
        case number(String)
        case symbol(String)
        case end
    }

    private static let maximumLength = 10_000
    private static let maximumDepth = 100
    private static let maximumOperators = 500
    private static let keywords: Set<String> = ["and", "or", "not", "in", "is", "null", "true", "false"]

    private var tokens: [(token: Token, offset: Int)] = []
    private var position = 0
    private var depth = 0
    private var operators = 0

    package static func parse(_ source: String) throws(Mistake) -> Expression {
        var parser = try ExpressionParser(source)
        let expression = try parser.disjunction()
        guard parser.current == .end else { throw parser.unexpected() }
        return expression
    }

    private init(_ source: String) throws(Mistake) {
        let characters = Array(source)
        guard characters.count <= Self.maximumLength else {
            throw Mistake(reason: .tooLong, offset: Self.maximumLength)
        }
        var index = 0
        while index < characters.count {
            let start = index
            let character = characters[index]
            if character.isWhitespace {
                index += 1
            } else if character.isLetter || character == "_" {
                while index < characters.count,
                    characters[index].isLetter || characters[index].isNumber || "_.".contains(characters[index])
                {
                    index += 1
                }
                let name = String(characters[start..<index])
                guard !name.hasSuffix("."), !name.contains("..") else {
                    throw Mistake(reason: .unexpected(name), offset: start)
                }
                tokens.append((.name(name), start))
            } else if character.isASCII, character.isNumber {
                while index < characters.count, characters[index].isASCII,
                    characters[index].isNumber || characters[index] == "."
                {
                    index += 1
                }
                let digits = String(characters[start..<index])
                guard Double(digits) != nil else { throw Mistake(reason: .unexpected(digits), offset: start) }
                tokens.append((.number(digits), start))
            } else if character == "'" {
                var text = ""
                index += 1
                while true {
                    guard index < characters.count else { throw Mistake(reason: .unclosedText, offset: start) }
                    if characters[index] != "'" {
                        text.append(characters[index])
                        index += 1
                    } else if index + 1 < characters.count, characters[index + 1] == "'" {
                        text.append("'")
                        index += 2
                    } else {
                        index += 1
                        break
                    }
                }
                tokens.append((.text(text), start))
            } else {
                let two = String(characters[start..<min(start + 2, characters.count)])
                if ["!=", "<=", ">="].contains(two) {
                    tokens.append((.symbol(two), start))
                    index += 2
                } else if "=<>+-*/(),".contains(character) {
                    tokens.append((.symbol(String(character)), start))
                    index += 1
                } else {
                    throw Mistake(reason: .unexpected(String(character)), offset: start)
                }
            }
        }
        tokens.append((.end, characters.count))
    }

    private var current: Token { tokens[position].token }

    private func unexpected() -> Mistake {
        switch current {
        case .end: Mistake(reason: .unexpectedEnd, offset: tokens[position].offset)
        case .name(let word), .number(let word), .symbol(let word):
            Mistake(reason: .unexpected(word), offset: tokens[position].offset)
        case .text(let text): Mistake(reason: .unexpected("'\(text)'"), offset: tokens[position].offset)
        }
    }

    /// Skips the current token if it is this one; returns whether it was.
    private mutating func take(_ token: Token) -> Bool {
        guard current == token else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ token: Token) throws(Mistake) {
        guard take(token) else { throw unexpected() }
    }

    /// Parses one level deeper, within `maximumDepth`.
    private mutating func deeper(_ body: (inout Self) throws(Mistake) -> Expression) throws(Mistake) -> Expression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw Mistake(reason: .tooDeep, offset: tokens[position].offset) }
        return try body(&self)
    }

    /// Combines two operands with an operator. The first operand may be a chain of operands.
    private mutating func joined(
        _ operation: Expression.Operator, _ left: Expression, _ right: (inout Self) throws(Mistake) -> Expression
    ) throws(Mistake) -> Expression {
        operators += 1
        guard operators <= Self.maximumOperators else {
            throw Mistake(reason: .tooDeep, offset: tokens[position].offset)
        }
        return .binary(operation, left, try right(&self))
    }

    private mutating func disjunction() throws(Mistake) -> Expression {
        var left = try conjunction()
        while take(.name("or")) { left = try joined(.or, left) { parser throws(Mistake) in try parser.conjunction() } }
        return left
    }

    private mutating func conjunction() throws(Mistake) -> Expression {
        var left = try negation()
        while take(.name("and")) { left = try joined(.and, left) { parser throws(Mistake) in try parser.negation() } }
        return left
    }

    private mutating func negation() throws(Mistake) -> Expression {
        if take(.name("not")) {
            return try deeper { parser throws(Mistake) in .not(try parser.negation()) }
        }
        return try comparison()
    }

    private mutating func comparison() throws(Mistake) -> Expression {
        let left = try sum()
        if case .symbol(let symbol) = current, let comparison = Expression.Operator(rawValue: symbol),
            [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual].contains(comparison) {
            position += 1
            return try joined(comparison, left) { parser throws(Mistake) in try parser.sum() }
        }
        if take(.name("is")) {
            let negated = take(.name("not"))
            try expect(.name("null"))
            return .isNull(left, negated: negated)
        }
        var negated = false
        if current == .name("not"), position + 1 < tokens.count, tokens[position + 1].token == .name("in") {
            position += 1
            negated = true
        }
        if take(.name("in")) {
            try expect(.symbol("("))
            var items = [try sum()]
            while take(.symbol(",")) { items.append(try sum()) }
            try expect(.symbol(")"))
            return .isIn(left, items, negated: negated)
        }
        return left
    }

    private mutating func sum() throws(Mistake) -> Expression {
        var left = try product()
        while true {
            if take(.symbol("+")) {
                left = try joined(.plus, left) { parser throws(Mistake) in try parser.product() }
            } else if take(.symbol("-")) {
                left = try joined(.minus, left) { parser throws(Mistake) in try parser.product() }
            } else {
                return left
            }
        }
    }

    private mutating func product() throws(Mistake) -> Expression {
        var left = try unary()
        while true {
            if take(.symbol("*")) {
                left = try joined(.times, left) { parser throws(Mistake) in try parser.unary() }
            } else if take(.symbol("/")) {
                left = try joined(.dividedBy, left) { parser throws(Mistake) in try parser.unary() }
            } else {
                return left
            }
        }
    }

    private mutating func unary() throws(Mistake) -> Expression {
        if take(.symbol("-")) {
            return try deeper { parser throws(Mistake) in .negative(try parser.unary()) }
        }
        return try primary()
    }

    private mutating func primary() throws(Mistake) -> Expression {
        let offset = tokens[position].offset
        switch current {
        case .text(let text):
            position += 1
            return .text(text)
        case .number(let digits):
            position += 1
            return .number(digits)
        case .symbol("("):
            position += 1
            let inner = try deeper { parser throws(Mistake) in try parser.disjunction() }
            try expect(.symbol(")"))
            return inner
        case .name("true"), .name("false"):
            let value = current == .name("true")
            position += 1
            return .boolean(value)
        case .name("null"):
            position += 1
            return .null
        case .name(let name) where !Self.keywords.contains(name):
            position += 1
            guard take(.symbol("(")) else { return .field(FieldPath(name)) }
            guard let function = Expression.Function(rawValue: name) else {
                throw Mistake(reason: .unknownFunction(name), offset: offset)
            }
            var arguments: [Expression] = []
            if !take(.symbol(")")) {
                repeat {
                    arguments.append(try deeper { parser throws(Mistake) in try parser.disjunction() })
                } while take(.symbol(","))
                try expect(.symbol(")"))
            }
            guard function.argumentCounts.contains(arguments.count) else {
                let bounds = function.argumentCounts
                let expected = bounds.count == 1 ? "\(bounds.lowerBound)" : "\(bounds.lowerBound)–\(bounds.upperBound)"
                throw Mistake(reason: .wrongArgumentCount(function: name, expected: expected), offset: offset)
            }
            return .call(function, arguments)
        default:
            throw unexpected()
        }
    }
}

extension Expression.Function {
    package var argumentCounts: ClosedRange<Int> {
        switch self {
        case .today: 0...0
        case .length, .lower, .upper, .absolute, .metres, .year, .versionKey: 1...1
        case .round: 1...2
        case .contains, .startsWith: 2...2
        case .coalesce: 2...8
        }
    }
}

extension Expression {
    /// Every field path in the expression, in order of appearance.
    package var fieldPaths: [FieldPath] {
        switch self {
        case .text, .number, .boolean, .null: []
        case .field(let path): [path]
        case .not(let inner), .negative(let inner), .isNull(let inner, _): inner.fieldPaths
        case .binary(_, let left, let right): left.fieldPaths + right.fieldPaths
        case .isIn(let inner, let items, _): inner.fieldPaths + items.flatMap(\.fieldPaths)
        case .call(_, let arguments): arguments.flatMap(\.fieldPaths)
        }
    }
}
