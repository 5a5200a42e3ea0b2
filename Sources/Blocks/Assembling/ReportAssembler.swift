import Foundation
package import Model
package import Photos

/// Makes a report's sections, in order, from its template and the rows of its queries.
package final class ReportAssembler {
    private let context: ReportContext
    /// The template's sections with their blocks, read from the template once and used for every
    /// row.
    private let sections: [(section: ReportSection, blocks: [(when: Model.Expression?, block: any Block)])]
    /// Content of an additional last page, which lists what the report includes and what it leaves
    /// out.
    private let scope: SectionContent?

    /// - Parameter scope: the additional last page, used unless the template turns it off.
    package init(
        _ definition: ReportDefinition, pack: Pack, head: DocumentHead, source: any ReportSource, photos: PhotoShelf,
        scope: SectionContent?
    ) {
        context = ReportContext(definition: definition, pack: pack, head: head, source: source, photos: photos)
        sections = definition.sections.map { section in
            (section, section.blocks.compactMap { block in BlockList.block(block).map { (block.when, $0) } })
        }
        self.scope = definition.statesScope ? scope : nil
    }

    /// Passes on every section in order.
    /// - Parameter isPreview: whether to make each repeated (`each`) section only once.
    package func forEachSection(isPreview: Bool = false, _ body: (SectionContent) throws -> Void) throws {
        let project = try context.rows("project", for: nil).first
        for (section, blocks) in sections {
            guard let each = section.each else {
                try body(try content(section, blocks, project, isOfRow: false))
                continue
            }
            var values: Set<String?> = []
            for row in try context.rows(each, for: project) {
                if let column = section.forEach, !values.insert(row.text(column)).inserted { continue }
                try body(try content(section, blocks, row, isOfRow: true))
                if isPreview { break }
            }
        }
        if let scope, !isPreview { try body(scope) }
    }

    private func content(
        _ section: ReportSection, _ blocks: [(when: Model.Expression?, block: any Block)], _ row: ReportRow?,
        isOfRow: Bool
    ) throws -> SectionContent {
        let id = isOfRow ? row?.text(section.forEach ?? "id") : nil
        let title = context.text(section.title, row) ?? section.name
        let anchor = id.map { "\(section.name)/\($0)" } ?? section.name
        context.beginSection()
        let content = try blocks.compactMap { when, block in
            try context.holds(when, row) ? try block.content(row, context) : nil
        }
        return SectionContent(
            name: section.name, title: title.isEmpty ? context.head.words("none") : title, anchor: anchor,
            isOfRow: isOfRow, paper: section.paper ?? context.definition.paper, begins: section.begins, blocks: content,
            data: SectionData(
                context.definition, pack: context.pack, anchor: anchor, row: row, shown: context.shown,
                revision: context.definition.code?.revision.flatMap { row?.text($0) }))
    }
}

/// Photos for pages: opens photos and scales them down.
package final class PhotoShelf {
    /// Scales a photo down and turns it upright; nil when it cannot be decoded.
    package typealias Shrinking = (_ jpeg: [UInt8], _ longestSide: Int) -> ReportPicture?

    private let folder: PhotoFolder
    private let shrink: Shrinking
    private let longestSide: Int
    private let words: ReportWords

    /// - Parameter longestSide: the maximum longer side of the small pictures, in pixels.
    package init(folder: PhotoFolder, longestSide: Int, words: ReportWords, shrink: @escaping Shrinking) {
        self.folder = folder
        self.longestSide = longestSide
        self.words = words
        self.shrink = shrink
    }

    /// The photo at a stored path, or the reason why there is no picture.
    func picture(at path: String?) throws -> (picture: ReportPicture?, missing: String?) {
        guard let path else { return (nil, words("photo_missing")) }
        switch folder.read(path) {
        case .missing: return (nil, words("photo_missing"))
        case .unreadable: return (nil, words("photo_unreadable"))
        case .failed: throw ReportFailure.photoNotRead(path: path)
        case .read(let file):
            guard let picture = shrink(file.bytes, longestSide) else { return (nil, words("photo_unreadable")) }
            return (picture, nil)
        }
    }
}

extension ReportAssembler {
    /// Passes on every section in order, while a second thread reads rows and photos for the next
    /// few sections. Pages are set and drawn on the calling thread.
    ///
    /// No other code may use the assembler, its source or its photos until this method returns.
    package func forEachSectionAhead(isPreview: Bool = false, _ body: (SectionContent) throws -> Void) throws {
        let ahead = SectionsAhead(self, isPreview: isPreview)
        let thread = Thread { ahead.run() }
        thread.name = "fichero.sections"
        thread.start()
        defer { ahead.sections.stop() }
        var section: SectionContent?
        while try ahead.sections.take(&section) {
            // Moves the section out of the variable, so that its photos are released after use and
            // none remain in memory while the next section is awaited.
            if let section = section.take() { try body(section) }
        }
    }
}

/// Runs an assembler on a second thread, which makes sections ahead of their use.
private final class SectionsAhead: Sendable {
    private struct Stopped: Error {}

    /// The maximum number of sections waiting in the queue, with their small photos.
    let sections = BoundedQueue([SectionContent?](repeating: nil, count: 6))
    // Not Sendable, but used only by the thread of `run` until the sections have ended.
    nonisolated(unsafe) private let assembler: ReportAssembler
    private let isPreview: Bool

    init(_ assembler: ReportAssembler, isPreview: Bool) {
        unsafe self.assembler = assembler
        self.isPreview = isPreview
    }

    func run() {
        do {
            try unsafe assembler.forEachSection(isPreview: isPreview) { section in
                var section = Optional(section)
                guard try sections.give(&section) else { throw Stopped() }
            }
            sections.end()
        } catch {
            sections.end(error)
        }
    }
}
