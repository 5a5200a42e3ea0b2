import JSONReading
import Patterns
import Schemas

/// Converts a family's schema from a list of parameters to the equivalent JSON Schema.
///
/// It accepts two forms: the pack's form (`{"key", "label", "type", "unit", "scope", "required",
/// "min", …}`), and the field app's form (`{"id", "name", "dataType", "scope", "isRequired",
/// "validation": {…}}`), with a separate object for the bounds.
struct ParameterListForm {
    /// The mistakes, each with its place in the list.
    private(set) var mistakes: [SchemaMistake] = []
    /// Mistakes in details. Such a detail is ignored, and the rest of the list is used.
    private(set) var doubts: [SchemaMistake] = []
    private let pointer: String
    /// The place of each parameter by its key, for mistakes found later.
    private var places: [String: String] = [:]

    private static let maximumCount = 1000
    private static let types: [String: (words: [String], isNumber: Bool)] = [
        "text": (["string"], false), "integer": (["integer"], true), "decimal": (["number"], true),
        "boolean": (["boolean"], false),
        "date": (["string"], false), "enum": (["string", "number"], false), "list": (["array"], false),
    ]

    init(pointer: String) {
        self.pointer = pointer
    }

    private struct Mistake: Error {
        var key: String?
        var reason: String

        init(_ key: String?, _ reason: String) {
            self.key = key
            self.reason = reason
        }
    }

    /// The JSON Schema; it leaves out parameters with mistakes.
    mutating func schema(of items: [JSONValue]) -> JSONValue {
        guard items.count <= Self.maximumCount else {
            mistakes.append(SchemaMistake(pointer: pointer, reason: "more than \(Self.maximumCount) parameters"))
            return .bool(true)
        }
        var properties: [JSONValue.Member] = []
        var required: [JSONValue] = []
        var names: Set<String> = []
        for (index, item) in items.enumerated() {
            let place = "\(pointer)/\(index)"
            do throws(Mistake) {
                let (key, others) = try self.names(item)
                for name in [key] + others where !names.insert(name).inserted {
                    throw Mistake(nil, "two parameters are called `\(Quotation.shortened(name))`")
                }
                places[key] = place
                properties.append(.init(key: key, value: try property(item, key, others, place)))
                if try flag(item, item["required"] == nil ? "isRequired" : "required") { required.append(.string(key)) }
            } catch {
                mistakes.append(
                    SchemaMistake(pointer: place + (error.key.map { "/" + $0 } ?? ""), reason: error.reason))
            }
        }
        return .object([
            .init(key: "type", value: .string("object")), .init(key: "properties", value: .object(properties)),
            .init(key: "required", value: .array(required)), .init(key: "additionalProperties", value: .bool(false)),
            .init(key: "x-lenient", value: .bool(true)),
        ])
    }

    /// A mistake in the JSON Schema, with its place in the list.
    func translated(_ mistake: SchemaMistake) -> SchemaMistake {
        let parts = mistake.pointer.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 2, parts[1] == "properties" else {
            return SchemaMistake(pointer: pointer, reason: mistake.reason)
        }
        let key = Self.plain(parts[2])
        let keyword = parts.last == "x-required-when" ? "/requiredWhen" : ""
        return SchemaMistake(
            pointer: (places[key] ?? pointer) + keyword, reason: "`\(Quotation.shortened(key))`: \(mistake.reason)")
    }

    /// A key as a part of a JSON pointer.
    static func escaped(_ key: String) -> String {
        key.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    /// The key in a part of a JSON pointer.
    static func plain(_ part: Substring) -> String {
        String(part.replacing("~1", with: "/").replacing("~0", with: "~"))
    }

    // MARK: one parameter

    private func names(_ item: JSONValue) throws(Mistake) -> (key: String, others: [String]) {
        guard item.members != nil else { throw Mistake(nil, "a parameter is an object") }
        var names: [String] = []
        for name in ["key", "id", "name"] {
            if let given = try text(item, name), !names.contains(given) { names.append(given) }
        }
        guard let key = names.first, !key.isEmpty else { throw Mistake(nil, "the parameter has neither key nor id") }
        return (key, Array(names.dropFirst()))
    }

    private mutating func property(_ item: JSONValue, _ key: String, _ others: [String], _ place: String)
        throws(Mistake) -> JSONValue
    {
        let word = try type(item)
        guard let type = Self.types[word] else { throw Mistake("type", "unknown type `\(Quotation.shortened(word))`") }
        let requirements = try requirements(item, word, isNumber: type.isNumber, place)
        var property: [JSONValue.Member] = [
            .init(key: "type", value: .array(type.words.map { .string($0) })),
            .init(key: "x-type", value: .string(word)),
            .init(key: "x-scope", value: .string(try scope(item))),
        ]
        property += requirements
        try judgeDefault(item["default"], by: property)
        if !others.isEmpty { property.append(.init(key: "x-names", value: .array(others.map { .string($0) }))) }
        if let label = try label(item) { property.append(.init(key: "x-label", value: label)) }
        if let unit = try text(item, "unit") { property.append(.init(key: "x-unit", value: .string(unit))) }
        if let adds = try adds(item, isNumber: type.isNumber) {
            property.append(.init(key: "x-adds", value: .string(adds)))
        }
        if let condition = try text(item, "requiredWhen") {
            property.append(.init(key: "x-required-when", value: .string(condition)))
        }
        return .object(property)
    }

    /// What the schema asks of the parameter's value, beside its type.
    private mutating func requirements(_ item: JSONValue, _ word: String, isNumber: Bool, _ place: String)
        throws(Mistake) -> [JSONValue.Member]
    {
        let options = try options(item)
        if word == "enum", options.isEmpty { throw Mistake(nil, "an enum without options") }
        let (bounds, inner) = item["validation"].flatMap { $0.members == nil ? nil : ($0, "validation/") } ?? (item, "")
        // The bounds are read whatever the type is, so that mistakes in them are always reported.
        let ofNumbers = try numberRequirements(bounds, inner), ofTexts = try textRequirements(bounds, inner, place)
        var asked = isNumber ? ofNumbers : []
        if word == "text" || word == "list" { asked += ofTexts }
        if word == "date" { asked.append(.init(key: "format", value: .string("x-date"))) }
        if (word == "enum" || word == "list") && !options.isEmpty {
            asked.append(.init(key: "enum", value: .array(options)))
        }
        guard word == "list" else { return asked }
        // The requirements apply to each text of the list.
        let words = options.isEmpty ? ["string"] : ["string", "number"]
        let head: [JSONValue.Member] = [
            .init(key: "type", value: .array(words.map { .string($0) })),
            .init(key: "x-type", value: .string(word)),
        ]
        return [.init(key: "items", value: .object(head + asked))]
    }

    private func numberRequirements(_ bounds: JSONValue, _ inner: String) throws(Mistake) -> [JSONValue.Member] {
        let minimum = try number(bounds, "min", inner), maximum = try number(bounds, "max", inner),
            step = try number(bounds, "step", inner)
        if let minimum, let maximum, minimum.number > maximum.number {
            throw Mistake(inner + "min", "min is above max")
        }
        if let step, !step.number.canBeStep {
            throw Mistake(inner + "step", "step is not above zero, or has more than 18 digits")
        }
        let keywords = [("minimum", minimum), ("maximum", maximum), ("multipleOf", step), ("x-step-from", minimum)]
        return keywords.compactMap { keyword, bound in bound.map { .init(key: keyword, value: .number($0.text)) } }
    }

    private mutating func textRequirements(_ bounds: JSONValue, _ inner: String, _ place: String)
        throws(Mistake) -> [JSONValue.Member]
    {
        let least = try length(bounds, "minLength", inner), most = try length(bounds, "maxLength", inner)
        if let least, let most, least > most { throw Mistake(inner + "minLength", "minLength is above maxLength") }
        var asked: [JSONValue.Member] = []
        if let least { asked.append(.init(key: "minLength", value: .number(String(least)))) }
        if let most { asked.append(.init(key: "maxLength", value: .number(String(most)))) }
        if let pattern = try pattern(bounds, inner, place) {
            asked.append(.init(key: "pattern", value: .string(pattern)))
            asked.append(.init(key: "x-whole-pattern", value: .bool(true)))
        }
        return asked
    }

    private func type(_ item: JSONValue) throws(Mistake) -> String {
        let key = item["type"] == nil ? "dataType" : "type"
        guard let word = try text(item, key) else { throw Mistake(nil, "the parameter has no type") }
        return word.lowercased() == "number" ? "decimal" : word.lowercased()
    }

    /// One text for all languages, or one for each. A finding gets the reader's language only when
    /// it is shown, so it uses the key of a parameter with several labels.
    private func label(_ item: JSONValue) throws(Mistake) -> JSONValue? {
        guard let members = item["label"]?.members else {
            return (try text(item, "label") ?? item["name"]?.text).map { .string($0) }
        }
        for member in members where member.value.text == nil {
            throw Mistake("label/" + Self.escaped(Quotation.shortened(member.key)), "the label is no text")
        }
        return item["label"]
    }

    /// The aggregation of values in reports. Only numbers have a sum or a mean.
    private func adds(_ item: JSONValue, isNumber: Bool) throws(Mistake) -> String? {
        guard let word = try text(item, "adds") else { return nil }
        guard let way = SchemaExtras.Adding(rawValue: word) else {
            throw Mistake("adds", "unknown way to add up `\(Quotation.shortened(word))`")
        }
        guard isNumber || !way.needsNumbers else { throw Mistake("adds", "only numbers have a \(word)") }
        return word
    }

    private func scope(_ item: JSONValue) throws(Mistake) -> String {
        let word = try text(item, "scope")?.lowercased() ?? "instance"
        guard ParameterSchema.Scope(rawValue: word) != nil else {
            throw Mistake("scope", "unknown scope `\(Quotation.shortened(word))`")
        }
        return word
    }

    private mutating func pattern(_ bounds: JSONValue, _ inner: String, _ place: String) throws(Mistake) -> String? {
        let key = bounds["pattern"] == nil ? "regex" : "pattern"
        guard let source = try text(bounds, key), !source.isEmpty else { return nil }
        // `\\d` has one escape too many. It would match a backslash in the value, which nobody
        // types.
        if ["\\\\d", "\\\\.", "\\\\w", "\\\\s"].contains(where: { source.contains($0) }) {
            doubts.append(
                SchemaMistake(
                    pointer: place + "/" + inner + key,
                    reason: "the pattern is escaped twice and matches nothing, so nothing is judged by it"))
            return nil
        }
        do {
            _ = try Pattern(source)
            return source
        } catch {
            throw Mistake(inner + key, "the pattern is wrong at character \(error.offset + 1): \(error.reason)")
        }
    }

    private func options(_ item: JSONValue) throws(Mistake) -> [JSONValue] {
        let key = item["options"] == nil ? "enumValues" : "options"
        guard let value = item[key], value != .null else { return [] }
        guard let items = value.items else { throw Mistake(key, "the options are no list") }
        var options: [JSONValue] = []
        for (index, item) in items.enumerated() {
            switch item {
            case .string(let text): options.append(.string(text))
            case .number(let digits): options.append(.string(digits))
            case .object where item["value"]?.text != nil: options.append(.string(item["value"]?.text ?? ""))
            default: throw Mistake("\(key)/\(index)", "an option is no text")
            }
        }
        // An option that looks like a number also matches that number.
        return options + options.compactMap { option in
            guard let text = option.text, case .number? = try? JSONValue.parse(text) else { return nil }
            return .number(text)
        }
    }

    private func judgeDefault(_ value: JSONValue?, by property: [JSONValue.Member]) throws(Mistake) {
        guard let value, value != .null else { return }
        let options = SchemaProgram.Options(assertsFormats: true, readsExtras: true)
        guard let program = SchemaProgram.compile(.object(property), options: options).program else { return }
        var machine = SchemaMachine(program)
        if let fault = machine.faults(of: value).first {
            throw Mistake("default", "the default breaks the parameter's own `\(fault.keyword)`")
        }
    }

    // MARK: values of a parameter's keys; null counts as absent

    private func text(_ item: JSONValue, _ key: String) throws(Mistake) -> String? {
        switch item[key] {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw Mistake(key, "\(key) is no text")
        }
    }

    private func flag(_ item: JSONValue, _ key: String) throws(Mistake) -> Bool {
        switch item[key] {
        case nil, .null: return false
        case .bool(let flag): return flag
        default: throw Mistake(key, "\(key) is neither true nor false")
        }
    }

    private func number(_ item: JSONValue, _ key: String, _ inner: String) throws(Mistake) -> (
        number: DecimalNumber, text: String
    )? {
        switch item[key] {
        case nil, .null: return nil
        case .number(let digits):
            if let number = DecimalNumber(digits) { return (number, digits) }
        default: break
        }
        throw Mistake(inner + key, "\(key) is no number")
    }

    private func length(_ item: JSONValue, _ key: String, _ inner: String) throws(Mistake) -> Int? {
        switch item[key] {
        case nil, .null: return nil
        case .number(let digits):
            // Apps may write whole numbers with a decimal point.
            if let length = Int(digits) ?? Double(digits).flatMap({ Int(exactly: $0) }), length >= 0 { return length }
        default: break
        }
        throw Mistake(inner + key, "\(key) is no length")
    }
}
