import Model
import Mustache

/// The context in which the blocks of one report are made: the template, its rows, the language,
/// photos. A context must be used from one thread at a time.
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
    private var placeholders: [String: [String]] = [:]
    /// The rows that the blocks of the current section requested, each query once.
    private(set) var shown: [(query: String, rows: [ReportRow])] = []
    private var numbers: [String: [Double]] = [:]

    init(definition: ReportDefinition, pack: Pack, head: DocumentHead, source: any ReportSource, photos: PhotoShelf) {
        self.definition = definition
        self.pack = pack
        self.head = head
        self.source = source
        self.photos = photos
        values = ValueText(language: head.language, timeZone: head.timeZone, texts: pack.texts, report: definition.name)
        columns = Dictionary(definition.queries.map { ($0.name, ReportRowColumns($0)) }) { first, _ in first }
        builtIn = [
            "today": .text(OfficeDay.text(of: head.asOf, in: head.timeZone)), "language": .text(head.language.rawValue),
        ]
    }

    // MARK: Rows

    /// The rows of a query, in memory: a report never has more rows than its pages show.
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
        if !shown.contains(where: { $0.query == name }) { shown.append((name, rows)) }
        return rows
    }

    /// Begins another section.
    func beginSection() { shown = [] }

    /// The numbers in a column of a query over the project, in ascending order.
    func numbers(_ column: String, of name: String) throws -> [Double] {
        // The rows read below are not shown by the section, so they are removed from `shown` again.
        let own = shown
        defer { shown = own }
        if let known = numbers["\(name).\(column)"] { return known }
        let found = try rows(name, for: rows(ReportDefinition.projectQuery, for: nil).first).compactMap {
            $0.number(column)
        }.sorted()
        numbers["\(name).\(column)"] = found
        return found
    }

    func query(_ name: String) -> ReportQuery? { columns[name]?.query }

    private func program(_ expression: Expression, _ row: ReportRow) throws -> ExpressionProgram {
        let name = row.columns.query.name
        if let known = programs[name]?[expression] { return known }
        let program = try row.columns.program(expression)
        programs[name, default: [:]][expression] = program
        return program
    }

    /// Whether a condition is true for a row; a block without a condition is always included.
    func holds(_ expression: Expression?, _ row: ReportRow?) throws -> Bool {
        guard let expression, let row else { return expression == nil }
        return row.isTrue(try program(expression, row))
    }

    /// A compiled Mustache file of the report's folder.
    func page(_ file: String) throws -> MustacheTemplate {
        if let known = pages[file] { return known }
        // Pages are plain text, so nothing is escaped as HTML.
        let compiled = try MustacheTemplate(string: "{{% CONTENT_TYPE: TEXT}}" + (definition.pages[file] ?? ""))
        pages[file] = compiled
        return compiled
    }

    // MARK: Texts and values

    /// The text under a key (the report's texts take precedence over the pack's), or a pattern.
    /// `{column}` is filled from a row, and parts in brackets are left out if a column has no
    /// value.
    func text(_ text: ReportText?, _ row: ReportRow?) -> String? {
        guard let text else { return nil }
        let pattern = pattern(text)
        guard pattern.contains("{"), let row else { return pattern }
        return TextPattern(pattern).fill(arguments(of: pattern, row))
    }

    /// A text as above, with totals over the rows of a query: `{max(depth_m)}`.
    func text(_ text: ReportText?, _ row: ReportRow?, totalsOf rows: [ReportRow], _ query: ReportQuery) -> String? {
        guard let text else { return nil }
        let pattern = pattern(text)
        guard pattern.contains("{") else { return pattern }
        var arguments = row.map { self.arguments(of: pattern, $0) } ?? [:]
        for placeholder in TextPattern.columns(in: pattern) {
            // A column with the placeholder's name takes precedence over a total.
            guard arguments[placeholder] == nil, let total = RowTotal(placeholder) else { continue }
            arguments[placeholder] = total.cell(of: rows, query, values).text
        }
        return TextPattern(pattern).fill(arguments)
    }

    private func pattern(_ text: ReportText) -> String { text.isPattern ? text.source : self.text(under: text.source) }

    private func arguments(of pattern: String, _ row: ReportRow) -> [String: String] {
        var arguments: [String: String] = [:]
        for name in placeholders(of: pattern) where arguments[name] == nil {
            guard let place = row.columns.places[name] else { continue }
            arguments[name] = values.cell(row.value(name), row.columns.query.columns[place]).text
        }
        return arguments
    }

    /// The placeholders of a pattern, cached since patterns are few and rows are many.
    private func placeholders(of pattern: String) -> [String] {
        if let known = placeholders[pattern] { return known }
        let found = TextPattern.columns(in: pattern)
        placeholders[pattern] = found
        return found
    }

    /// The text under a key: the report's text takes precedence over the pack's.
    private func text(under key: String) -> String {
        pack.texts.textIfAny("report.\(definition.name).\(key)", in: head.language)
            ?? pack.texts.text(key, in: head.language)
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
            // A numeric result counts as a number even if the template declares no type.
            if case .text = result {} else if column.type == .text { column.type = .decimal }
            return values.cell(result, column)
        case .text(let text): return .text(self.text(text, row) ?? "")
        }
    }

    /// The column from which a value is read; nil for a text.
    func column(_ value: ReportValue, of query: ReportQuery) -> QueryColumn? {
        switch value {
        case .column(let name), .code(let name): query.column(name)
        case .expression(_, let column): column
        case .text: nil
        }
    }

    func label(_ column: QueryColumn) -> String {
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
