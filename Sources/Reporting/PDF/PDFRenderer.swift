package import Blocks
package import Canvas
import Foundation
package import Model
import PDFArchive

/// Writes a report's sections as pages of a PDF file.
package final class PDFRenderer: ReportRenderer {
    private let head: DocumentHead
    private let style: PageStyle
    private let file: PDFFile
    private let document: PDFDocument
    private let blocks: BlockFlow
    /// Whether pages are numbered section by section. Each section is then drawn before the next is
    /// laid out. Else the whole document is laid out before its first page is drawn, since each
    /// page states their total number.
    private let numbersBySection: Bool
    private var waiting: [(SectionContent, PageFrame, PageFlow)] = []

    /// - Parameters:
    ///   - path: the final path; the file grows beside it.
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
                    title: "\(head.title) – \(head.project)", author: head.author, subject: head.project, keywords: "", creator: "Fichero",
                    created: Timestamp.format(head.asOf), language: head.language.rawValue),
                writing: { try file.write($0) })
        }
        document.recorder = recorder
    }

    package func add(_ section: SectionContent) throws {
        try ReportFailure.translating { try set(section) }
    }

    private func set(_ section: SectionContent) throws {
        let frame = PageFrame(head: head, style: style, paper: section.paper, hasCode: section.data?.code != nil)
        let flow = PageFlow(typesetter: document.typesetter, style: style, frame: frame.content)
        try blocks.flow(section.blocks, into: flow)
        if numbersBySection {
            try draw(section, frame, flow, before: 0, of: flow.pages.count)
        } else {
            waiting.append((section, frame, flow))
        }
    }

    private func draw(_ section: SectionContent, _ frame: PageFrame, _ flow: PageFlow, before: Int, of count: Int) throws {
        document.structure.add(flow.section)
        if let data = section.data {
            document.attach(try Attachment(name: data.name, type: "application/json", about: section.title, bytes: data.bytes))
        }
        for (index, page) in flow.pages.enumerated() {
            try document.page(width: frame.size.width, height: frame.size.height) { canvas in
                if index == 0 { canvas.destination(named: section.anchor, at: Point(x: 0, y: 0)) }
                try frame.draw(sheet: .init(page: before + index + 1, pages: count), on: canvas, page: document.pageCount + 1)
                if let code = section.data?.code {
                    // Said once in a section, seen on each of its sheets.
                    let figure = index == 0 ? flow.section.child(.figure, alternative: code) : StructureElement(.artifact)
                    canvas.draw(as: figure) { frame.draw(code: code, on: canvas) }
                }
                for draw in page { try draw(canvas) }
            }
        }
        document.addOutline(section.title, to: section.anchor)
    }

    package func finish() throws -> WrittenFile {
        try ReportFailure.translating { try drawAll() }
    }

    private func drawAll() throws -> WrittenFile {
        let count = waiting.reduce(0) { $0 + $1.2.pages.count }
        var before = 0
        for (section, frame, flow) in waiting {
            try draw(section, frame, flow, before: before, of: count)
            before += flow.pages.count
        }
        waiting = []
        // A PDF file must have a page.
        if document.pageCount == 0 { try addEmptyPage() }
        try document.finish()
        return try file.close(rows: document.pageCount)
    }

    private func addEmptyPage() throws {
        let frame = PageFrame(head: head, style: style, paper: ReportPaper())
        let flow = PageFlow(typesetter: document.typesetter, style: style, frame: frame.content)
        document.structure.add(flow.section)
        flow.paragraph(head.words("nothing_selected"), style.text(10, .regular, italic: true, style.muted))
        try document.page(width: frame.size.width, height: frame.size.height) { canvas in
            try frame.draw(sheet: .init(page: 1, pages: 1), on: canvas, page: 1)
            for draw in flow.pages[0] { try draw(canvas) }
        }
    }
}
