/// Through what a change set comes: how far its word goes hangs on it, what is judged does not.
package enum ChangeOrigin: Sendable {
    /// A file, which anybody can have made: it adds, and doubts what the remote has confirmed. What cannot go in waits in the quarantine.
    case file
    /// A person, by a command: corrects whatever he may, the whole set or nothing.
    case person

    /// What the activity log says of a row.
    var added: String { self == .file ? "row_imported" : "row_added" }
    var changed: String { self == .file ? "row_updated_by_import" : "row_edited" }
    /// What it says of the whole.
    var whole: String { self == .file ? "import" : "change" }
}
