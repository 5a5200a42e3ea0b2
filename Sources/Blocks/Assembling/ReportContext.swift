import Expressions
import Model
import Mustache

/// What the blocks of one report are made with: the template, its rows, the language, photos. Used by one thread at a time.
final class ReportContext {
    let definition: ReportDefinition
    let pack: Pack
    let head: DocumentHead
    let values: ValueText
    let photos: PhotoShelf
    private let source: any ReportSource
    private let columns: [String: ReportRowColumns]
    private var programs: [String: [Expression: ExpressionProgram]] = [:]
    private let builtIn: [String: MemoryRows.Value]
    private var pages: [String: MustacheTemplate] = [:]

    init(definition: ReportDefinition, pack: Pack, head: DocumentHead, source: any ReportSource, photos: PhotoShelf) {
        self.definition = definition
        self.pack = pack
        self.head = head
        self.source = source
        self.photos = photos
        values = ValueText(language: head.language, timeZone: head.timeZone, texts: pack.texts, report: definition.name)
        columns = Dictionary(definition.queries.map { ($0.name, ReportRowColumns($0)) }) { first, _ in first }
        builtIn = ["today": .text(OfficeDay.text(of: head.asOf, in: head.timeZone)), "language": .text(head.language.rawValue)]
    }

    // MARK: Rows

    /// The rows of a query, in memory: a report holds what stands on its pages.
    func rows(_ name: String, for row: ReportRow?) throws -> [ReportRow] {
        guard let columns = columns[name] else { return [] }
        let parameters = (row?.parameters ?? [:]).merging(builtIn) { _, new in new }
        let opened = try source.rows(of: columns.query, parameters: parameters)
        var rows: [ReportRow] = []
        while true {
            var batch = RowBatch(columnCount: opened.columnCount, rowCapacity: 8, textCapacity: 512)
            try opened.fill(&batch)
            if batch.rowCount == 0 { break }
            let filled = batch
            rows += (0..<filled.rowCount).map { ReportRow(columns: columns, batch: filled, row: $0) }
        }
        return rows
    }

    func query(_ name: String) -> ReportQuery? { columns[name]?.query }

    private func program(_ expression: Expression, _ row: ReportRow) throws -> ExpressionProgram {
        let name = row.columns.query.name
        if let known = programs[name]?[expression] { return known }
        let program = try row.columns.program(expression)
        programs[name, default: [:]][expression] = program
        return program
    }

    func holds(_ expression: Expression?, _ row: ReportRow?) throws -> Bool {
        guard let expression, let row else { return expression == nil }
        return row.isTrue(try program(expression, row))
    }

    /// A mustache file of the report's folder.
    func page(_ file: String) throws -> MustacheTemplate {
        if let known = pages[file] { return known }
        // What stands on a page is no HTML.
        let compiled = try MustacheTemplate(string: "{{% CONTENT_TYPE: TEXT}}" + (definition.pages[file] ?? ""))
        pages[file] = compiled
        return compiled
    }

    // MARK: Texts and values

    /// A text under its key, the report's own before the pack's, or a pattern; `{column}` filled from a row, parts in brackets left out
    /// where a column has no value.
    func text(_ text: ReportText?, _ row: ReportRow?) -> String? {
        guard let text else { return nil }
        let filled = text.isPattern ? text.source : self.text(under: text.source)
        guard filled.contains("{"), let row else { return filled }
        var arguments: [String: String] = [:]
        for column in row.columns.query.columns where filled.contains("{\(column.name)}") {
            arguments[column.name] = values.cell(row.value(column.name), column).text
        }
        return TextPattern(filled).fill(arguments)
    }

    /// The text under a key: the report's own before the pack's.
    private func text(under key: String) -> String {
        pack.texts.textIfAny("report.\(definition.name).\(key)", in: head.language) ?? pack.texts.text(key, in: head.language)
    }

    /// A value of a row as a cell.
    func cell(_ value: ReportValue, _ row: ReportRow) throws -> ReportCell {
        switch value {
        case .column(let name): return row.columns.query.column(name).map { values.cell(row.value(name), $0) } ?? .empty
        case .code(let name):
            guard var column = row.columns.query.column(name) else { return .empty }
            column.vocabulary = nil
            return values.cell(row.value(name), column)
        case .expression(let expression, var column):
            let result = row.result(of: try program(expression, row))
            // A number is one without being told.
            if case .text = result {} else if column.type == .text { column.type = .decimal }
            return values.cell(result, column)
        case .text(let text): return .text(self.text(text, row) ?? "")
        }
    }

    /// The column behind a value, where there is one.
    func column(_ value: ReportValue, of query: ReportQuery) -> ReportColumn? {
        switch value {
        case .column(let name), .code(let name): query.column(name)
        case .expression(_, let column): column
        case .text: nil
        }
    }

    func label(_ column: ReportColumn) -> String {
        guard let key = column.label else { return column.name }
        return text(under: key)
    }

    /// Label and unit: `Profundidad (m)`.
    func heading(_ label: ReportText?, _ value: ReportValue, of query: ReportQuery) -> String {
        let column = column(value, of: query)
        let text = self.text(label, nil) ?? column.map { self.label($0) } ?? ""
        guard let unit = column?.unit else { return text }
        return "\(text) (\(unit))"
    }
}
