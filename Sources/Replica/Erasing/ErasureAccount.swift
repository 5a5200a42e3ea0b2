/// What an erasure takes away, and what may still hold the person outside the tables. Nothing in it
/// names the person.
package struct ErasureAccount: Sendable, Hashable, Codable {
    package struct Line: Sendable, Hashable, Codable {
        package var entity: String
        /// Rows that go.
        package var removed = 0
        /// Rows that stay without the person.
        package var anonymised = 0
    }

    /// A file that somebody must look after.
    package struct File: Sendable, Hashable, Codable {
        package var path: String
        /// When it was registered, for a file of an export.
        package var time: String?
    }

    package var isDryRun = false
    package var lines: [Line] = []
    /// Entries of books, rejected rows, kept changes and findings that were emptied or removed, by
    /// table.
    package var books: [String: Int] = [:]
    /// Photos' files that go.
    package var photos = 0
    /// Rows of others that still name the person in a text, by table. Only people can decide about
    /// what somebody else wrote.
    package var others: [String: Int] = [:]
    /// Registered files of the person's projects.
    package var exports: [File] = []
    /// Other files beside the replica in whose bytes the person stands.
    package var copies: [File] = []

    package init() {}
}
