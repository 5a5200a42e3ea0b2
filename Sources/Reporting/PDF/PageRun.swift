import Blocks
import Canvas
import PDFArchive

/// Sections that share pages: the first begins a page, and the others follow where it ends.
final class PageRun {
    struct Section {
        let title: String
        let anchor: String
        /// The index of its first page in the run, and its place on it.
        let page: Int
        let y: Double
        /// What is laid out, as a part of the document's structure.
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

    /// The height that a further section has on the last page.
    var room: Double { flow.remaining - Self.gap }

    func begin(_ section: SectionContent) {
        flow.space(Self.gap)
        flow.beginSection()
        // The first section's link leads to the page's upper edge, so that the head is seen.
        let isFirst = sections.isEmpty
        sections.append(Section(
            title: section.title, anchor: section.anchor, page: flow.pages.count - 1, y: isFirst ? 0 : flow.y, element: flow.section, data: section.data))
    }
}
