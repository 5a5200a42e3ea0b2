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
    /// Those of single formats, by the names that people set them by; each count knows what its own usually are.
    package var ofFormats: [String: Int] = [:]

    package init() {}

    subscript(name: String, usually standard: Int) -> Int { ofFormats[name] ?? standard }

    /// Those of the count that is under way.
    @TaskLocal static var current = CountBounds()
}
