/// Where a change set comes from. The origin decides what the set may overwrite; the rules that
/// judge it are the same.
package enum ChangeOrigin: Sendable {
    /// A file, which anybody can have made. It adds rows; where it contradicts what the remote has
    /// confirmed, a conflict is recorded. Rows that cannot be imported wait in the quarantine.
    case file
    /// A person, by a command: corrects whatever that person may, the whole set or nothing.
    case person

    /// The action that the activity log records for a new row.
    var added: String { self == .file ? "row_imported" : "row_added" }
    var changed: String { self == .file ? "row_updated_by_import" : "row_edited" }
    /// The action that it records for the whole set.
    var whole: String { self == .file ? "import" : "change" }
}
