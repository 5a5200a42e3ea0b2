/// The files that a column names, so that a document may link to them.
package struct LinkedFiles: Sendable, Hashable {
    /// Their folder as seen from the document, with a slash at its end: `../photos/`.
    package var folder: String
    /// The names of those that are not there.
    package var absent: Set<String>

    package init(folder: String, absent: Set<String>) {
        self.folder = folder
        self.absent = absent
    }
}
