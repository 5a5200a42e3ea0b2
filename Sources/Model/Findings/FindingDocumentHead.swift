package import Foundation

/// The head of every findings document, in each format.
package struct FindingDocumentHead: Sendable, Hashable {
    package struct Project: Sendable, Hashable {
        package var code: String
        package var name: String

        package init(code: String, name: String) {
            self.code = code
            self.name = name
        }
    }

    package var packName: String
    package var packVersion: String
    /// The system's name for people.
    package var system: String
    package var environment: String
    /// Shown prominently; nil in production.
    package var environmentBanner: String?
    package var programVersion: String
    package var actor: String
    package var asOf: Date
    /// `asOf` on the office's wall clock, with the zone.
    package var madeAt: String
    package var projects: [Project]
    /// Rows that were judged.
    package var rows: Int

    package init(
        packName: String, packVersion: String, system: String, environment: String, environmentBanner: String?, programVersion: String,
        actor: String, asOf: Date, madeAt: String, projects: [Project], rows: Int
    ) {
        self.packName = packName
        self.packVersion = packVersion
        self.system = system
        self.environment = environment
        self.environmentBanner = environmentBanner
        self.programVersion = programVersion
        self.actor = actor
        self.asOf = asOf
        self.madeAt = madeAt
        self.projects = projects
        self.rows = rows
    }

    /// Label and value of each line, in order.
    package func lines(_ text: FindingText) -> [(label: String, value: String)] {
        let names = projects.map { $0.code == $0.name ? $0.code : "\($0.code) · \($0.name)" }
        return [
            (text.word("cover.system"), system), (text.word("cover.environment"), environment),
            (text.word("cover.project"), names.joined(separator: "; ")), (text.word("cover.actor"), actor),
            (text.word("cover.made_at"), madeAt), (text.word("cover.pack_version"), "\(packName) \(packVersion)"),
            (text.word("cover.program_version"), programVersion), (text.word("report.rows"), String(rows)),
        ]
    }
}
