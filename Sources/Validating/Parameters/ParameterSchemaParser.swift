import JSONReading
import Model
import Schemas

/// Reads a family's parameter schema: a list of parameters (`ParameterListForm`), or a JSON Schema
/// of draft 2020-12.
struct ParameterSchemaParser {
    /// The schema, if it is usable, and every mistake in the text: its place and its reason in
    /// English.
    struct Outcome: Sendable {
        var schema: ParameterSchema?
        var faults: [SchemaMistake]
    }

    /// The keywords that distinguish a JSON Schema from any other object.
    private static let keywords: Set<String> = [
        "$schema", "$ref", "$defs", "type", "properties", "patternProperties", "additionalProperties", "required",
        "allOf", "anyOf", "oneOf", "if",
    ]

    static func parse(_ text: some Collection<UInt8>) -> Outcome {
        let value: JSONValue
        do {
            value = try JSONValue.parse(text)
        } catch {
            return Outcome(
                schema: nil,
                faults: [SchemaMistake(pointer: "", reason: "no JSON: \(error.reason), line \(error.line)")])
        }
        if let items = value.items { return list(items, at: "") }
        if let items = value["parameters"]?.items { return list(items, at: "/parameters") }
        guard let members = value.members, members.contains(where: { keywords.contains($0.key) }) else {
            let reason = "neither a list of parameters, nor an object with `parameters`, nor a JSON Schema"
            return Outcome(schema: nil, faults: [SchemaMistake(pointer: "", reason: reason)])
        }
        return compile(value, isLenient: false)
    }

    private static func list(_ items: [JSONValue], at pointer: String) -> Outcome {
        var form = ParameterListForm(pointer: pointer)
        let schema = form.schema(of: items)
        guard form.mistakes.isEmpty else { return Outcome(schema: nil, faults: form.mistakes + form.doubts) }
        var outcome = compile(schema, isLenient: true)
        outcome.faults = outcome.faults.map { form.translated($0) } + form.doubts
        return outcome
    }

    private static func compile(_ value: JSONValue, isLenient: Bool) -> Outcome {
        // In a family's schema, `format` is always a requirement, and never only an annotation.
        let compiled = SchemaProgram.compile(value, options: .init(assertsFormats: true, readsExtras: true))
        guard let program = compiled.program else { return Outcome(schema: nil, faults: compiled.mistakes) }
        var conditions: [(index: Int, source: String)] = []
        var parameters: [Parameter] = []
        for property in program.properties() {
            let extras = program.extras(of: property.node)
            if let source = extras.requiredWhen { conditions.append((parameters.count, source)) }
            parameters.append(Parameter(
                key: property.name, otherNames: extras.otherNames, label: extras.label ?? property.name,
                scope: extras.scope.flatMap { ParameterSchema.Scope(rawValue: $0) } ?? .instance, unit: extras.unit))
        }
        var indexes: [String: Int] = [:]
        for (index, parameter) in parameters.enumerated() {
            for name in [parameter.key] + parameter.otherNames { indexes[name] = index }
        }
        var columns: [Int] = []
        var faults: [SchemaMistake] = []
        for (index, source) in conditions {
            do throws(ConditionMistake) {
                parameters[index].requiredWhen = try condition(source, indexes, &columns)
            } catch {
                let place = "/properties/" + ParameterListForm.escaped(parameters[index].key) + "/x-required-when"
                faults.append(SchemaMistake(pointer: place, reason: error.reason))
            }
        }
        guard faults.isEmpty else { return Outcome(schema: nil, faults: faults) }
        return Outcome(
            schema: ParameterSchema(program, parameters, isLenient: isLenient, conditionColumns: columns), faults: [])
    }

    private struct ConditionMistake: Error {
        var reason: String
    }

    private static func condition(
        _ source: String, _ indexes: [String: Int], _ columns: inout [Int]
    ) throws(ConditionMistake) -> ExpressionProgram {
        let expression: Expression
        do {
            expression = try ExpressionParser.parse(source)
        } catch {
            throw ConditionMistake(reason: "the condition is no expression (character \(error.offset + 1))")
        }
        // A schema must give the same result on every day.
        guard !expression.asksForOffice else {
            throw ConditionMistake(reason: "the condition asks for the day, which no schema knows")
        }
        for path in expression.fieldPaths {
            guard let index = indexes[path.description] else {
                throw ConditionMistake(reason: "the condition names `\(path)`, which is no parameter")
            }
            if !columns.contains(index) { columns.append(index) }
        }
        do {
            return try ExpressionProgram(expression) { [columns] path in
                indexes[path.description].flatMap { columns.firstIndex(of: $0) }
            }
        } catch {
            throw ConditionMistake(reason: "the condition names `\(error.path)`, which is no parameter")
        }
    }
}

/// The requirements of a family for the parameters of its types and instances. Each text is
/// compiled once.
///
/// There are two forms, a list of parameters and JSON Schema. Both are compiled to the same kind of
/// program.
struct ParameterSchema: Sendable {
    /// The owner of a parameter's value: the type, once for all of its instances, or each instance.
    enum Scope: String, Sendable, CaseIterable {
        case type, instance
    }

    /// The parameters in the order of the schema.
    var parameters: [Parameter]
    /// The index of a parameter by each name that may be the key of a value: key, id, name.
    var names: KeyTable
    /// Whether nulls, blanks and empty wrappers count as missing values, as they do in list form.
    var isLenient: Bool
    /// The indexes of the parameters used by conditions; each is a column for the expressions.
    var conditionColumns: [Int]
    private let typeProgram: SchemaProgram
    private let instanceProgram: SchemaProgram

    init(_ program: SchemaProgram, _ parameters: [Parameter], isLenient: Bool, conditionColumns: [Int]) {
        self.parameters = parameters
        self.isLenient = isLenient
        self.conditionColumns = conditionColumns
        names = KeyTable(parameters.enumerated().flatMap { index, parameter in
            ([parameter.key] + parameter.otherNames).map { ($0, index) }
        })
        // Values of one scope are not checked for the parameters of the other scope.
        typeProgram = program.pardoning(Set(parameters.filter { $0.scope == .instance }.map(\.key)))
        instanceProgram = program.pardoning(Set(parameters.filter { $0.scope == .type }.map(\.key)))
    }

    func program(for scope: Scope) -> SchemaProgram {
        scope == .type ? typeProgram : instanceProgram
    }
}

/// One parameter.
struct Parameter: Sendable {
    var key: String
    /// Other names that may be keys of values.
    var otherNames: [String] = []
    var label: String
    var scope: ParameterSchema.Scope
    var unit: String?
    /// The condition over the schema's condition columns.
    var requiredWhen: ExpressionProgram?
}
