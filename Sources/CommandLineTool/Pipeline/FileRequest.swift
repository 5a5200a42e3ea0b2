import Foundation
import Model
import Recording
import Replica

/// Files as the command line or a job's step requests them, for an export or a report: their
/// selection, their names, how they are registered.
struct FileRequest {
    /// The export's or report's name.
    var name: String
    var formats: [ExportFormat]
    var selection: SelectionRequest
    var policy: FindingsPolicy
    /// Whether files are made afresh although the same selection over unchanged data is registered
    /// already.
    var again = false
    var markExported = false
    /// Whether rows are validated first; false only in timing tests of writers, and in previews.
    var validates = true
    /// Only the first of each kind of page, not registered.
    var isPreview = false
    var outputDirectory: String
    var pattern: String
    /// The line of which the files are the next version.
    var line: DeliveryLine
    /// The suffix of drafts' names; nil: the files are registered.
    var draftName: String?
    /// Whether files are made although no record is selected.
    var allowsEmpty = false
    var maximumErrors: Int?
    /// Number of the step in its run, from 0.
    var step = 0

    static let defaultPattern = OutputName.standard

    var isDraft: Bool { draftName != nil }

    /// The final path without its ending, which the writer adds. Its folder is created.
    func stem(_ format: ExportFormat, version: Int, project: ReadSession.Project, context: RunContext) throws -> String {
        let path = try plannedStem(format, version: version, project: project, context: context)
        try OutputCommit.makeDirectory(for: path)
        return path
    }

    /// The same for a file that may never be made; creates no folder.
    ///
    /// - Parameter asOf: the time of a file that was made already.
    func plannedStem(
        _ format: ExportFormat, version: Int, project: ReadSession.Project, context: RunContext, asOf: Date? = nil
    ) throws -> String {
        let name = try OutputName(pattern: pattern).stem(
            OutputName.Values(
                export: name, project: project.code, name: project.name, date: OfficeDay.text(of: asOf ?? context.asOf, in: context.timeZone),
                version: version, format: format.rawValue, line: line.label, period: selection.period))
        let directory = URL(fileURLWithPath: outputDirectory).standardizedFileURL.path
        return directory + "/" + name + (draftName.map { "-" + $0 } ?? "") + (isPreview ? "-preview" : "")
    }
}
