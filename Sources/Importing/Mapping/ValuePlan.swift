import Foundation
import Model

/// The computation of a field's value. Headings are resolved to columns once per table.
indirect enum ValuePlan {
    case column([Int], [CellConversion])
    case join([Int], separator: String, [CellConversion])
    case constant(String)
    case expression(ExpressionProgram, [CellConversion])
    case parent(entity: String, by: [Part])
    /// The record whose key is part of a file name.
    case named(NamedRecords)
    case ordinal([Int])
    case layer(LayerValue)
    /// A value looked up in another table.
    case other(LookupTable, by: [ValuePlan])
    case identifier([ValuePlan])
    case object([Part])
    case merge([ValuePlan])

    /// A value with the name of its field or member.
    struct Part {
        let name: String
        let value: ValuePlan
    }

    /// Whether the value comes from a single cell, in the same unit.
    var isOfCell: Bool {
        guard case .column(_, let conversions) = self else { return false }
        return !conversions.contains { [.feet, .inches, .centimetres, .millimetres].contains($0) }
    }

    /// The context in which plans are made: the table's heading, and data for all rows.
    struct Scene {
        let heading: Heading
        let columns: NamedColumns
        let other: (ImportMapping.Other, [CellConversion]) throws -> LookupTable
        /// The number of the row within its line, which replaces `{n}` in headings.
        let number: Int?
        /// The values of options that the import was given.
        let given: [String: String]

        func places(of headings: [String]) -> [Int] { heading.places(of: headings.map(filled)) }

        func filled(_ text: String) -> String {
            guard let number else { return text }
            return text.replacingOccurrences(of: "{n}", with: String(number))
        }
    }

    /// Nil if the file has none of the columns, and so contains nothing for the field.
    init?(_ field: ImportMapping.Field, _ scene: Scene) throws {
        switch field.value {
        case .column(let headings):
            let places = scene.places(of: headings)
            if places.isEmpty, let code = field.givenProject {
                self = .constant(code)
                return
            }
            guard !places.isEmpty else { return nil }
            self = .column(places, field.conversions)
        case .join(let headings, let separator):
            let places = scene.places(of: headings)
            guard !places.isEmpty else { return nil }
            self = .join(places, separator: separator, field.conversions)
        case .constant(let text): self = .constant(scene.filled(text))
        // `bound(to:)` has replaced such values by the table's columns.
        case .ofTable: return nil
        case .option(let name):
            guard let value = scene.given[name] else { return nil }
            self = .constant(value)
        case .expression(let expression):
            guard try !scene.columns.isSilent(expression) else { return nil }
            self = .expression(try scene.columns.program(of: expression), field.conversions)
        case .parent(let entity, let by):
            let known = try by.compactMap { part in try ValuePlan(part, scene).map { Part(name: part.name, value: $0) }
            }
            guard known.count == by.count else { return nil }
            for case (let field, .named(let records)) in known.map({ ($0.name, $0.value) }) {
                records.begin(entity, field, among: known.filter { $0.name != field })
            }
            self = .parent(entity: entity, by: known)
        case .named(let headings, let words): self = .named(NamedRecords(in: scene.places(of: headings), words: words))
        case .ordinal(let headings): self = .ordinal(scene.places(of: headings))
        case .layer(let layer): self = .layer(LayerValue(layer, field.conversions, scene.places))
        case .other(let other):
            let by = try other.by.compactMap { try ValuePlan($0, scene) }
            guard by.count == other.by.count else { return nil }
            self = .other(try scene.other(other, field.conversions), by: by)
        case .identifier(let parts):
            let plans = try parts.compactMap { try ValuePlan($0, scene) }
            guard plans.count == parts.count else { return nil }
            self = .identifier(plans)
        case .object(let members):
            self = .object(
                try members.compactMap { member in
                    try ValuePlan(member, scene).map { Part(name: member.name, value: $0) }
                })
        case .merge(let parts): self = .merge(try parts.compactMap { try ValuePlan($0, scene) })
        }
    }
}

extension ValuePlan {
    /// The value of a plan that needs only the row: a column or a lookup. Other plans depend on the
    /// entity of their field.
    func text(of row: ForeignRow, words: ConversionWords, table: String) throws(MappingFault) -> String? {
        switch self {
        case .column(let places, let conversions):
            guard let cell = row.first(places) else { return nil }
            return try row.converted(cell, conversions, words, table: table, field: nil)
        case .other(let other, let by):
            var key: [String] = []
            for part in by {
                guard let text = try part.text(of: row, words: words, table: table) else { return nil }
                key.append(text)
            }
            return try other.converted(key, nil)
        case .constant(let text): return text
        default: return nil
        }
    }
}

extension ImportMapping.Field {
    /// Every heading that the field's value uses.
    package var headings: [String] {
        switch value {
        case .column(let names), .join(let names, _), .named(let names, _), .ordinal(let names): names
        case .constant, .option, .ofTable, .expression: []
        case .layer(let layer): layer.allHeadings
        case .parent(_, let by), .identifier(let by), .object(let by), .merge(let by): by.flatMap(\.headings)
        case .other(let other): other.by.flatMap(\.headings)
        }
    }
}

extension ImportMapping.Field {
    /// Every lookup that the field's value needs.
    var others: [ImportMapping.Other] {
        switch value {
        case .other(let other): [other] + (other.key + other.by).flatMap(\.others)
        case .parent(_, let by), .identifier(let by), .object(let by), .merge(let by): by.flatMap(\.others)
        default: []
        }
    }
}

extension ImportMapping.Other {
    /// Headings of the lookup table that are read.
    var allHeadings: [String] { key.flatMap(\.headings) + only.keys.sorted() + contentHeadings }

    var contentHeadings: [String] {
        switch content {
        case .value(let headings, _, _): headings
        case .members(let name, let value): name + value
        case .schema(let name, let value, let unit, _): name + value + unit
        }
    }
}

extension ImportMapping.Table {
    /// Every heading that the part reads, except those with `{n}`.
    var allHeadings: [String] { named.filter { !$0.contains("{n}") } }

    /// Headings with `{n}`, as patterns.
    var numbered: [String] { named.filter { $0.contains("{n}") }.map { $0.replacingOccurrences(of: "{n}", with: "*") } }

    private var named: [String] {
        columns.flatMap { $0.headings + ($0.other?.headings ?? []) } + down + requires
            + targets.flatMap { $0.fields.flatMap(\.headings) + $0.requires + ($0.photo?.headings ?? []) }
    }
}

extension ImportMapping {
    /// Whether a column of some table contains the pictures of its rows.
    var hasContents: Bool { tables.contains { $0.targets.contains { $0.photo?.isContent == true } } }

    /// Every lookup in another table.
    var others: [Other] {
        (tables.flatMap { table in table.targets.flatMap(\.fields) + table.columns.compactMap(\.other) }
            + forms.flatMap(\.rows).flatMap(\.target.fields))
            .flatMap(\.others)
    }
}

/// Computes an edge of a layer from the rows above it, separately for each record.
final class LayerValue {
    private let layer: ImportMapping.Layer
    private let conversions: [CellConversion]
    private let (places, within, unless): ([Int], [Int], [Int])
    /// The lowest edge so far, by record. It has no value if the last row contained none.
    private var edges: [String: NeighbourValues.Edge] = [:]

    init(_ layer: ImportMapping.Layer, _ conversions: [CellConversion], _ find: ([String]) -> [Int]) {
        (self.layer, self.conversions) = (layer, conversions)
        (places, within, unless) = (find(layer.headings), find(layer.within), find(layer.unless))
    }

    /// Computes the value for a row; must be called once for each row, in the file's order.
    ///
    /// - Parameters:
    ///   - again: set for a rejected row that is retried; it contains the edge above the row.
    ///   - around: receives the edge above the row, to be stored if the row is rejected.
    func value(
        of row: ForeignRow, words: ConversionWords, table: String, field: String, again: RetryState?,
        around: inout NeighbourValues
    ) throws(MappingFault) -> String? {
        func text(_ places: [Int]) throws(MappingFault) -> String? {
            guard let cell = row.first(places) else { return nil }
            return try row.converted(cell, conversions, words, table: table, field: field)
        }
        let record = within.map { row.text($0).map(ColumnName.normal) ?? "" }.joined(separator: "\u{1F}")
        let above = again?.edge(of: field, record: record) ?? edges[record] ?? .init(value: layer.first)
        let top = above.value
        around.note(above, of: field)
        // The edge is unknown until it has been read from this row. If a fault follows, the edge of
        // an earlier row must not be used.
        edges[record] = .init(line: row.number)
        let said = try text(unless)
        let given = try text(places)
        if layer.given == .thickness, let given, !Self.isNumber(given) {
            throw MappingFault(
                code: "IMPORT-NO-NUMBER", cell: row.first(places).flatMap { row.cellName($0.column) }, field: field,
                arguments: ["value": String(given.prefix(80))])
        }
        let bottom =
            layer.given == .bottom ? given : Self.sum(said.flatMap { layer.edge == .top ? $0 : nil } ?? top, given)
        let end = layer.edge == .bottom ? said ?? bottom : bottom
        edges[record] = .init(value: end, line: row.number)
        again?.note(end, of: field, record: record, line: row.number)
        if let said { return said }
        guard let value = layer.edge == .top ? top : bottom else {
            if layer.edge == .bottom, given == nil { return nil }
            throw MappingFault(
                code: "IMPORT-NO-ROW-ABOVE", field: field, arguments: ["name": layer.unless.first ?? field])
        }
        return value
    }

    private static let number = CachedRegex(/\s*[-+]?[0-9]+(\.[0-9]*)?\s*/)

    /// Whether the whole text is a number; `Decimal` would read `0,40` as 0.
    private static func isNumber(_ text: String) -> Bool { text.wholeMatch(of: number.regex) != nil }

    private static func sum(_ first: String?, _ second: String?) -> String? {
        guard [first, second].allSatisfy({ $0.map(isNumber) == true }) else { return nil }
        let locale = Locale(identifier: "en_US_POSIX")
        guard let first = first.flatMap({ Decimal(string: $0, locale: locale) }),
            let second = second.flatMap({ Decimal(string: $0, locale: locale) })
        else { return nil }
        return (first + second).description
    }
}
