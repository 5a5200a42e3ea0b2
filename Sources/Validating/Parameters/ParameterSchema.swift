import Expressions
import Model
import Schemas

/// What a family says about the parameters of its types and instances, compiled once for each text that says it.
///
/// There are two forms, a list of parameters and JSON Schema; both are compiled to the same program.
struct ParameterSchema: Sendable {
    /// To whom a parameter's value belongs: to the type, once for all of its instances, or to each instance.
    enum Scope: String, Sendable, CaseIterable {
        case type, instance
    }

    /// The parameters in the order of the schema.
    var parameters: [Parameter]
    /// Index of a parameter by each of the names under which values are keyed: key, id, name.
    var names: KeyTable
    /// Whether nulls, blanks and empty wrappings count as no value at all: so in list form.
    var isLenient: Bool
    /// Indexes of the parameters that conditions look at: their columns.
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
        // Of what belongs to the other one neither presence nor value is asked here.
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
    /// Other names under which values are keyed.
    var otherNames: [String] = []
    var label: String
    var scope: ParameterSchema.Scope
    var unit: String?
    /// Over the schema's condition columns.
    var requiredWhen: ExpressionProgram?
}
