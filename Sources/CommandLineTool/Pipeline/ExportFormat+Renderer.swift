import Blocks
import Model
import Reporting

extension ExportFormat {
    /// The renderer that writes a report in this format.
    func renderer(of report: ReportDefinition, head: DocumentHead, to path: String) throws -> any ReportRenderer {
        switch self {
        case .xlsx: try WorkbookRenderer(head: head, path: path, drawings: try CanvasPictures(head))
        case .pdf: try PDFRenderer(head, to: path, numbersBySection: report.numbersBySection)
        // The check of a pack gives no other format to a report. A delivery in an archive chooses one
        // of these two for each report.
        case .csv, .xml, .json, .ics, .sqlite, .zip: preconditionFailure("\(self) is not a format of pages")
        }
    }
}
