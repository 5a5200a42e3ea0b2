import Blocks
import Model
import Reporting

/// One report as the command line or a job's step asks for it.
struct DocumentRequest: FileRequest {
    var definition: ReportDefinition
    var formats: [ExportFormat]
    var selection: SelectionRequest
    var policy: FindingsPolicy
    /// Whether files are made anew although the same selection over unchanged data is registered already.
    var again: Bool
    var markExported: Bool
    /// Whether rows are judged before they are shown.
    var validates: Bool
    /// Only the first of each kind of page, not registered.
    var isPreview: Bool
    var brand: Brand
    var outputDirectory: String
    var pattern: String
    var line: DeliveryLine
    var draftName: String?
    /// Whether files are made although no record is selected.
    var allowsEmpty = false
    var maximumErrors: Int?
    var step: Int

    /// Codes of records that were asked for by name.
    var records: [String] = []

    var name: String { definition.name }
    func dialect(of format: ExportFormat) -> String? { nil }

    /// A selection's filter that also asks for records of these codes, by the field that people know them by.
    static func filter(_ definition: ReportDefinition, records: [String], _ session: CommandSession, _ stated: String?) -> String? {
        guard !records.isEmpty, let kind = session.pack.record(definition.record), let root = session.pack.entity(kind.root) else { return stated }
        let codes = records.map { "'" + $0.replacing("'", with: "''") + "'" }.joined(separator: ", ")
        let condition = "\(root.key.first ?? "id") in (\(codes))"
        return stated.map { "(\($0)) and \(condition)" } ?? condition
    }
}
