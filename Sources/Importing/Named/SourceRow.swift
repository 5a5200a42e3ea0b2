import JSONReading
import Model

/// A row that a source generates from its contents: events, a drawing, a rejected row that is
/// retried.
struct SourceRow {
    var value: JSONValue
    /// Why this is not a row, in English, where the source could not be read at this place; `value`
    /// is then the text found there.
    var fault: String? = nil
    /// Whether the row was read and is left out on purpose: it is counted but not imported.
    var isFiltered = false
    /// Whether the source reports the record with the id in `value` as deleted; `value` holds the
    /// details.
    var isDeletion = false
    /// Problems of the row found by its source: errors reject the row, others are only reported.
    var findings: [Finding] = []
    /// The row as it was in its file, as JSON, where `value` was derived from it.
    var raw: String? = nil
    var file: String
    var line: Int? = nil
    var pointer: String? = nil
}
