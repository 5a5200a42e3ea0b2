import JSONReading
import Model

/// One row that a source makes of what it holds: events, a drawing, a rejected row that is tried again.
struct SourceRow {
    var value: JSONValue
    /// Why this is no row, in English, where the source could not be read at this place; the value is then the text that stands there.
    var fault: String? = nil
    /// Whether the row was read and is left out on purpose: it is counted and goes no further.
    var isFiltered = false
    /// Whether the source says that the record with the id in `value` was deleted; `value` is what it says of that.
    var isDeletion = false
    /// What is wrong with the row as its source found it: errors keep it out, others are told.
    var findings: [Finding] = []
    /// The row as it stood in its file, as JSON, where `value` was made of it.
    var raw: String? = nil
    var file: String
    var line: Int? = nil
    var pointer: String? = nil
}
