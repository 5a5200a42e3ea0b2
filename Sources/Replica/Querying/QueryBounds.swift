/// What one question may cost.
package struct QueryBounds: Sendable, Hashable {
    package var seconds = 60.0
    /// Steps of SQLite's virtual machine.
    package var steps = 4_000_000_000
    package var rows = 5_000_000
    /// Bytes of one value.
    package var valueBytes = 16 << 20
    /// Bytes of the question's text.
    package var questionBytes = 1 << 20
    /// Bytes that SQLite may take, if the process sets that bound before it opens any database
    /// (`Replica.boundMemory`).
    package static let memoryBytes: Int64 = 256 << 20

    package init() {}
}

extension Replica {
    /// Bounds the memory of SQLite in this process to what a question may take. Only for a process
    /// that does nothing else, before it opens a database.
    package static func boundMemory() { SQLiteSetup.boundMemory(to: QueryBounds.memoryBytes) }
}
