import JSONReading
import Model

/// One parameter of a family's schema, as a column: from the list form (`key`, `label`, `type`,
/// `scope` …) or the app's own form (`id`, `name`, `dataType`, `scope` …; an array, or an object
/// with `parameters`), or a property of a JSON Schema.
struct ParameterColumn: Sendable, Hashable {
    var key: String
    var id: String?
    var scope: String
    /// How its values add up: `sum`, `mean`, `count` or `none`; nil: the schema does not say.
    var adds: String?
    var column: SheetColumn

    /// The parameters of a schema in its order; none for a text that is no schema.
    static func parameters(of schema: String, in language: Language) -> [ParameterColumn] {
        guard let value = try? JSONValue.parse(schema) else { return [] }
        if let items = value.items ?? value["parameters"]?.items { return items.compactMap { parameter($0, language) } }
        return (value["properties"]?.members ?? []).map { property($0.key, $0.value, language) }
    }

    private static func property(_ key: String, _ value: JSONValue, _ language: Language) -> ParameterColumn {
        let label = value["x-label"].flatMap { $0.text ?? $0[language.rawValue]?.text } ?? value["title"]?.text ?? key
        let options = value["enum"]?.items?.compactMap { $0.text } ?? []
        let kind: SheetColumn.Kind =
            switch value["type"]?.text {
            case "integer": .integer
            case "number": .decimal(decimals: nil)
            case "boolean": .boolean
            case "string" where value["format"]?.text == "date": .date
            default: .text
            }
        let unit = value["x-unit"]?.text ?? ""
        return ParameterColumn(
            key: key, id: nil, scope: value["x-scope"]?.text ?? "instance", adds: value["x-adds"]?.text,
            column: SheetColumn(
                name: key, label: label, unit: unit.isEmpty ? nil : unit, kind: kind, options: options, isClosed: !options.isEmpty,
                isParameter: true))
    }

    private static func parameter(_ value: JSONValue, _ language: Language) -> ParameterColumn? {
        guard let key = value["key"]?.text ?? value["name"]?.text ?? value["id"]?.text else { return nil }
        let scope = (value["scope"]?.text ?? "instance").lowercased()
        let type = (value["type"]?.text ?? value["dataType"]?.text ?? "text").lowercased()
        let label = value["label"].flatMap { $0.text ?? $0[language.rawValue]?.text } ?? value["name"]?.text ?? key
        let options = (value["options"] ?? value["enumValues"])?.items?.compactMap { $0.text } ?? []
        let kind: SheetColumn.Kind =
            switch type {
            case "integer": .integer
            case "decimal", "number": .decimal(decimals: nil)
            case "boolean": .boolean
            case "date": .date
            default: .text
            }
        return ParameterColumn(
            key: key, id: value["id"]?.text, scope: scope, adds: value["adds"]?.text,
            column: SheetColumn(
                name: key, label: label, unit: value["unit"]?.text, kind: kind, options: type == "list" ? [] : options, isClosed: !options.isEmpty,
                isParameter: true))
    }
}
