package import Model
package import Replica

/// The outcome of one export, project by project: the result that people read and programs parse.
package struct ExportOutcome: Codable, Sendable {
    package enum State: String, Codable, Sendable {
        /// Files were written and registered.
        case written
        /// The same selection over unchanged data is registered already, and its files exist.
        case unchanged
        /// Findings of severity error withheld the whole file.
        case withheld
        /// No record is selected, so nothing is made.
        case empty
    }

    /// Reason why no record was marked although marking was requested.
    package enum MarkNote: String, Codable, Sendable {
        /// Every selected record is marked, or in a later state, already.
        case already
        /// No document was made that hands records over.
        case noDocument = "no-document"
    }

    package struct File: Codable, Sendable {
        package var path: String
        package var format: String
        package var rows: Int
        package var bytes: Int64
        package var sha256: String
        package var version: Int
        package var exportID: String
        var storagePath: String
    }

    package struct Project: Codable, Sendable {
        var id: String
        package var code: String
        package var name: String
        package var state: State
        package var isDraft: Bool
        package var selected: Int
        /// The number of records left out, by reason (`LeftOutReason`).
        package var leftOut: [String: Int]
        /// The first of the records left out; the files list all of them.
        var leftOutRecords: [LeftOutRecord]
        /// The first of the records that the last version on the line contained and that are not
        /// selected now.
        package var missing: [MissingRecord] = []
        /// The number of all records that are missing.
        package var missingCount = 0
        package var files: [File]
        package var marked: Int
        package var markNote: MarkNote?
        /// The names of signed files that these files replace.
        package var replacedSigned: [String] = []
    }

    package var run: String
    package var export: String
    /// The display name of the export or report.
    package var title: String
    package var environment: String
    package var actor: String
    package var asOf: String
    package var findings: [FindingCount]
    package var projects: [Project]

    /// Whether nothing was made because nothing was selected in any project.
    package var isEmpty: Bool { projects.allSatisfy { $0.state == .empty } }

    /// Numbers of findings that are not accepted, by code, for comparison with thresholds.
    package var open: [(code: String, severity: Severity, open: Int)] {
        findings.map { ($0.code, $0.severity, $0.open) }
    }

    /// The summary for the journal: counts and files, no names of records.
    package var summary: Summary {
        Summary(
            export: export, findings: Dictionary(findings.map { ($0.code, $0.count) }, uniquingKeysWith: +),
            projects: projects.map {
                .init(code: $0.code, state: $0.state, selected: $0.selected, leftOut: $0.leftOut, files: $0.files.count)
            })
    }

    package struct Summary: Codable, Sendable {
        package struct Project: Codable, Sendable {
            package var code: String
            package var state: State
            package var selected: Int
            package var leftOut: [String: Int]
            package var files: Int
        }
        package var export: String
        package var findings: [String: Int]
        package var projects: [Project]
    }
}

/// The number of findings of a code.
package struct FindingCount: Codable, Sendable, Hashable {
    package var code: String
    package var severity: Severity
    package var count: Int
    /// The number of accepted findings.
    package var accepted: Int
    package var title: String

    package var open: Int { count - accepted }
    /// The message of the first finding, in a run's result.
    package var example: String?
}
