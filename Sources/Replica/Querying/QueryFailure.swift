package import Model

/// Why a person's question is not answered.
package enum QueryFailure: Failure, Hashable {
    case empty
    /// `path` is the file that should hold the question.
    case noFile(path: String)
    case several
    /// In SQLite's words, which are English.
    case wrong(reason: String)
    case unknownTable(String, nearest: String?, known: [String])
    case unknownColumn(String, nearest: String?, known: [String])
    case unknownFunction(String)
    case unknownParameter(String)
    /// A column of a privacy class that the role may not see.
    case hidden(String, role: String)
    /// Anything other than reading the pack's tables.
    case forbidden(known: [String])
    case tooSlow(seconds: Double)
    /// More steps, rows, bytes or memory than a question may take.
    case tooLarge(limit: String)

    package var code: String {
        switch self {
        case .empty: "QUERY-EMPTY"
        case .noFile: "QUERY-FILE"
        case .several: "QUERY-SEVERAL"
        case .wrong: "QUERY-WRONG"
        case .unknownTable: "QUERY-TABLE"
        case .unknownColumn: "QUERY-COLUMN"
        case .unknownFunction: "QUERY-FUNCTION"
        case .unknownParameter: "QUERY-PARAMETER"
        case .hidden: "QUERY-HIDDEN"
        case .forbidden: "QUERY-FORBIDDEN"
        case .tooSlow: "QUERY-SLOW"
        case .tooLarge: "QUERY-LARGE"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .empty: .usage
        case .noFile: .noInput
        case .hidden, .forbidden: .notPermitted
        default: .badInput
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .empty, .several: [:]
        case .noFile(let path): ["path": path]
        case .wrong(let reason): ["reason": reason]
        case .unknownTable(let value, let nearest, let known), .unknownColumn(let value, let nearest, let known):
            ["value": value, "nearest": nearest.map { $0 + "?" } ?? "", "known": known.joined(separator: ", ")]
        case .unknownFunction(let value), .unknownParameter(let value): ["value": value]
        case .hidden(let value, let role): ["value": value, "role": role]
        case .forbidden(let known): ["known": known.joined(separator: ", ")]
        case .tooSlow(let seconds): ["seconds": String(Int(seconds.rounded()))]
        case .tooLarge(let limit): ["limit": limit]
        }
    }
}
