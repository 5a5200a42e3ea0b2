import Model
import Patterns

/// What a family says about the parameters of its types and instances, compiled once for each text that says it.
///
/// Two forms are read, both a list of parameters; a JSON Schema would be a further case.
enum ParameterSchema: Sendable {
    /// To whom a parameter's value belongs: to the type, once for all of its instances, or to each instance.
    enum Scope: String, Sendable {
        case type, instance
    }

    case list(ParameterList)
}

/// The parameters of a schema in list form.
struct ParameterList: Sendable {
    var parameters: [Parameter]
    /// Index of a parameter by each of the names under which values are keyed: key, id, name.
    var indexes: [String: Int]
}

/// One parameter.
struct Parameter: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case text, integer, decimal, boolean, date
        /// One of the options.
        case `enum`
        /// Several texts, of the options where there are any.
        case list
    }

    /// A bound with the text that messages quote.
    struct Bound: Sendable {
        var number: DecimalNumber
        var text: String
    }

    var key: String
    /// Other names under which values are keyed.
    var otherNames: [String] = []
    var label: String
    var kind: Kind
    var scope: ParameterSchema.Scope
    var unit: String?
    var isRequired = false
    /// Over the parameters of the schema, by index.
    var requiredWhen: ExpressionProgram?
    var minimum: Bound?
    var maximum: Bound?
    var step: Bound?
    var options: [String] = []
    var pattern: Pattern?
    var minimumLength: Int?
    var maximumLength: Int?
}
