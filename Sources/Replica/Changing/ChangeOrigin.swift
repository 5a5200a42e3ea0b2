/// Where a change set comes from. The origin decides what the set may overwrite; the rules that
/// judge it are the same.
package enum ChangeOrigin: Sendable {
    /// A file, which anybody can have made. It adds rows; where it contradicts what the remote has
    /// confirmed, a conflict is recorded. Rows that cannot be imported wait in the quarantine.
    case file
    /// A person, by a command: corrects whatever that person may, the whole set or nothing.
    case person
    /// The central database: what it brings is so, whatever the rules say. Only rows with changes
    /// of their own here are not overwritten: both sides are kept.
    case remote

    /// The action that the activity log records for a new row.
    var added: String { self == .person ? "row_added" : "row_imported" }
    var changed: String { self == .person ? "row_edited" : "row_updated_by_import" }
    /// The action that it records for the whole set.
    var whole: String {
        switch self {
        case .file: "import"
        case .person: "change"
        case .remote: "sync"
        }
    }
}
