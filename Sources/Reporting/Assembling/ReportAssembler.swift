import Foundation
import Mustache
package import Model

/// Makes a report's sections, one after the other, of its template and the rows of its queries.
package final class ReportAssembler {
    private let context: ReportContext
    private let tables: TableBuilder
    private let drawings: DrawingBuilder
    /// What stands on the last page: what was selected, what was left out.
    private let scope: SectionContent?
    private var pages: [String: MustacheTemplate] = [:]

    /// - Parameter scope: a last section, where the template asks for one.
    package init(
        _ definition: ReportDefinition, pack: Pack, head: DocumentHead, source: any ReportSource, photos: PhotoShelf, scope: SectionContent?
    ) {
        context = ReportContext(definition: definition, pack: pack, head: head, source: source, photos: photos)
        tables = TableBuilder(context: context)
        drawings = DrawingBuilder(context: context)
        self.scope = definition.statesScope ? scope : nil
    }

    /// Gives every section in order.
    /// - Parameter isPreview: only the first row of each `each`.
    package func forEachSection(isPreview: Bool = false, _ body: (SectionContent) throws -> Void) throws {
        let project = try context.rows("project", for: nil).first
        for section in context.definition.sections {
            guard let each = section.each else {
                try body(try content(section, project, isOfRow: false))
                continue
            }
            for row in try context.rows(each, for: project) {
                try body(try content(section, row, isOfRow: true))
                if isPreview { break }
            }
        }
        if let scope, !isPreview { try body(scope) }
    }

    private func content(_ section: ReportSection, _ row: ReportRow?, isOfRow: Bool) throws -> SectionContent {
        let id = isOfRow ? row?.text("id") : nil
        return SectionContent(
            name: section.name, title: context.text(section.title, row) ?? section.name, anchor: id.map { "\(section.name)/\($0)" } ?? section.name,
            isOfRow: isOfRow, paper: section.paper ?? context.definition.paper,
            blocks: try section.blocks.flatMap { block in
                try context.holds(block.when, row) ? try content(block.content, row) : []
            })
    }

    private func content(_ block: ReportBlock.Content, _ row: ReportRow?) throws -> [BlockContent] {
        switch block {
        case .title(let text, let level): [.title(context.text(text, row) ?? "", level: level)]
        case .text(let text, let style): [.text(context.text(text, row) ?? "", style: style)]
        case .page(let file, let template): [.text(try page(file, template, row), style: .normal)]
        case .fields(let columns, let items): [.fields(FieldsContent(columns: columns, items: try items.compactMap { try item($0, row) }))]
        case .table(let table): try tables.table(table, row).map { [.table($0)] } ?? []
        case .pivot(let pivot): try tables.pivot(pivot, row).map { [.table($0)] } ?? []
        case .chart(let chart): try drawings.chart(chart, row).map { [.chart($0)] } ?? []
        case .photos(let photos): try content(photos, row).map { [.photos($0)] } ?? []
        case .picture(let file, let height): [.picture(PictureContent(picture: try picture(file), millimetres: height))]
        case .log(let log): [.log(try drawings.log(log, row))]
        case .strip(let strip): [.strip(try drawings.strip(strip, row))]
        case .profile(let profile): [.profile(try drawings.profile(profile, row))]
        case .sketch(let sketch): [.sketch(try drawings.sketch(sketch, row))]
        case .plan(let plan): [.plan(try drawings.plan(plan, row))]
        case .symbols(let query, let symbol):
            try drawings.symbols(query, symbol, row).map { [.symbols($0)] } ?? []
        case .signatures(let signatures):
            [.signatures(signatures.map { signature in
                SignatureContent(label: context.text(signature.label, row) ?? "", name: signature.name.flatMap { row?.text($0) })
            })]
        case .pageBreak: [.pageBreak]
        case .space(let millimetres): [.space(millimetres: millimetres)]
        }
    }

    private func item(_ item: ReportBlock.Item, _ row: ReportRow?) throws -> FieldsContent.Item? {
        guard let row else { return nil }
        var cell = try context.cell(item.value, row)
        let column = context.column(item.value, of: row.columns.query)
        let label = context.text(item.label, row) ?? column.map { context.label($0) } ?? ""
        if cell.isEmpty {
            if item.hidesEmpty { return nil }
            cell = .text(context.text(item.empty, row) ?? "—")
        } else if let unit = column?.unit {
            cell.text += " " + unit
        }
        return FieldsContent.Item(label: label, cell: cell, span: item.span)
    }

    private func content(_ photos: ReportBlock.Photos, _ row: ReportRow?) throws -> PhotosContent? {
        let found = try context.rows(photos.query, for: row).map { photo in
            let path = photo.text(photos.path)
            let (picture, missing) = context.photos.picture(at: path)
            return PhotosContent.Photo(
                picture: picture, missing: missing, caption: context.text(photos.caption, photo) ?? "",
                link: context.text(photos.link, photo).flatMap { $0.isEmpty ? nil : .address($0) })
        }
        let empty = context.text(photos.empty, row)
        if found.isEmpty, empty == nil { return nil }
        return PhotosContent(
            title: context.text(photos.title, row), columns: photos.columns, millimetres: photos.height, photos: found, empty: empty)
    }

    private func picture(_ file: String) throws -> ReportPicture {
        let path = context.pack.directory.appendingPathComponent("reports/\(context.definition.name)/\(file)").path
        guard let data = FileManager.default.contents(atPath: path), let picture = ReportPicture(file: [UInt8](data)) else {
            throw ReportFailure.missingPicture(path: path)
        }
        return picture
    }

    private func page(_ file: String, _ template: String, _ row: ReportRow?) throws -> String {
        do {
            // What stands on a page is no HTML.
            let compiled = try pages[file] ?? MustacheTemplate(string: "{{% CONTENT_TYPE: TEXT}}" + template)
            pages[file] = compiled
            guard let row else { return compiled.render([String: String]()) }
            let cells = row.columns.query.columns.map { ($0.name, context.values.cell(row.value($0.name), $0)) }
            // An empty value is none, so that sections and inverted ones can ask for it.
            let values = cells.filter { !$0.1.isEmpty }.map { ($0.0, $0.1.text) }
            return compiled.render(Dictionary(values) { first, _ in first })
        } catch let error as MustacheTemplate.ParserError {
            throw ReportFailure.page(report: context.definition.name, file: file, reason: "\(error.error) (\(error.context.lineNumber))")
        }
    }
}
