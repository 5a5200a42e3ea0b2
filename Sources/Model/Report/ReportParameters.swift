/// The parameters of the SQL of reports and exports: `:project` (the project's id), `:today` (the
/// office's day of the run), `:from` and `:to` (the first and last day that were asked for, if any),
/// `:language` (of the run: `it`); and in reports the columns of the section's row.
package enum ReportParameters {
    package static let builtIn: Set<String> = ["project", "today", "from", "to", "language"]

    /// Whether SQL looks at the days that were asked for.
    package static func asksForDays(_ sql: String) -> Bool { !Set(names(in: sql)).isDisjoint(with: ["from", "to"]) }

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
