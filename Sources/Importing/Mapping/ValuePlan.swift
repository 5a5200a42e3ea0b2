import Foundation
import Model

/// How a field's value is computed, with every heading resolved to its column once for each table.
indirect enum ValuePlan {
    case column([Int], [CellConversion])
    case join([Int], separator: String, [CellConversion])
    case constant(String)
    case expression(ExpressionProgram, [CellConversion])
    case parent(entity: String, by: [Part])
    case named(NamedRecords)
    case ordinal([Int])
    case layer(LayerValue)
    case other(LookupTable, by: [ValuePlan])
    case identifier([ValuePlan])
    case object([Part])
    case merge([ValuePlan])

    /// A named value: of a field or of a member.
    struct Part {
        let name: String
        let value: ValuePlan
    }

    /// Whether the value comes from a single cell, in the same unit.
    var isOfCell: Bool {
        guard case .column(_, let conversions) = self else { return false }
        return !conversions.contains { [.feet, .inches, .centimetres, .millimetres].contains($0) }
    }

    /// The context in which plans are made: the heading, and what rows share.
    struct Scene {
        let heading: Heading
        let columns: NamedColumns
        let other: (ImportMapping.Other, [CellConversion]) throws -> LookupTable
        /// The number that replaces `{n}`.
        let number: Int?
        /// The values of options that the import was given.
        let given: [String: String]

        func places(of headings: [String]) -> [Int] { heading.places(of: headings.map(filled)) }

        func filled(_ text: String) -> String {
            guard let number else { return text }
            return text.replacingOccurrences(of: "{n}", with: String(number))
        }
    }

    /// Nil where the file has none of the columns: then it contains nothing for the field.
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
        // `TableBinding` has put the table's own columns in its place.
        case .ofTable: return nil
        case .option(let name):
            guard let value = scene.given[name] else { return nil }
            self = .constant(value)
        case .expression(let expression):
            guard try !scene.columns.isSilent(expression) else { return nil }
            self = .expression(try scene.columns.program(of: expression), field.conversions)
        case .parent(let entity, let by):
            let known = try by.compactMap { part in try ValuePlan(part, scene).map { Part(name: part.name, value: $0) } }
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
            self = .object(try members.compactMap { member in try ValuePlan(member, scene).map { Part(name: member.name, value: $0) } })
        case .merge(let parts): self = .merge(try parts.compactMap { try ValuePlan($0, scene) })
        }
    }
}

extension ValuePlan {
    /// The value of a plan that needs only the row: a column, or a lookup. Other plans need the
    /// entity that they are for.
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
    var headings: [String] {
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
        columns.flatMap { $0.headings + ($0.other?.headings ?? []) } + down + requires + targets.flatMap { $0.fields.flatMap(\.headings) + $0.requires + ($0.photo?.headings ?? []) }
    }
}

extension ImportMapping {
    /// Whether a column contains the files of its rows.
    var hasContents: Bool { tables.contains { $0.targets.contains { $0.photo?.isContent == true } } }

    /// Every lookup in another table.
    var others: [Other] {
        (tables.flatMap { table in table.targets.flatMap(\.fields) + table.columns.compactMap(\.other) } + forms.flatMap(\.rows).flatMap(\.target.fields))
            .flatMap(\.others)
    }
}
