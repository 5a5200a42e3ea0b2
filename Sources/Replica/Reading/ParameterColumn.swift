import GRDBSQLite
import JSONReading
import Model

/// One parameter of a family's schema, as a column of a sheet. A schema has one of three forms: the
/// list form (`key`, `label`, `type`, `scope` …), the app's form (`id`, `name`, `dataType`, `scope`
/// …; an array, or an object with `parameters`), or a JSON Schema with properties.
struct ParameterColumn: Sendable, Hashable {
    var key: String
    var id: String?
    var scope: String
    /// How the parameter's values are aggregated: `sum`, `mean`, `count` or `none`; nil if the
    /// schema does not contain it.
    var adds: String?
    var column: SheetColumn

    /// The parameters of a schema in its order; empty if the text is not a schema.
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
                name: key, label: label, unit: unit.isEmpty ? nil : unit, kind: kind, options: options,
                isClosed: !options.isEmpty,
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
                name: key, label: label, unit: value["unit"]?.text, kind: kind, options: type == "list" ? [] : options,
                isClosed: !options.isEmpty,
                isParameter: true))
    }
}

/// A parameter's value in an instance's or type's JSON: plain, or as the app writes it (`{"type":
/// "number", "numberValue": 30}`).
enum ParameterValue {
    static func find(in object: JSONValue, key: String?, id: String?) -> MemoryRows.Value? {
        guard let value = key.flatMap({ object[$0] }) ?? id.flatMap({ object[$0] }) else { return nil }
        return plain(value)
    }

    private static func plain(_ value: JSONValue) -> MemoryRows.Value {
        switch value {
        case .null: return .null
        case .bool(let bool): return .integer(bool ? 1 : 0)
        case .number(let digits):
            if let integer = Int64(digits) { return .integer(integer) }
            return Double(digits).map(MemoryRows.Value.real) ?? .text(digits)
        case .string(let text): return .text(text)
        case .array(let items): return .text(items.map { $0.text ?? $0.description }.joined(separator: "; "))
        case .object(let members):
            // The app's form contains the value's type, and the value under a name of that type.
            // Empty members of other types may be beside it; validation ignores them too.
            let wrapped = members.filter { $0.key.hasSuffix("Value") }
            guard value["type"]?.text != nil, !wrapped.isEmpty else { return .text(value.description) }
            return wrapped.first { $0.value != .null }.map { plain($0.value) } ?? .null
        }
    }
}

/// Functions that describe a family's schema and its parameters' values as readable text.
/// `Docs/pack-format.md` describes each; both return NULL for unsuitable arguments.
extension SQLFunctions {
    /// - Parameter texts: contain the words for yes and no.
    static func registerForPeople(on handle: OpaquePointer, texts: Texts) {
        let schemas = ResultCache<[ParameterColumn]>(limit: 200)
        func parameters(_ schema: String?, _ language: String?) -> (parameters: [ParameterColumn], language: Language)?
        {
            guard let schema, let language = language.flatMap(Language.init) else { return nil }
            let known = schemas.value(of: language.rawValue + schema) { _ in
                ParameterColumn.parameters(of: schema, in: language)
            }
            return (known, language)
        }
        unsafe add("schema_parameters", 2, handle) { arguments in
            guard let (parameters, _) = parameters(arguments[0], arguments[1]) else { return .null }
            return .text(JSONValue.array(parameters.map(\.json)).description)
        }
        unsafe add("parameter_text", 4, handle) { arguments in
            guard let (parameters, language) = parameters(arguments[1], arguments[3]),
                let object = arguments[0].flatMap({ try? JSONValue.parse($0) }), object.members != nil
            else { return .null }
            let parts = parameters.filter { arguments[2] == nil || $0.scope == arguments[2] }.compactMap {
                parameter -> String? in
                let value = ParameterValue.find(in: object, key: parameter.key, id: parameter.id) ?? .null
                return parameter.phrase(value, in: language, texts: texts).map { "\(parameter.column.label): \($0)" }
            }
            return parts.isEmpty ? .null : .text(parts.joined(separator: " · "))
        }
    }
}

extension ParameterColumn {
    /// The description of a parameter by `schema_parameters`: `{"key", "id", "label", "unit",
    /// "kind", "scope", "adds"}`.
    fileprivate var json: JSONValue {
        let kind = switch column.kind {
        case .integer, .decimal: "number"
        case .boolean: "boolean"
        case .date: "date"
        default: "text"
        }
        return .object([
            .init(key: "key", value: .string(key)), .init(key: "id", value: id.map { .string($0) } ?? .null),
            .init(key: "label", value: .string(column.label)),
            .init(key: "unit", value: column.unit.map { .string($0) } ?? .null),
            .init(key: "kind", value: .string(kind)), .init(key: "scope", value: .string(scope)),
            .init(key: "adds", value: adds.map { .string($0) } ?? .null),
        ])
    }

    /// A value with its unit, formatted for display in a language; nil if there is no value.
    fileprivate func phrase(_ value: MemoryRows.Value, in language: Language, texts: Texts) -> String? {
        var text: String
        switch value {
        case .null: return nil
        case .integer(let integer):
            text =
                column.kind == .boolean
                ? texts.text(integer == 0 ? "word.no" : "word.yes", in: language) : String(integer)
        case .real(let real):
            text = real == real.rounded() && abs(real) < 1e15 ? String(Int64(real)) : String(real)
            if language == .italian { text = text.replacing(".", with: ",") }
        case .text(let given):
            text = given
            let parts = given.split(separator: "-")
            if column.kind == .date, language != .english, given.utf8.count == 10, parts.map(\.count) == [4, 2, 2] {
                text = "\(parts[2])/\(parts[1])/\(parts[0])"
            }
        }
        guard !text.isEmpty else { return nil }
        return column.unit.map { text + " " + $0 } ?? text
    }
}
