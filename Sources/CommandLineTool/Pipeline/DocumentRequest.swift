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
    var maximumErrors: Int?
    var step: Int

    var name: String { definition.name }
    func dialect(of format: ExportFormat) -> String? { nil }
}
