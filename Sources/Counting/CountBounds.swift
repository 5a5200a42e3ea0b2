/// Bounds within which a source is counted: those of the run that reads it, so that what the reader takes can be counted too.
package struct CountBounds: Sendable {
    package var columns = 16_384
    package var rows = 50_000_000
    /// Elements within elements, and arrays and objects of JSON.
    package var depth = 256
    package var jsonDepth = 200
    package var jsonNumberLength = 400
    package var jsonRowBytes = 16 << 20
    package var cellBytes = 8 << 20
    package var archiveEntries = 100_000
    package var partBytes = 64 << 20
    package var entryBytes = 16 << 30
    package var compressionRatio = 400
    package var xlsBytes = 256 << 20
    package var xlsSheets = 4096
    package var xlsCells = 10_000_000
    package var dbfMemoBytes = 16 << 20
    package var sqliteValueBytes = 16 << 20
    package var sqliteSteps = 4_000_000_000
    package var accessSeconds = 60
    package var accessMemoryBytes = 1 << 30
    package var accessOutputBytes = 4 << 30

    package init() {}

    /// Those of the count that is under way.
    @TaskLocal static var current = CountBounds()
}
