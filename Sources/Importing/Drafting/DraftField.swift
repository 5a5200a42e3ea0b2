import Model

/// A field of a drafted table.
struct DraftField {
    var name: String
    /// What the source calls it; empty for a field that the source does not have.
    var source = ""
    var labels: [Language: String] = [:]
    var type: FieldType
    var isRequired = false
    var requiredWhen: String?
    var unit: String?
    var minimum: Double?
    var maximum: Double?
    var minimumLength: Int?
    var maximumLength: Int?
    var decimals: Int?
    var pattern: String?
    var vocabulary: String?
    var references: String?
    var deletesWithParent = false
    var isUnique = false
    var isPersonal = false
    /// Further headings of other files.
    var synonyms: [String] = []
    var notes: [DraftNote] = []
    /// How a mapping reads it, as YAML; nil where the source has nothing for it.
    var reading: String?

    init(_ name: String, _ type: FieldType, source: String = "") { (self.name, self.type, self.source) = (name, type, source) }
}
