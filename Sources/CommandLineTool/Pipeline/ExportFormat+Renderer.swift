import Blocks
import Model
import Reporting

extension ExportFormat {
    /// The renderer that writes a report in this format.
    func renderer(of report: ReportDefinition, head: DocumentHead, to path: String) throws -> any ReportRenderer {
        switch self {
        case .xlsx: try WorkbookRenderer(head: head, path: path, drawings: try CanvasPictures(head))
        default: try PDFRenderer(head, to: path, numbersBySection: report.sections.contains { $0.each != nil })
        }
    }
}
