import Foundation
import Model
import Mustache

/// Paragraphs from a mustache file in the report's folder, filled from the section's row.
struct PageBlock: Block {
    static let name = "page"
    static let keys: [BlockKey] = [.required("file", .page, "A mustache file beside the template, filled from the section's row.")]

    private let file: String

    init?(_ template: PackNode) {
        guard let file = template.text("file") else { return nil }
        self.file = file
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> TextContent? {
        do {
            let compiled = try context.page(file)
            guard let row else { return TextContent(compiled.render([String: String]())) }
            let cells = row.columns.query.columns.map { ($0.name, context.values.cell(row.value($0.name), $0)) }
            // An empty value counts as missing, so that sections and inverted sections can test for
            // it.
            let values = cells.filter { !$0.1.isEmpty }.map { ($0.0, $0.1.text) }
            return TextContent(compiled.render(Dictionary(values) { first, _ in first }))
        } catch let error as MustacheTemplate.ParserError {
            throw ReportFailure.page(report: context.definition.name, file: file, reason: "\(error.error) (\(error.context.lineNumber))")
        }
    }
}
