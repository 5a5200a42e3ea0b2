import Importing
import Model

/// A table of a drafted pack.
struct DraftTable {
    /// A check that the keys of a field cannot express.
    struct Rule {
        var code: String
        var field: String?
        var requirement: String
        var arguments: [String]
        /// The form's own messages for a violation.
        var messages: [Language: String] = [:]
    }

    /// The reference to the parent table, if the rows of this table are its parts.
    struct Parent: Hashable {
        var table: String
        var field: String
    }

    /// The reading of rows from one table of the source.
    struct RowOrigin {
        /// The source's name of the table.
        var table: String
        /// Whether the mapping must name the table, because the source contains several.
        var isNamed = true
        /// Lines of the mapping that describe the headings, as YAML.
        var head: [String] = []
        /// Fields of the natural key; empty if the source contains the id.
        var key: [String] = []
        var requires: [String] = []
        /// Whether several rows of the source may describe the same row of this table.
        var repeats = false
        /// The mapping's value for the photo, as YAML.
        var photo: String?
        /// Values of fields that only rows of this origin have, as YAML.
        var values: [String: String] = [:]
    }

    var name: String
    var source = ""
    var labels: [Language: String] = [:]
    /// The fields without `id`, which every table has.
    var fields: [DraftField] = []
    var parent: Parent?
    var key: [String] = []
    /// The reference within which the key is unique.
    var within: String?
    /// The path to the project's id; nil for a table that belongs to no project.
    var project: String?
    /// Whether the rows are photos; they then have fields about the photo's file.
    var isPhotos = false
    var latitude: String?
    var longitude: String?
    /// The mapping's value for the id, as YAML; nil if the id is derived from the key.
    var idReading: String?
    var rules: [Rule] = []
    var notes: [DraftNote] = []
    /// The tables of the source from which the rows are read.
    var readings: [RowOrigin] = []

    init(_ name: String, source: String = "") { (self.name, self.source) = (name, source) }

    /// The first of the source's tables from which the rows are read.
    var reading: RowOrigin? {
        get { readings.first }
        set { readings = (newValue.map { [$0] } ?? []) + readings.dropFirst() }
    }

    func field(_ name: String) -> DraftField? { fields.first { $0.name == name } }

    /// The field with this name in the source.
    func field(source: String) -> DraftField? {
        fields.first { $0.source == source } ?? fields.first { $0.source.lowercased() == source.lowercased() }
    }
}
