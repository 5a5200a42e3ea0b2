import Model
import Recording

/// One export as the command line or a job's step asks for it.
struct ExportRequest {
    var definition: ExportDefinition
    var formats: [ExportFormat]
    var dialect: CSVDialect
    /// Whether CSV files go into one ZIP.
    var zipped: Bool
    var selection: SelectionRequest
    var policy: FindingsPolicy
    /// Whether files are made anew although the same selection over unchanged data is registered already.
    var again: Bool
    var markExported: Bool
    /// Whether rows are judged before they are written; off only where writers are timed.
    var validates: Bool
    var outputDirectory: String
    var pattern: String
    var line: DeliveryLine
    var draftName: String?
    /// Whether files are made although no record is selected.
    var allowsEmpty = false
    var maximumErrors: Int?
    /// Number of the step in its run, from 0.
    var step: Int

    static let defaultPattern = OutputName.standard
}
