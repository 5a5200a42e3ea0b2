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

    /// The longest text in quotes in a formula of a workbook, in UTF-16 units.
    private static let longest = 255

    /// Whether a name may stand in an address as it is, and its file is there.
    package func hold(_ name: String) -> Bool {
        !absent.contains(name) && folder.utf16.count + name.utf16.count <= Self.longest && !name.contains { "#%?/\\".contains($0) }
    }
}
