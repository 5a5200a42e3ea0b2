import Exporting
import Foundation
import Model
import Recording
import Replica

/// Files as they are asked for, of an export or of a report: what naming and registering them needs.
protocol FileRequest {
    /// The export's or report's name.
    var name: String { get }
    var formats: [ExportFormat] { get }
    var selection: SelectionRequest { get }
    var policy: FindingsPolicy { get }
    /// Whether rows are judged first.
    var validates: Bool { get }
    var maximumErrors: Int? { get }
    var markExported: Bool { get }
    var outputDirectory: String { get }
    var pattern: String { get }
    /// Whose next version the files are.
    var line: DeliveryLine { get }
    /// Number of the step in its run, from 0.
    var step: Int { get }
    /// Whether files are made although no record is selected.
    var allowsEmpty: Bool { get }
    /// What the names of drafts end in; nil: the files are registered.
    var draftName: String? { get }
    /// How a format is written, where that is a choice.
    func dialect(of format: ExportFormat) -> String?
}

extension FileRequest {
    var isDraft: Bool { draftName != nil }

    /// The final path without its ending, which the writer adds. Its folder is made.
    func stem(_ format: ExportFormat, version: Int, project: ReadSession.Project, context: RunContext) throws -> String {
        let path = try plannedStem(format, version: version, project: project, context: context)
        try OutputCommit.makeDirectory(for: path)
        return path
    }

    /// The same of a file that may never be made.
    func plannedStem(_ format: ExportFormat, version: Int, project: ReadSession.Project, context: RunContext) throws -> String {
        let name = try OutputName(pattern: pattern).stem(
            OutputName.Values(
                export: name, project: project.code, name: project.name, date: OfficeDay.text(of: context.asOf, in: context.timeZone),
                version: version, format: format.rawValue, line: line.label, period: selection.period))
        let directory = URL(fileURLWithPath: outputDirectory).standardizedFileURL.path
        return directory + "/" + name + (draftName.map { "-" + $0 } ?? "")
    }
}

extension ExportRequest: FileRequest {
    var name: String { definition.name }
    func dialect(of format: ExportFormat) -> String? { format == .csv ? dialect.rawValue : nil }
}
