/// The parameters of a report's SQL: `:project` (the project's id), `:today` (the office's day of
/// the run), `:language` (of the run: `it`), and columns of the section's row.
package enum ReportParameters {
    package static let builtIn: Set<String> = ["project", "today", "language"]

    /// Names after colons, in order of appearance, each once. Names in quotes and in comments
    /// do not count.
    package static func names(in sql: String) -> [String] {
        var names: [String] = []
        var rest = Substring(sql)
        while let character = rest.first {
            switch character {
            case "'", "\"":
                rest = rest.dropFirst()
                rest = rest.drop { $0 != character }.dropFirst()
            case "-" where rest.hasPrefix("--"):
                rest = rest.drop { !$0.isNewline }
            case "/" where rest.hasPrefix("/*"):
                rest = rest.firstRange(of: "*/").map { rest[$0.upperBound...] } ?? ""
            case ":":
                rest = rest.dropFirst()
                let name = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
                rest = rest.dropFirst(name.count)
                if !name.isEmpty, !names.contains(name) { names.append(name) }
            default:
                rest = rest.dropFirst()
            }
        }
        return names
    }
}
