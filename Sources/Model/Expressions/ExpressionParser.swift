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
        var lexer = Lexer(source)
        guard lexer.characters.count <= Self.maximumLength else {
            throw Mistake(reason: .tooLong, offset: Self.maximumLength)
        }
        while let token = try lexer.next() { tokens.append(token) }
        tokens.append((.end, lexer.characters.count))
    }

    /// Cuts the text of an expression into tokens.
    private struct Lexer {
        let characters: [Character]
        private var index = 0

        init(_ source: String) { characters = Array(source) }

        /// The next token with its offset; nil at the end.
        mutating func next() throws(Mistake) -> (token: Token, offset: Int)? {
            skip(while: \.isWhitespace)
            guard index < characters.count else { return nil }
            let (start, character) = (index, characters[index])
            if character.isLetter || character == "_" { return (try name(), start) }
            if character.isASCII, character.isNumber { return (try number(), start) }
            return (character == "'" ? try text() : try symbol(), start)
        }

        /// Skips characters; returns those that it skipped.
        @discardableResult
        private mutating func skip(while belongs: (Character) -> Bool) -> String {
            let start = index
            while index < characters.count, belongs(characters[index]) { index += 1 }
            return String(characters[start..<index])
        }

        private mutating func name() throws(Mistake) -> Token {
            let start = index
            let name = skip { $0.isLetter || $0.isNumber || "_.".contains($0) }
            guard !name.hasSuffix("."), !name.contains("..") else {
                throw Mistake(reason: .unexpected(name), offset: start)
            }
            return .name(name)
        }

        private mutating func number() throws(Mistake) -> Token {
            let start = index
            let digits = skip { $0.isASCII && ($0.isNumber || $0 == ".") }
            guard Double(digits) != nil else { throw Mistake(reason: .unexpected(digits), offset: start) }
            return .number(digits)
        }

        private mutating func text() throws(Mistake) -> Token {
            let start = index
            var text = ""
            while true {
                index += 1
                text += skip { $0 != "'" }
                guard index < characters.count else { throw Mistake(reason: .unclosedText, offset: start) }
                index += 1
                guard index < characters.count, characters[index] == "'" else { return .text(text) }
                text.append("'")
            }
        }

        private mutating func symbol() throws(Mistake) -> Token {
            let character = characters[index]
            let two = String(characters[index..<min(index + 2, characters.count)])
            if ["!=", "<=", ">="].contains(two) {
                index += 2
                return .symbol(two)
            }
            guard "=<>+-*/(),".contains(character) else {
                throw Mistake(reason: .unexpected(String(character)), offset: index)
            }
            index += 1
            return .symbol(String(character))
        }
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
        case .length, .lower, .upper, .absolute, .metres, .year, .officeDay, .versionKey: 1...1
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
