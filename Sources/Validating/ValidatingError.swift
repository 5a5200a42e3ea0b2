package import Model

/// The reason why a validation cannot continue. Each is a mistake in the pack, which its loader
/// reports earlier and with the line.
package enum ValidatingError: Failure, Hashable {
    /// A pattern of a field or a vocabulary that PCRE2 does not accept.
    case pattern(owner: String, reason: String)
    /// An unknown name in an expression or a rule.
    case unknownName(owner: String, name: String)
    /// A bound of a count rule that is neither a number nor a path.
    case bound(rule: String)
    /// A rule's SQL that is wrong, or does more than read what the actor may see.
    case query(rule: String, isForbidden: Bool)

    package var code: String {
        switch self {
        case .pattern: "VALIDATION-PATTERN"
        case .unknownName: "VALIDATION-NAME"
        case .bound: "VALIDATION-BOUND"
        case .query(_, isForbidden: true): "VALIDATION-FORBIDDEN"
        case .query: "VALIDATION-QUERY"
        }
    }

    package var exitCode: ExitCode { .badConfiguration }

    package var arguments: [String: String] {
        switch self {
        case .pattern(let owner, let reason): ["owner": owner, "reason": reason]
        case .unknownName(let owner, let name): ["owner": owner, "name": name]
        case .bound(let rule), .query(let rule, _): ["rule": rule]
        }
    }
}
