import Importing
import Model
import Patterns

/// Converts conditions on one field to the field's keys (bounds, pattern, required), if possible.
enum DraftLimits {
    /// Adds a condition to a field's keys.
    ///
    /// - Parameters:
    ///   - searches: whether a pattern may match a piece of the text, as in SQL. Patterns of the
    ///     pack must match the whole text.
    ///   - isOwn: whether a term means this field.
    /// - Returns: the parts of the condition that the field's keys cannot express.
    static func add(
        _ condition: ConditionTerm, to field: inout DraftField, searches: Bool = false, isOwn: (ConditionTerm) -> Bool
    ) -> [ConditionTerm] {
        condition.conjuncts.filter { part in !isTaken(searches ? whole(part) : part, by: &field, isOwn) }
    }

    /// The condition with its pattern changed to match the whole text instead of a piece of it.
    private static func whole(_ part: ConditionTerm) -> ConditionTerm {
        switch part {
        case .operation("or", let first, let second): .operation("or", first, whole(second))
        case .operation("~", let own, .text(let text)):
            text.hasPrefix("^") && text.hasSuffix("$") && !text.contains("|")
                ? part : .operation("~", own, .text("[\\s\\S]*(?:" + text + ")[\\s\\S]*"))
        default: part
        }
    }

    /// Comparison operators, for the case that the two sides are exchanged.
    private static let turned = ["<": ">", "<=": ">=", ">": "<", ">=": "<="]

    /// Whether the field's keys can express a part of the condition; they then include it.
    private static func isTaken(_ part: ConditionTerm, by field: inout DraftField, _ isOwn: (ConditionTerm) -> Bool)
        -> Bool
    {
        switch part {
        // A missing value fulfils every limit.
        case .operation("or", .isMissing(let own), let rest) where isOwn(own):
            let wasRequired = field.isRequired
            defer { field.isRequired = wasRequired }
            return isTaken(rest, by: &field, isOwn)
        case .not(.isMissing(let own)) where isOwn(own):
            field.isRequired = true
            return true
        // A blank text counts as missing in a limit, and a missing value fulfils every limit.
        case .operation("!=", let own, .text("")) where isOwn(own): return true
        case .operation("~", let own, .text(let pattern)) where isOwn(own): return takePattern(pattern, into: &field)
        case .operation(let sign, let own, .number(let text)) where isOwn(own):
            return takeBound(sign, text, into: &field)
        case .operation(let sign, .number(let text), let own) where isOwn(own):
            return turned[sign].map { takeBound($0, text, into: &field) } ?? false
        case .operation(let sign, .call(let name, let terms), .number(let text))
        where terms.count == 1 && isOwn(terms[0]):
            guard ["length", "char_length", "character_length", "string-length"].contains(name.lowercased()),
                field.type == .text
            else { return false }
            return takeLength(sign, text, into: &field)
        default: return false
        }
    }

    private static func takeBound(_ sign: String, _ text: String, into field: inout DraftField) -> Bool {
        guard field.type == .integer || field.type == .decimal, let number = Double(text), number.isFinite,
            abs(number) < 1e15
        else { return false }
        // Bounds are inclusive: `> 5` becomes the minimum 6; decimals have no such next number.
        let isWhole = field.type == .integer && number == number.rounded()
        switch sign {
        case ">=": field.minimum = max(field.minimum ?? -.infinity, number)
        case "<=": field.maximum = min(field.maximum ?? .infinity, number)
        case ">" where isWhole: field.minimum = max(field.minimum ?? -.infinity, number + 1)
        case "<" where isWhole: field.maximum = min(field.maximum ?? .infinity, number - 1)
        default: return false
        }
        return true
    }

    private static func takeLength(_ sign: String, _ text: String, into field: inout DraftField) -> Bool {
        guard let number = Int(text), (0...100_000).contains(number) else { return false }
        switch sign {
        case "<=": field.maximumLength = number
        case "<" where number > 0: field.maximumLength = number - 1
        case ">=": field.minimumLength = number
        case ">": field.minimumLength = number + 1
        case "=": (field.minimumLength, field.maximumLength) = (number, number)
        default: return false
        }
        return true
    }

    private static func takePattern(_ text: String, into field: inout DraftField) -> Bool {
        guard field.type == .text, field.pattern == nil, field.vocabulary == nil, (try? Pattern(text)) != nil else {
            return false
        }
        field.pattern = text
        return true
    }
}
