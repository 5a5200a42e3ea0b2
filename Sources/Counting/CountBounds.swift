/// Limits for counting a source: the same as those of the run that reads it, so that everything the
/// reader accepts can be counted too.
package struct CountBounds: Sendable {
    package var columns = 16_384
    package var rows = 50_000_000
    /// Nesting depth of elements, and of JSON arrays and objects.
    package var depth = 256
    package var jsonDepth = 200
    package var jsonNumberLength = 400
    package var jsonRowBytes = 16 << 20
    package var cellBytes = 8 << 20
    package var archiveEntries = 100_000
    package var partBytes = 64 << 20
    package var entryBytes = 16 << 30
    package var compressionRatio = 400
    /// Limits of single formats, by the names under which users set them; each count defines its
    /// own defaults.
    package var ofFormats: [String: Int] = [:]

    package init() {}

    subscript(name: String, usually standard: Int) -> Int { ofFormats[name] ?? standard }

    /// The limits of the running count.
    @TaskLocal static var current = CountBounds()
}
