import Importing
import Model

/// A condition on the fields of one row, read from a form or a database.
indirect enum ConditionTerm: Hashable {
    case field(String)
    /// The field that has the condition; forms write `.`.
    case own
    case text(String)
    case number(String)
    case truth(Bool)
    case missing
    case call(String, [ConditionTerm])
    case not(ConditionTerm)
    case negative(ConditionTerm)
    /// An operator of pack expressions, including `or` and `and`; or `~`, which matches a pattern.
    case operation(String, ConditionTerm, ConditionTerm)
    case isOneOf(ConditionTerm, [ConditionTerm])
    case isMissing(ConditionTerm)

    /// The parts that must all be true.
    var conjuncts: [ConditionTerm] {
        if case .operation("and", let first, let second) = self { first.conjuncts + second.conjuncts } else { [self] }
    }

    /// The fields that the condition uses, by their names in the source, in order.
    var fields: [String] {
        switch self {
        case .field(let name): [name]
        case .own, .text, .number, .truth, .missing: []
        case .call(_, let terms): terms.flatMap(\.fields)
        case .not(let term), .negative(let term), .isMissing(let term): term.fields
        case .operation(_, let first, let second): first.fields + second.fields
        case .isOneOf(let term, let values): term.fields + values.flatMap(\.fields)
        }
    }

    /// Gives the pack's fields for their names in the source.
    struct Names {
        /// Name of the field that has the condition.
        var own: String?
        /// The field, by its name in the source; nil if the row has none.
        var field: (String) -> DraftField?
    }

    /// The condition in the language of pack expressions; nil if that language cannot express it.
    func expression(_ names: Names) -> String? { written(names)?.text }

    private typealias Written = (text: String, strength: Int)

    /// Precedence of operators; `or` binds most weakly.
    private static let strengths = [
        "or": 1, "and": 2, "=": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4, "+": 5, "-": 5, "*": 6, "/": 6,
    ]
    private static let functions = [
        "length": "length", "char_length": "length", "character_length": "length", "string-length": "length",
        "lower": "lower", "upper": "upper",
        "abs": "abs", "round": "round", "coalesce": "coalesce", "today": "today", "current_date": "today",
        "contains": "contains",
        "starts_with": "starts_with", "starts-with": "starts_with",
    ]
    /// Precedence of names, literals and calls, which never need brackets.
    private static let atom = 9

    private func written(_ names: Names) -> Written? {
        switch self {
        case .field(let name): return names.field(name).map { ($0.name, Self.atom) }
        case .own: return names.own.map { ($0, Self.atom) }
        case .text(let text): return ("'" + text.replacing("'", with: "''") + "'", Self.atom)
        // Numbers in packs have no exponents.
        case .number(let text): return text.contains(where: { "eE".contains($0) }) ? nil : (text, Self.atom)
        case .truth(let isTrue): return (isTrue ? "true" : "false", Self.atom)
        case .missing: return nil
        case .call("selected", let terms):
            // A list field has several values, but `=` compares a single one.
            guard terms.count == 2, case .field(let name) = terms[0], names.field(name)?.type != .list else {
                return nil
            }
            return Self.operation("=", terms[0], terms[1]).written(names)
        case .call(let name, let terms):
            guard let function = Self.functions[name.lowercased()] else { return nil }
            let arguments = terms.compactMap { $0.written(names)?.text }
            return arguments.count == terms.count
                ? (function + "(" + arguments.joined(separator: ", ") + ")", Self.atom) : nil
        case .not(let term): return term.written(names).map { ("not " + Self.bracketed($0, atLeast: 4), 3) }
        case .negative(let term): return term.written(names).map { ("-" + Self.bracketed($0, atLeast: 7), 7) }
        case .operation(let sign, let first, .text("")) where sign == "=" || sign == "!=":
            return first.written(names).map {
                (Self.bracketed($0, atLeast: 5) + (sign == "=" ? " is null" : " is not null"), 4)
            }
        case .operation(let sign, let first, let second):
            guard let strength = Self.strengths[sign], let left = first.written(names),
                let right = second.written(names)
            else { return nil }
            let inner = strength == 4 ? 5 : strength
            return (
                Self.bracketed(left, atLeast: inner) + " \(sign) "
                    + Self.bracketed(right, atLeast: inner + (strength > 4 ? 1 : 0)), strength
            )
        case .isOneOf(let term, let values):
            let texts = values.compactMap { $0.written(names)?.text }
            guard texts.count == values.count, !texts.isEmpty, let own = term.written(names) else { return nil }
            return (Self.bracketed(own, atLeast: 5) + " in (" + texts.joined(separator: ", ") + ")", 4)
        case .isMissing(let term): return term.written(names).map { (Self.bracketed($0, atLeast: 5) + " is null", 4) }
        }
    }

    private static func bracketed(_ written: Written, atLeast strength: Int) -> String {
        written.strength < strength ? "(" + written.text + ")" : written.text
    }
}
