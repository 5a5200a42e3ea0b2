import Model
import Replica

/// The outcome of one export, project by project: the result that people read and programs parse.
struct ExportOutcome: Codable, Sendable {
    enum State: String, Codable, Sendable {
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
    enum MarkNote: String, Codable, Sendable {
        /// Every selected record is marked, or in a later state, already.
        case already
        /// No document was made that hands records over.
        case noDocument = "no-document"
    }

    struct File: Codable, Sendable {
        var path: String
        var format: String
        var rows: Int
        var bytes: Int64
        var sha256: String
        var version: Int
        var exportID: String
        var storagePath: String
    }

    struct Project: Codable, Sendable {
        var id: String
        var code: String
        var name: String
        var state: State
        var isDraft: Bool
        var selected: Int
        /// The number of records left out, by reason (`LeftOutReason`).
        var leftOut: [String: Int]
        /// The first of the records left out; the files list all of them.
        var leftOutRecords: [LeftOutRecord]
        /// The first of the records that the last version on the line contained and that are not
        /// selected now.
        var missing: [MissingRecord] = []
        /// The number of all records that are missing.
        var missingCount = 0
        var files: [File]
        var marked: Int
        var markNote: MarkNote?
        /// The names of signed files that these files replace.
        var replacedSigned: [String] = []
    }

    var run: String
    var export: String
    /// The display name of the export or report.
    var title: String
    var environment: String
    var actor: String
    var asOf: String
    var findings: [FindingCount]
    var projects: [Project]

    /// Whether nothing was made because nothing was selected in any project.
    var isEmpty: Bool { projects.allSatisfy { $0.state == .empty } }

    /// Numbers of findings that are not accepted, by code, for comparison with thresholds.
    var open: [(code: String, severity: Severity, open: Int)] { findings.map { ($0.code, $0.severity, $0.open) } }

    /// The summary for the journal: counts and files, no names of records.
    var summary: Summary {
        Summary(
            export: export, findings: Dictionary(findings.map { ($0.code, $0.count) }, uniquingKeysWith: +),
            projects: projects.map {
                .init(code: $0.code, state: $0.state, selected: $0.selected, leftOut: $0.leftOut, files: $0.files.count)
            })
    }

    struct Summary: Codable, Sendable {
        struct Project: Codable, Sendable {
            var code: String
            var state: State
            var selected: Int
            var leftOut: [String: Int]
            var files: Int
        }
        var export: String
        var findings: [String: Int]
        var projects: [Project]
    }
}

/// The number of findings of a code.
struct FindingCount: Codable, Sendable, Hashable {
    var code: String
    var severity: Severity
    var count: Int
    /// The number of accepted findings.
    var accepted: Int
    var title: String

    var open: Int { count - accepted }
    /// The message of the first finding, in a run's result.
    var example: String?
}
