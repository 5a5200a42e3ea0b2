import Expressions
import Foundation
import Model

/// Where a field's value comes from, with every heading resolved to its column once for a table.
indirect enum ValuePlan {
    case column([Int], [CellConversion])
    case join([Int], separator: String, [CellConversion])
    case constant(String)
    case expression(ExpressionProgram, [CellConversion])
    case parent(entity: String, by: [(field: String, value: ValuePlan)])
    case ordinal([Int])
    case other(OtherTable, by: [Int], [CellConversion])

    /// What a plan is made with: the heading, and the parts that rows share.
    struct Scene {
        let heading: Heading
        let columns: NamedColumns
        let other: (ImportMapping.Other) throws -> OtherTable?
        /// What `{n}` stands for.
        let number: Int?

        func places(of headings: [String]) -> [Int] { heading.places(of: headings.map(filled)) }

        func filled(_ text: String) -> String {
            guard let number else { return text }
            return text.replacingOccurrences(of: "{n}", with: String(number))
        }
    }

    /// Nil where the file has none of the columns: then it says nothing about the field.
    init?(_ field: ImportMapping.Field, _ scene: Scene) throws {
        switch field.value {
        case .column(let headings):
            let places = scene.places(of: headings)
            guard !places.isEmpty else { return nil }
            self = .column(places, field.conversions)
        case .join(let headings, let separator):
            let places = scene.places(of: headings)
            guard !places.isEmpty else { return nil }
            self = .join(places, separator: separator, field.conversions)
        case .constant(let text): self = .constant(scene.filled(text))
        case .expression(let expression): self = .expression(try scene.columns.program(of: expression), field.conversions)
        case .parent(let entity, let by):
            let plans = try by.map { ($0.name, try ValuePlan($0, scene)) }
            let known = plans.compactMap { name, plan in plan.map { (field: name, value: $0) } }
            guard known.count == plans.count else { return nil }
            self = .parent(entity: entity, by: known)
        case .ordinal(let headings): self = .ordinal(scene.places(of: headings))
        case .other(let other):
            let places = scene.places(of: other.by)
            guard places.count == other.by.count, let table = try scene.other(other) else { return nil }
            self = .other(table, by: places, field.conversions)
        }
    }
}

extension ImportMapping.Field {
    /// Every heading that the field's value asks for.
    var headings: [String] {
        switch value {
        case .column(let names), .join(let names, _), .ordinal(let names): names
        case .constant, .expression: []
        case .parent(_, let by): by.flatMap(\.headings)
        case .other(let other): other.by
        }
    }
}

extension ImportMapping.Field {
    /// Names of tables that the field's value is looked up in.
    var otherTables: [String] {
        switch value {
        case .other(let other): [other.table]
        case .parent(_, let by): by.flatMap(\.otherTables)
        default: []
        }
    }
}

extension ImportMapping.Table {
    /// Every heading that the part reads, those with `{n}` left out.
    var allHeadings: [String] { named.filter { !$0.contains("{n}") } }

    /// Those with `{n}`, as patterns.
    var numbered: [String] { named.filter { $0.contains("{n}") }.map { $0.replacingOccurrences(of: "{n}", with: "*") } }

    private var named: [String] {
        columns.flatMap(\.headings) + requires + targets.flatMap { $0.fields.flatMap(\.headings) + $0.requires + ($0.photo?.headings ?? []) }
    }
}
