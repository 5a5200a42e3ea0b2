import Model

/// Every requirement of one field as plain numbers, which the pass over the rows reads for each
/// cell.
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
    /// Names that the message quotes, with the column of each; nil where it is hidden from the
    /// actor.
    var arguments: [(name: String, column: Int?, field: Field?)]
}

/// A JSON field whose values a family's schema judges.
struct JudgedParameters: Sendable {
    var field: Field
    var column: Int
    var scope: ParameterSchema.Scope
    /// The place of the schema: a column of the same row, or a field of another row whose id is in
    /// a column.
    var schemaColumn: Int?
    var holderColumn: Int?
    var holder: Entity?
    /// The version of the row's capture: the column with its id, and its field with the schemas.
    var versionColumn: Int?
    var versionHolder: Entity?
    var versionField = ""
    var schemaField: String
}
