package import Blocks
package import Canvas
import Counting
import Foundation
package import Model
import OutputFiles
import PDFArchive

/// Writes a report's sections as pages of a PDF file.
package final class PDFRenderer: ReportRenderer {
    private let head: DocumentHead
    private let style: PageStyle
    private let file: PDFFile
    private let document: PDFDocument
    private let blocks: BlockFlow
    /// Whether pages are numbered by section. Sections on shared pages are then drawn before the
    /// next is laid out. Otherwise the whole document is laid out before its first page is drawn,
    /// since each page shows the total number.
    private let numbersBySection: Bool
    /// Sections that are laid out but not yet drawn. The next section may begin on the last page of
    /// the last run.
    private var waiting: [PageRun] = []

    /// - Parameters:
    ///   - path: the final path; the file is written beside it.
    ///   - recorder: records every text and its place, for tests.
    package init(_ head: DocumentHead, to path: String, numbersBySection: Bool, recorder: TextRecorder? = nil) throws {
        self.head = head
        self.numbersBySection = numbersBySection
        style = PageStyle(head.brand, linksPages: head.isWhole)
        blocks = BlockFlow(head: head)
        let file = try PDFFile(finalPath: path)
        self.file = file
        document = try ReportFailure.translating {
            try PDFDocument(
                PDFDocument.Metadata(
                    title: "\(head.title) – \(head.project)", author: head.author, subject: head.project, keywords: "",
                    creator: "Fichero",
                    created: Timestamp.format(head.asOf), language: head.language.rawValue),
                writing: { try file.write($0) })
        }
        document.recorder = recorder
    }

    package func add(_ section: SectionContent) throws {
        try ReportFailure.translating { try set(section) }
    }

    private func set(_ section: SectionContent) throws {
        if let last = waiting.last, try follows(section, on: last) { return try set(section, in: last) }
        if numbersBySection { try drawWaiting() }
        let frame = PageFrame(
            head: head, style: style, paper: section.paper, hasCode: section.data?.code != nil,
            identity: section.identity, typesetter: document.typesetter)
        let run = PageRun(
            frame: frame, flow: PageFlow(typesetter: document.typesetter, style: style, frame: frame.content))
        waiting.append(run)
        try set(section, in: run)
    }

    private func set(_ section: SectionContent, in run: PageRun) throws {
        run.begin(section)
        try blocks.flow(section.blocks, into: run.flow, isAlone: run.frame.isOfOneSection)
    }

    /// Whether a section begins on the last page of a run; otherwise it begins a new page.
    private func follows(_ section: SectionContent, on run: PageRun) throws -> Bool {
        // A page with a QR code or an identity in its head belongs to a single section.
        guard section.paper == run.frame.paper, run.room > 0, section.data?.code == nil, section.identity == nil,
            !run.frame.isOfOneSection
        else { return false }
        return switch section.begins {
        case .page: false
        case .anywhere: try blocks.startHeight(of: section.blocks, like: run.flow) <= run.room
        case .whole: try blocks.height(of: section.blocks, like: run.flow) <= run.room
        }
    }

    /// Draws all waiting pages and numbers them together.
    private func drawWaiting() throws {
        let count = waiting.reduce(0) { $0 + $1.flow.pages.count }
        var before = 0
        for run in waiting {
            for section in run.sections {
                document.structure.add(section.element)
                guard let data = section.data else { continue }
                document.attach(
                    try Attachment(name: data.name, type: "application/json", about: section.title, bytes: data.bytes))
            }
            for (index, page) in run.flow.pages.enumerated() {
                before += 1
                try document.page(width: run.frame.size.width, height: run.frame.size.height) { canvas in
                    for section in run.sections where section.page == index {
                        canvas.destination(named: section.anchor, at: Point(x: 0, y: section.y))
                    }
                    try run.frame.draw(
                        sheet: .init(page: before, pages: count), on: canvas, page: document.pageCount + 1)
                    if let first = run.sections.first, let code = first.data?.code {
                        // A screen reader reads the QR code's text once in a section, though each
                        // of its pages shows the QR code.
                        let figure =
                            index == 0 ? first.element.child(.figure, alternative: code) : StructureElement(.artifact)
                        canvas.draw(as: figure) { run.frame.draw(code: code, on: canvas) }
                    }
                    for draw in page { try draw(canvas) }
                }
            }
            for section in run.sections { document.addOutline(section.title, to: section.anchor) }
        }
        waiting = []
    }

    package func finish() throws -> WrittenFile {
        try ReportFailure.translating { try drawAll() }
    }

    private func drawAll() throws -> WrittenFile {
        try drawWaiting()
        // A PDF file must have a page.
        if document.pageCount == 0 { try addEmptyPage() }
        try document.finish()
        return try file.close(rows: document.pageCount)
    }

    private func addEmptyPage() throws {
        let frame = PageFrame(head: head, style: style, paper: ReportPaper(), typesetter: document.typesetter)
        let flow = PageFlow(typesetter: document.typesetter, style: style, frame: frame.content)
        document.structure.add(flow.section)
        flow.paragraph(head.words("nothing_selected"), style.text(10, .regular, italic: true, style.muted))
        try document.page(width: frame.size.width, height: frame.size.height) { canvas in
            try frame.draw(sheet: .init(page: 1, pages: 1), on: canvas, page: 1)
            for draw in flow.pages[0] { try draw(canvas) }
        }
    }
}

/// The file of an unfinished PDF. Closing it leaves the complete, flushed file under its temporary
/// name; abandoning it before deletes the file.
final class PDFFile {
    private var file: OutputFile?

    init(finalPath: String) throws {
        file = try OutputFile(finalPath: finalPath)
    }

    func write(_ bytes: [UInt8]) throws {
        try file?.write(bytes.span)
    }

    /// Reads the file back to its end, because cairo makes most of it. Throws
    /// `OutputFailure.inputOutput` if the file is incomplete.
    ///
    /// - Parameter rows: the number of pages, which the written file reports as `rows`.
    func close(rows: Int) throws -> WrittenFile {
        guard let closing = file.take() else { throw ReportFailure.library(name: "cairo", reason: "closed twice") }
        let written = try closing.close(rows: rows)
        do throws(CountFault) {
            let pages = try WrittenPDF(path: written.temporaryPath).pages
            guard pages != rows else { return written }
            throw .damaged("it has \(pages) pages in place of \(rows)")
        } catch {
            try? FileManager.default.removeItem(atPath: written.temporaryPath)
            throw OutputFailure.inputOutput(path: written.finalPath, reason: error.reason)
        }
    }
}

/// Sections on shared pages: the first begins a page, and each further section begins below its
/// predecessor.
final class PageRun {
    struct Section {
        let title: String
        let anchor: String
        /// The index of its first page in the run, and the height on that page where it begins.
        let page: Int
        let y: Double
        /// The layout, as a part of the document's structure.
        let element: StructureElement
        let data: SectionData?
    }

    let frame: PageFrame
    let flow: PageFlow
    private(set) var sections: [Section] = []

    /// Points between two sections on a page.
    private static let gap = 14.0

    init(frame: PageFrame, flow: PageFlow) {
        self.frame = frame
        self.flow = flow
    }

    /// The height left for a further section on the last page.
    var room: Double { flow.remaining - Self.gap }

    func begin(_ section: SectionContent) {
        flow.space(Self.gap)
        flow.beginSection()
        // The first section's link leads to the page's upper edge, so that the head is visible.
        let isFirst = sections.isEmpty
        sections.append(
            Section(
                title: section.title, anchor: section.anchor, page: flow.pages.count - 1, y: isFirst ? 0 : flow.y,
                element: flow.section, data: section.data))
    }
}
