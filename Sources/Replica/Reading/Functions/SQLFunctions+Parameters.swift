import GRDBSQLite
import JSONReading
import Model

/// Functions that describe a family's schema and the values of its parameters in words for people.
/// `Docs/pack-format.md` describes each; both give NULL for what they cannot judge.
extension SQLFunctions {
    /// - Parameter texts: for yes and no.
    static func registerForPeople(on handle: OpaquePointer, texts: Texts) {
        let schemas = ResultCache<[ParameterColumn]>(limit: 200)
        func parameters(_ schema: String?, _ language: String?) -> (parameters: [ParameterColumn], language: Language)? {
            guard let schema, let language = language.flatMap(Language.init) else { return nil }
            let known = schemas.value(of: language.rawValue + schema) { _ in ParameterColumn.parameters(of: schema, in: language) }
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
            let parts = parameters.filter { arguments[2] == nil || $0.scope == arguments[2] }.compactMap { parameter -> String? in
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
            .init(key: "label", value: .string(column.label)), .init(key: "unit", value: column.unit.map { .string($0) } ?? .null),
            .init(key: "kind", value: .string(kind)), .init(key: "scope", value: .string(scope)),
            .init(key: "adds", value: adds.map { .string($0) } ?? .null),
        ])
    }

    /// A value with its unit as people write it in a language; nil where there is none.
    fileprivate func phrase(_ value: MemoryRows.Value, in language: Language, texts: Texts) -> String? {
        var text: String
        switch value {
        case .null: return nil
        case .integer(let integer):
            text = column.kind == .boolean ? texts.text(integer == 0 ? "word.no" : "word.yes", in: language) : String(integer)
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
