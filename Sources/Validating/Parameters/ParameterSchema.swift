import Model
import Schemas

/// The requirements of a family for the parameters of its types and instances. Each text is
/// compiled once.
///
/// There are two forms, a list of parameters and JSON Schema. Both are compiled to the same
/// program.
struct ParameterSchema: Sendable {
    /// The owner of a parameter's value: the type, once for all of its instances, or each instance.
    enum Scope: String, Sendable, CaseIterable {
        case type, instance
    }

    /// The parameters in the order of the schema.
    var parameters: [Parameter]
    /// The index of a parameter by each name that may be a key of values: key, id, name.
    var names: KeyTable
    /// Whether nulls, blanks and empty wrappings count as no value, as they do in list form.
    var isLenient: Bool
    /// The indexes of the parameters that conditions use, which are their columns.
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
        // Values of one scope neither need the parameters of the other scope nor are judged by
        // them.
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
