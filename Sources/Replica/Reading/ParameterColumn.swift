import JSONReading
import Model

/// One parameter of a family's schema, as a column: from the list form (`key`, `label`, `type`, `scope` …) or the app's own form
/// (`id`, `name`, `dataType`, `scope` …; an array, or an object with `parameters`).
struct ParameterColumn: Sendable, Hashable {
    var key: String
    var id: String?
    var scope: String
    var column: SheetColumn

    /// The parameters of a schema in its order; none when it is no schema.
    static func parameters(of schema: String, in language: Language) -> [ParameterColumn] {
        guard let value = try? JSONValue.parse(schema), let items = value.items ?? value["parameters"]?.items else { return [] }
        return items.compactMap { parameter($0, language) }
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
            key: key, id: value["id"]?.text, scope: scope,
            column: SheetColumn(
                name: key, label: label, unit: value["unit"]?.text, kind: kind, options: type == "list" ? [] : options, isClosed: !options.isEmpty,
                isParameter: true))
    }
}
