package import Blocks
package import Canvas
import Foundation
package import Model

/// A report's sections as pages of a PDF file. A section is laid out, drawn and forgotten before the next one comes.
package final class PDFRenderer: ReportRenderer {
    private let head: DocumentHead
    private let style: PageStyle
    private let file: PDFFile
    private let document: PDFDocument
    private let blocks: BlockFlow
    /// Whether sheets are counted section by section; else the whole document is laid out before its first page is drawn, which
    /// then says of how many it is one.
    private let numbersBySection: Bool
    private var waiting: [(SectionContent, PageFrame, PageFlow)] = []
    /// Outline entries of sections whose pages stand for rows, by the section's name.
    private var parents: [String: Int] = [:]

    /// - Parameters:
    ///   - path: the file's final one; it grows beside it.
    ///   - recorder: is told of every text and its place, for tests.
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
                    created: Timestamp.format(head.asOf)),
                writing: { try file.write($0) })
        }
        document.recorder = recorder
    }

    package func add(_ section: SectionContent) throws {
        try ReportFailure.translating { try set(section) }
    }

    private func set(_ section: SectionContent) throws {
        let frame = PageFrame(head: head, style: style, paper: section.paper)
        let flow = PageFlow(typesetter: document.typesetter, style: style, frame: frame.content)
        try blocks.flow(section.blocks, into: flow)
        if numbersBySection {
            try draw(section, frame, flow, before: 0, of: flow.pages.count)
        } else {
            waiting.append((section, frame, flow))
        }
    }

    private func draw(_ section: SectionContent, _ frame: PageFrame, _ flow: PageFlow, before: Int, of count: Int) throws {
        for (index, page) in flow.pages.enumerated() {
            try document.page(width: frame.size.width, height: frame.size.height) { canvas in
                if index == 0 { canvas.destination(named: section.anchor, at: Point(x: 0, y: 0)) }
                try frame.draw(sheet: .init(page: before + index + 1, pages: count), on: canvas, page: document.pageCount + 1)
                for draw in page { try draw(canvas) }
            }
        }
        outline(section)
    }

    private func outline(_ section: SectionContent) {
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
        // A file without a page is none.
        if document.pageCount == 0 { try addEmptyPage() }
        try document.finish()
        return try file.close(rows: document.pageCount)
    }

    private func addEmptyPage() throws {
        let frame = PageFrame(head: head, style: style, paper: ReportPaper())
        let flow = PageFlow(typesetter: document.typesetter, style: style, frame: frame.content)
        flow.paragraph(head.words("nothing_selected"), style.text(10, .regular, italic: true, style.muted))
        try document.page(width: frame.size.width, height: frame.size.height) { canvas in
            try frame.draw(sheet: .init(page: 1, pages: 1), on: canvas, page: 1)
            for draw in flow.pages[0] { try draw(canvas) }
        }
    }
}
