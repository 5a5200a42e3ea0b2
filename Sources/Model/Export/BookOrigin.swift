import Foundation

/// Where a workbook that this program wrote comes from. Its keywords say it, which programs keep that
/// save the workbook again.
///
/// The keywords are one line: `Fichero: calicatas project=CHU-2025 version=3 …`, values percent-encoded.
package struct BookOrigin: Sendable, Hashable {
    /// Name of the export or report.
    package var name: String
    /// The project's code; nil in a workbook of an older version of the program, and of a report.
    package var project: String?
    /// The version on its delivery line; nil: the workbook is not registered.
    package var version: Int?
    /// Name of the delivery line.
    package var line: String?
    /// The language of its headings and words.
    package var language: Language?
    /// Whether it was made to be corrected and brought back.
    package var isForCorrections = false
    /// When it was made, by the run's clock (`Timestamp`). Another replica may count the same versions.
    package var made: String?
    /// Whether it is the answer to a workbook that came back.
    package var isAnswer = false

    private static let start = "Fichero"
    private static let unreserved: CharacterSet = .alphanumerics.intersection(CharacterSet(charactersIn: "!"..."~"))
        .union(CharacterSet(charactersIn: "-._~"))

    package init(_ name: String) { self.name = name }

    /// Reads keywords; nil for those of any other workbook.
    package init?(keywords: String) {
        // LibreOffice takes the colon away.
        let parts = keywords.split(separator: " ").map(String.init)
        guard parts.count > 1, parts[0] == Self.start || parts[0] == Self.start + ":" else { return nil }
        // The name of a report is its title, which has spaces.
        let name = parts.dropFirst().prefix { !$0.contains("=") }
        self.init(name.joined(separator: " "))
        for part in parts[name.endIndex...] {
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2, let value = pair[1].removingPercentEncoding else { continue }
            switch pair[0] {
            case "project": project = value
            case "version": version = Int(value)
            case "line": line = value
            case "language": language = Language(rawValue: value)
            case "corrections": isForCorrections = value == "yes"
            case "made": made = value
            case "answer": isAnswer = value == "yes"
            default: break
            }
        }
    }

    package var keywords: String {
        let facts: [(String, String?)] = [
            ("project", project), ("version", version.map(String.init)), ("line", line),
            ("language", language?.rawValue), ("corrections", isForCorrections ? "yes" : nil),
            ("made", made), ("answer", isAnswer ? "yes" : nil),
        ]
        let texts = facts.compactMap { name, value in
            value?.addingPercentEncoding(withAllowedCharacters: Self.unreserved).map { "\(name)=\($0)" }
        }
        return Self.start + ": " + ([name] + texts).joined(separator: " ")
    }
}

/// What makes a sheet of a workbook a form: a person corrects it, and `import` reads it again.
package struct SheetCorrections: Sendable, Hashable {
    /// The heading of the last column, in which a person says that a row is new or is to go.
    package var actionHeader: String
    /// What that column may say.
    package var actions: [String]
    /// Why a column may not be changed, by its name.
    package var locked: [String: String]
    /// Columns for the program alone, by their names.
    package var hidden: Set<String>

    package init(actionHeader: String, actions: [String], locked: [String: String], hidden: Set<String>) {
        (self.actionHeader, self.actions, self.locked, self.hidden) = (actionHeader, actions, locked, hidden)
    }
}
