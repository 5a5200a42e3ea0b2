import Importing
import SQLReading

/// Parses a condition of SQL or, from tokens of the same kind, of a form. For unknown syntax, the
/// result is no term instead of a guess.
struct ConditionParser {
    private let tokens: [SQLToken]
    private var index = 0
    private var depth = 0

    private static let maximumDepth = 100
    /// Longer conditions are programs; their nested terms would overflow recursive functions.
    private static let maximumTokens = 400
    /// Words of type names, which PostgreSQL writes after a value's `::`.
    private static let typeWords: Set<String> = [
        "text", "character", "varying", "varchar", "bpchar", "integer", "bigint", "smallint", "numeric", "double",
        "precision", "real", "date", "time", "timestamp", "boolean", "interval",
        "without", "with", "zone",
    ]

    static func term(_ tokens: [SQLToken]) -> ConditionTerm? {
        guard tokens.count <= maximumTokens else { return nil }
        var parser = ConditionParser(tokens: tokens)
        guard let term = parser.disjunction(), parser.index == tokens.count else { return nil }
        return term
    }

    private init(tokens: [SQLToken]) { self.tokens = tokens }

    private var token: SQLToken? { index < tokens.count ? tokens[index] : nil }

    private mutating func has(_ word: String) -> Bool {
        guard token?.isWord(word) == true else { return false }
        index += 1
        return true
    }

    private mutating func hasSign(_ sign: String) -> Bool {
        guard token == .sign(sign) else { return false }
        index += 1
        return true
    }

    private mutating func disjunction() -> ConditionTerm? {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.maximumDepth, var term = conjunction() else { return nil }
        while has("or") {
            guard let next = conjunction() else { return nil }
            term = .operation("or", term, next)
        }
        return term
    }

    private mutating func conjunction() -> ConditionTerm? {
        guard var term = negation() else { return nil }
        while has("and") {
            guard let next = negation() else { return nil }
            term = .operation("and", term, next)
        }
        return term
    }

    private mutating func negation() -> ConditionTerm? {
        guard has("not") else { return comparison() }
        depth += 1
        defer { depth -= 1 }
        return depth < Self.maximumDepth ? negation().map { .not($0) } : nil
    }

    private static let comparisons = [
        "=": "=", "==": "=", "!=": "!=", "<>": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
    ]

    private mutating func comparison() -> ConditionTerm? {
        guard var term = sum() else { return nil }
        while let next = token {
            if case .sign(let sign) = next, let operation = Self.comparisons[sign] {
                index += 1
                if operation == "=", has("any") {
                    guard let values = array() else { return nil }
                    term = .isOneOf(term, values)
                } else {
                    guard let right = sum() else { return nil }
                    term = .operation(operation, term, right)
                }
            } else if hasSign("~") {
                guard let pattern = sum() else { return nil }
                term = .operation("~", term, pattern)
            } else if has("is") {
                let isNot = has("not")
                guard has("null") else { return nil }
                term = isNot ? .not(.isMissing(term)) : .isMissing(term)
            } else {
                let begin = index
                let isNot = has("not")
                guard let test = membership(of: term) else {
                    index = begin
                    return isNot ? nil : term
                }
                term = isNot ? .not(test) : test
            }
        }
        return term
    }

    /// Parses `in (…)`, `between … and …`, `like '…%'`; nil if none of these follows.
    private mutating func membership(of term: ConditionTerm) -> ConditionTerm? {
        if has("in") { return hasSign("(") ? values(until: ")").map { .isOneOf(term, $0) } : nil }
        if has("between") {
            guard let low = sum(), has("and"), let high = sum() else { return nil }
            return .operation("and", .operation(">=", term, low), .operation("<=", term, high))
        }
        if has("like") {
            guard case .text(let pattern) = sum(), !pattern.contains(where: { "_\\".contains($0) }),
                pattern.hasSuffix("%")
            else { return nil }
            let isInside = pattern.hasPrefix("%")
            let words = pattern.dropLast().dropFirst(isInside ? 1 : 0)
            guard !words.isEmpty, !words.contains("%") else { return nil }
            return .call(isInside ? "contains" : "starts_with", [term, .text(String(words))])
        }
        return nil
    }

    /// Parses `(ARRAY['a'::text, 'b'::text])`, PostgreSQL's form of `IN ('a', 'b')`.
    private mutating func array() -> [ConditionTerm]? {
        guard hasSign("(") else { return nil }
        let brackets = hasSign("(")
        guard has("array"), hasSign("["), let values = values(until: "]") else { return nil }
        if brackets {
            guard hasSign(")") else { return nil }
        }
        skipCast()
        return hasSign(")") ? values : nil
    }

    private mutating func values(until end: String) -> [ConditionTerm]? {
        if hasSign(end) { return [] }
        var values: [ConditionTerm] = []
        repeat {
            guard let value = disjunction() else { return nil }
            values.append(value)
        } while hasSign(",")
        return hasSign(end) ? values : nil
    }

    private mutating func sum() -> ConditionTerm? {
        guard var term = product() else { return nil }
        while true {
            if hasSign("+") {
                guard let next = product() else { return nil }
                term = .operation("+", term, next)
            } else if hasSign("-") {
                guard let next = product() else { return nil }
                term = .operation("-", term, next)
            } else {
                return term
            }
        }
    }

    private mutating func product() -> ConditionTerm? {
        guard var term = atom() else { return nil }
        while true {
            let sign = hasSign("*") ? "*" : hasSign("/") || has("div") ? "/" : ""
            if sign.isEmpty { return term }
            guard let next = atom() else { return nil }
            term = .operation(sign, term, next)
        }
    }

    private mutating func atom() -> ConditionTerm? {
        defer { skipCast() }
        guard let token else { return nil }
        index += 1
        switch token {
        case .number(let text): return .number(text)
        case .text(let text): return .text(text)
        case .name(let name): return .field(name)
        case .sign("-"):
            // A minus sign before a number belongs to the number.
            if case .number(let text) = self.token {
                index += 1
                return .number("-" + text)
            }
            return atom().map { .negative($0) }
        case .sign("."): return .own
        case .sign("("):
            guard let term = disjunction(), hasSign(")") else { return nil }
            return term
        case .sign: return nil
        case .word(let word):
            switch word.lowercased() {
            case "null": return .missing
            case "current_date": return .call("current_date", [])
            case "true", "false":
                if hasSign("("), !hasSign(")") { return nil }
                return .truth(word.lowercased() == "true")
            default: break
            }
            guard hasSign("(") else { return .field(word) }
            guard let arguments = values(until: ")") else { return nil }
            if word.lowercased() == "not", arguments.count == 1 { return .not(arguments[0]) }
            if word.lowercased() == "regex", arguments.count == 2 { return .operation("~", arguments[0], arguments[1]) }
            return .call(word, arguments)
        }
    }

    /// Skips a cast such as `::character varying(20)[]` after a value.
    private mutating func skipCast() {
        while hasSign("::") {
            while case .word(let word) = token, Self.typeWords.contains(word.lowercased()) { index += 1 }
            if hasSign("(") {
                while let token, token != .sign(")") { index += 1 }
                index = min(index + 1, tokens.count)
            }
            if hasSign("[") { _ = hasSign("]") }
        }
    }
}

/// Converts conditions of XLSForms (XPath, https://docs.getodk.org/form-operators-functions/) to
/// the tokens that `ConditionParser` reads.
enum FormCondition {
    /// Nil if the text contains something that a row's condition cannot have: a path, a function
    /// over repeats.
    static func term(_ text: String) -> ConditionTerm? {
        // A regex literal is compiled each time it is evaluated, so these are outside the loop.
        let field = /\$\{\s*([A-Za-z_][\w.-]*)\s*\}/, number = /[0-9]+(\.[0-9]+)?|\.[0-9]+/
        let word = /[A-Za-z_][A-Za-z0-9_-]*/, sign = /<=|>=|!=|[-+*=<>(),.]/
        var pieces: [SQLToken] = []
        var rest = Substring(text.replacing("\u{2019}", with: "'").replacing("\u{2018}", with: "'"))
        while let first = rest.first {
            if first.isWhitespace {
                rest.removeFirst()
            } else if let match = rest.prefixMatch(of: field) {
                pieces.append(.name(String(match.1)))
                rest = rest[match.range.upperBound...]
            } else if first == "'" || first == "\"" {
                guard let end = rest.dropFirst().firstIndex(of: first) else { return nil }
                pieces.append(.text(String(rest[rest.index(after: rest.startIndex)..<end])))
                rest = rest[rest.index(after: end)...]
            } else if let match = rest.prefixMatch(of: number) {
                pieces.append(.number(match.0.hasPrefix(".") ? "0" + match.0 : String(match.0)))
                rest = rest[match.range.upperBound...]
            } else if let match = rest.prefixMatch(of: word) {
                pieces.append(.word(String(match.0)))
                rest = rest[match.range.upperBound...]
            } else if let match = rest.prefixMatch(of: sign) {
                guard !(match.0 == "." && rest.hasPrefix("..")) else { return nil }
                pieces.append(.sign(String(match.0)))
                rest = rest[match.range.upperBound...]
            } else {
                return nil
            }
        }
        return ConditionParser.term(pieces)
    }
}
