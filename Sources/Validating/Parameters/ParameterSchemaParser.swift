import JSONReading
import Model
import Patterns

/// Reads a family's parameter schema: the pack's list form (`[{"key", "type", …}]`) or the form of the field app (an array, or an object
/// with `parameters`, of `{"id", "name", "dataType", "scope", "isRequired", "validation": {…}}`).
struct ParameterSchemaParser {
    /// A schema, if there is one to judge by, and everything that is wrong with the text, in English.
    struct Outcome: Sendable {
        var schema: ParameterSchema?
        var faults: [String]
    }

    private struct Fault: Error {
        var reason: String
        init(_ reason: String) { self.reason = reason }
    }

    private static let maximumCount = 1000
    /// Faults beyond the schema itself: by what they are about nothing is judged, by the rest it is.
    private var doubts: [String] = []
    private var conditions: [(index: Int, source: String)] = []

    static func parse(_ text: some Collection<UInt8>) -> Outcome {
        var parser = ParameterSchemaParser()
        do throws(Fault) {
            let list = try parser.list(text)
            return Outcome(schema: .list(list), faults: parser.doubts)
        } catch {
            return Outcome(schema: nil, faults: [error.reason] + parser.doubts)
        }
    }

    private mutating func list(_ text: some Collection<UInt8>) throws(Fault) -> ParameterList {
        let value: JSONValue
        do {
            value = try JSONValue.parse(text)
        } catch {
            throw Fault("no JSON: \(error.reason), line \(error.line)")
        }
        guard let items = value.items ?? value["parameters"]?.items else {
            throw Fault("neither a list of parameters nor an object with `parameters`")
        }
        guard items.count <= Self.maximumCount else { throw Fault("more than \(Self.maximumCount) parameters") }
        var list = ParameterList(parameters: [], indexes: [:])
        for (index, item) in items.enumerated() {
            let parameter = try self.parameter(item, index)
            for name in Set([parameter.key] + parameter.otherNames) {
                guard list.indexes.updateValue(index, forKey: name) == nil else { throw Fault("two parameters are called `\(name)`") }
            }
            list.parameters.append(parameter)
        }
        for (index, source) in conditions {
            list.parameters[index].requiredWhen = try condition(source, list, list.parameters[index].key)
        }
        return list
    }

    private func condition(_ source: String, _ list: ParameterList, _ key: String) throws(Fault) -> ExpressionProgram {
        let expression: Expression
        do {
            expression = try ExpressionParser.parse(source)
        } catch {
            throw Fault("`\(key)`: requiredWhen is no expression (character \(error.offset + 1))")
        }
        do {
            return try ExpressionProgram(expression) { list.indexes[$0.description] }
        } catch {
            throw Fault("`\(key)`: requiredWhen names `\(error.path)`, which is no parameter")
        }
    }

    // MARK: one parameter

    private mutating func parameter(_ item: JSONValue, _ index: Int) throws(Fault) -> Parameter {
        guard item.members != nil else { throw Fault("parameter \(index + 1) is no object") }
        var names: [String] = []
        for name in ["key", "id", "name"] {
            if let given = try text(item[name], "\(name) of parameter \(index + 1)") { names.append(given) }
        }
        guard let key = names.first, !key.isEmpty else { throw Fault("parameter \(index + 1) has neither key nor id") }
        // The field app keeps its bounds in an object of their own.
        let bounds = item["validation"].flatMap { $0.members == nil ? nil : $0 } ?? item
        var parameter = Parameter(
            key: key, otherNames: Array(names.dropFirst()),
            label: try label(item["label"], key) ?? item["name"]?.text ?? key,
            kind: try kind(item, key), scope: try scope(item["scope"], key))
        parameter.unit = try text(item["unit"], "unit of `\(key)`")
        parameter.isRequired = try flag(item["required"] ?? item["isRequired"], key)
        parameter.minimum = try bound(bounds["min"], "min", key)
        parameter.maximum = try bound(bounds["max"], "max", key)
        parameter.step = try bound(bounds["step"], "step", key)
        parameter.minimumLength = try length(bounds["minLength"], "minLength", key)
        parameter.maximumLength = try length(bounds["maxLength"], "maxLength", key)
        parameter.options = try options(item["options"] ?? item["enumValues"], key)
        if let source = try text(bounds["pattern"] ?? bounds["regex"], "pattern of `\(key)`"), !source.isEmpty {
            parameter.pattern = try pattern(source, key)
        }
        if let source = try text(item["requiredWhen"], "requiredWhen of `\(key)`") { conditions.append((index, source)) }
        try check(parameter)
        return parameter
    }

    /// One text for all languages, or a text for each. A finding is worded in the reader's language only when it is shown, so that
    /// a parameter with several labels is named by its key.
    private func label(_ value: JSONValue?, _ key: String) throws(Fault) -> String? {
        guard let members = value?.members else { return try text(value, "label of `\(key)`") }
        for member in members { _ = try text(member.value, "label of `\(key)` in `\(Quotation.shortened(member.key))`") }
        return key
    }

    private func check(_ parameter: Parameter) throws(Fault) {
        let key = parameter.key
        if let minimum = parameter.minimum, let maximum = parameter.maximum, minimum.number > maximum.number {
            throw Fault("`\(key)`: min is above max")
        }
        if let minimum = parameter.minimumLength, let maximum = parameter.maximumLength, minimum > maximum {
            throw Fault("`\(key)`: minLength is above maxLength")
        }
        if let step = parameter.step, !step.number.isPositive { throw Fault("`\(key)`: step is not above zero") }
        if parameter.kind == .enum, parameter.options.isEmpty { throw Fault("`\(key)`: an enum without options") }
    }

    private func kind(_ item: JSONValue, _ key: String) throws(Fault) -> Parameter.Kind {
        guard let word = try text(item["type"] ?? item["dataType"], "type of `\(key)`") else { throw Fault("`\(key)` has no type") }
        if let kind = Parameter.Kind(rawValue: word.lowercased()) { return kind }
        if word.lowercased() == "number" { return .decimal }
        throw Fault("`\(key)`: unknown type `\(Quotation.shortened(word))`")
    }

    private func scope(_ value: JSONValue?, _ key: String) throws(Fault) -> ParameterSchema.Scope {
        guard let word = try text(value, "scope of `\(key)`") else { return .instance }
        guard let scope = ParameterSchema.Scope(rawValue: word.lowercased()) else {
            throw Fault("`\(key)`: unknown scope `\(Quotation.shortened(word))`")
        }
        return scope
    }

    private mutating func pattern(_ source: String, _ key: String) throws(Fault) -> Pattern? {
        // `\\d` where `\d` was meant: escaped once more than JSON needs, so that it asks for a backslash, which nobody types.
        if source.contains("\\\\d") || source.contains("\\\\.") || source.contains("\\\\w") || source.contains("\\\\s") {
            doubts.append("`\(key)`: the pattern is escaped twice and matches nothing, so nothing is judged by it")
            return nil
        }
        do {
            return try Pattern(source)
        } catch {
            throw Fault("`\(key)`: the pattern is wrong at character \(error.offset + 1): \(error.reason)")
        }
    }

    // MARK: values of a parameter's keys; null is as good as absent

    private func text(_ value: JSONValue?, _ what: String) throws(Fault) -> String? {
        switch value {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw Fault("\(what) is no text")
        }
    }

    private func flag(_ value: JSONValue?, _ key: String) throws(Fault) -> Bool {
        switch value {
        case nil, .null: return false
        case .bool(let flag): return flag
        default: throw Fault("required of `\(key)` is neither true nor false")
        }
    }

    private func bound(_ value: JSONValue?, _ name: String, _ key: String) throws(Fault) -> Parameter.Bound? {
        switch value {
        case nil, .null:
            return nil
        case .number(let digits):
            guard let number = DecimalNumber(digits) else { break }
            return Parameter.Bound(number: number, text: digits)
        default:
            break
        }
        throw Fault("\(name) of `\(key)` is no number")
    }

    private func length(_ value: JSONValue?, _ name: String, _ key: String) throws(Fault) -> Int? {
        switch value {
        case nil, .null:
            return nil
        case .number(let digits):
            // Apps write whole numbers with a decimal as well.
            guard let length = Int(digits) ?? Double(digits).flatMap({ Int(exactly: $0) }), length >= 0 else { break }
            return length
        default:
            break
        }
        throw Fault("\(name) of `\(key)` is no length")
    }

    private func options(_ value: JSONValue?, _ key: String) throws(Fault) -> [String] {
        guard let value, value != .null else { return [] }
        guard let items = value.items else { throw Fault("options of `\(key)` are no list") }
        return try items.map { item throws(Fault) in
            switch item {
            case .string(let text): return text
            case .number(let digits): return digits
            case .object: if let text = item["value"]?.text { return text }
            default: break
            }
            throw Fault("an option of `\(key)` is no text")
        }
    }
}
