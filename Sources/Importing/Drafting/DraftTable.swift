import Model

/// A table of a drafted pack.
struct DraftTable {
    /// A check beyond one field.
    struct Rule {
        var code: String
        var field: String?
        var requirement: String
        var arguments: [String]
        /// What the form says to whoever breaks it.
        var messages: [Language: String] = [:]
    }

    /// The field that refers to the table of which this one holds the parts.
    struct Parent: Hashable {
        var table: String
        var field: String
    }

    /// How rows come out of a table of the source.
    struct RowOrigin {
        /// The source's name of the table.
        var table: String
        /// Whether the mapping must name it, as the source has several.
        var isNamed = true
        /// Lines of the mapping about headings, as YAML.
        var head: [String] = []
        /// Fields of the natural key; none where the source has the id.
        var key: [String] = []
        var requires: [String] = []
        /// Whether many rows of the source name the same one.
        var repeats = false
        /// How the photo is found, as YAML.
        var photo: String?
        /// Values of fields that only these rows have, as YAML.
        var values: [String: String] = [:]
    }

    var name: String
    var source = ""
    var labels: [Language: String] = [:]
    /// Without `id`, which every table has.
    var fields: [DraftField] = []
    var parent: Parent?
    var key: [String] = []
    /// The reference within which the key is unique.
    var within: String?
    /// The path to the project's id; nil for a table that belongs to no project.
    var project: String?
    /// Whether rows are photos, with the usual facts about their files.
    var isPhotos = false
    var latitude: String?
    var longitude: String?
    /// How the id is read, as YAML; nil where it follows from the key.
    var idReading: String?
    var rules: [Rule] = []
    var notes: [DraftNote] = []
    /// The tables of the source that give its rows.
    var readings: [RowOrigin] = []

    init(_ name: String, source: String = "") { (self.name, self.source) = (name, source) }

    /// The first of the tables that give its rows.
    var reading: RowOrigin? {
        get { readings.first }
        set { readings = (newValue.map { [$0] } ?? []) + readings.dropFirst() }
    }

    func field(_ name: String) -> DraftField? { fields.first { $0.name == name } }

    /// The field that the source calls so.
    func field(source: String) -> DraftField? {
        fields.first { $0.source == source } ?? fields.first { $0.source.lowercased() == source.lowercased() }
    }
}
