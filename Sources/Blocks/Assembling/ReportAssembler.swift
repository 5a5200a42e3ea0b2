package import Model

/// Makes a report's sections, in order, from its template and the rows of its queries.
package final class ReportAssembler {
    private let context: ReportContext
    /// The template's sections, with their blocks read once.
    private let sections: [(section: ReportSection, blocks: [(when: Expression?, block: any Block)])]
    /// Content of the last page: what was selected and what was left out.
    private let scope: SectionContent?

    /// - Parameter scope: a last section, used where the template asks for one.
    package init(
        _ definition: ReportDefinition, pack: Pack, head: DocumentHead, source: any ReportSource, photos: PhotoShelf, scope: SectionContent?
    ) {
        context = ReportContext(definition: definition, pack: pack, head: head, source: source, photos: photos)
        sections = definition.sections.map { section in
            (section, section.blocks.compactMap { block in BlockList.block(block).map { (block.when, $0) } })
        }
        self.scope = definition.statesScope ? scope : nil
    }

    /// Passes on every section in order.
    /// - Parameter isPreview: whether only the first row of each `each` is shown.
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
        _ section: ReportSection, _ blocks: [(when: Expression?, block: any Block)], _ row: ReportRow?, isOfRow: Bool
    ) throws -> SectionContent {
        let id = isOfRow ? row?.text(section.forEach ?? "id") : nil
        let title = context.text(section.title, row) ?? section.name
        let anchor = id.map { "\(section.name)/\($0)" } ?? section.name
        context.beginSection()
        let content = try blocks.compactMap { when, block in try context.holds(when, row) ? try block.content(row, context) : nil }
        return SectionContent(
            name: section.name, title: title.isEmpty ? context.head.words("none") : title, anchor: anchor,
            isOfRow: isOfRow, paper: section.paper ?? context.definition.paper, begins: section.begins, blocks: content,
            data: SectionData(
                context.definition, pack: context.pack, anchor: anchor, row: row, shown: context.shown,
                revision: context.definition.code?.revision.flatMap { row?.text($0) }))
    }
}
