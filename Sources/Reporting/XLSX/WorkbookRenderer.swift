package import Blocks
package import Model
import OutputFiles
import Spreadsheets

/// Writes sections as the sheets of a workbook. Numbers are cells of numbers, and days cells of
/// days; a sheet with one table can be filtered.
package final class WorkbookRenderer: ReportRenderer {
    private var file: WorkbookFile?
    private var draft: WorkbookDraft?
    private let head: DocumentHead
    private let pictures: PictureStore
    private var sections = 0

    /// - Parameters:
    ///   - path: the final path; its directory exists.
    ///   - drawings: makes the drawings, which a workbook cannot.
    package init(head: DocumentHead, path: String, drawings: any DrawingPictures) throws {
        self.head = head
        let file = WorkbookFile(finalPath: path)
        pictures = try PictureStore(beside: path)
        draft = try WorkbookDraft(head: head, drawings: drawings, pictures: pictures, path: file.draftPath)
        self.file = consume file
    }

    package func add(_ section: SectionContent) throws {
        guard let draft else { return }
        sections += 1
        let sheet = try draft.addSheet(section.title, anchor: section.anchor)
        var pen = try SheetPen(section, sheet, draft)
        try pen.draw()
    }

    package func finish() throws -> WrittenFile {
        guard let draft, let file = file.take() else { throw OutputFailure.library(name: "libxlsxwriter", reason: "finished twice") }
        if sections == 0 {
            // A workbook must have a sheet.
            try add(
                SectionContent(
                    name: "", title: head.title, anchor: "", isOfRow: false, paper: ReportPaper(),
                    blocks: [TextContent(head.words("sheet.empty"), style: .note)]))
        }
        try draft.complete()
        let rows = draft.rows
        try draft.close()
        self.draft = nil
        return try file.finish(rows: rows, pictures: pictures)
    }
}
