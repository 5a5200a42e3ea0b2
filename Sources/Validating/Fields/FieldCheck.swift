import Expressions
import Model

/// Everything that is asked of one field, as plain numbers: what the pass over the rows reads for each cell.
struct FieldCheck: Sendable {
    /// Column of the batch.
    var column: Int
    /// Index in the entity's fields, for findings.
    var field: Int
    var type: FieldType
    var isRequired: Bool
    /// Index of the condition under which a value is required; -1: none.
    var requiredWhen = -1
    var minimum: Double
    var maximum: Double
    var hasLength: Bool
    var minimumLength: Int
    var maximumLength: Int
    /// Indexes of the plan's patterns and vocabularies; -1: none.
    var pattern = -1
    var vocabulary = -1
    /// Whether a list's items are ids of other rows.
    var holdsIDs: Bool

    init(_ field: Field, index: Int, column: Int) {
        self.column = column
        self.field = index
        type = field.type
        isRequired = field.isRequired
        minimum = field.minimum ?? -.infinity
        maximum = field.maximum ?? .infinity
        hasLength = field.minimumLength != nil || field.maximumLength != nil
        minimumLength = field.minimumLength ?? 0
        maximumLength = field.maximumLength ?? .max
        holdsIDs = field.type == .list && field.references != nil
    }
}

/// A rule over one row, compiled.
struct RowRule: Sendable {
    var code: String
    var severity: Severity
    var field: String?
    var when: ExpressionProgram?
    var require: ExpressionProgram
    /// Names that the message quotes, with the column of each; nil where the actor may not see it.
    var arguments: [(name: String, column: Int?, field: Field?)]
}

/// A JSON field whose values a family's schema judges.
struct JudgedParameters: Sendable {
    var field: Field
    var column: Int
    var scope: ParameterSchema.Scope
    /// Where the schema is: in a column of the same row, or in the field of another row whose id is in a column.
    var schemaColumn: Int?
    var holderColumn: Int?
    var holder: Entity?
    /// Where the version is that the row was captured under: the column with its id, and the field of it that holds its schemas.
    var versionColumn: Int?
    var versionHolder: Entity?
    var versionField = ""
    var schemaField: String
}
