package import JSONReading

/// Limits on what a foreign file may demand of this machine. Each can be set by its name
/// (`ReadingBound.all`); a file that exceeds one is rejected with the limit's name and value.
package struct TableLimits: Sendable, Hashable {
    /// Columns of a table: as many as a sheet of Excel has.
    package var columns = 16_384
    package var rows = 50_000_000
    /// Bytes of one cell, and of one tag of markup.
    package var cellBytes = 8 << 20
    /// Tables or sheets of a file.
    package var tables = 10_000
    /// Entries of an archive.
    package var archiveEntries = 100_000
    /// Bytes of a workbook's shared strings, which are held in memory.
    package var sharedStringBytes = 512 << 20
    /// Bytes of an archive's part that is held in memory: styles, relationships.
    package var partBytes = 64 << 20
    /// Inflated bytes of an archive entry that is streamed.
    package var entryBytes = 16 << 30
    /// The highest allowed ratio of inflated to compressed size, for entries above 64 MiB.
    package var compressionRatio = 400
    /// Depth of nested elements.
    package var depth = 256
    /// Rows or columns that a cell of an HTML table may span; higher values are reduced to this, as
    /// in browsers.
    package var span = 1_000
    /// Limits of packages, the app's folder and drawings.
    package var packages = PackageLimits()
    /// Limits of sheets that are forms.
    package var form = FormLimits()
    package var json = JSONLimits.standard

    private struct Own: Sendable, Hashable {
        let name: String
        var value: Int
    }

    /// Format-specific limits (`FormatLimits`) that differ from their defaults, by name.
    private var own: [Own] = []

    package init() {}

    func own(_ name: String) -> Int? { own.first { $0.name == name }?.value }

    mutating func setOwn(_ name: String, _ value: Int) {
        own.removeAll { $0.name == name }
        own.insert(Own(name: name, value: value), at: own.firstIndex { $0.name > name } ?? own.endIndex)
    }

    /// The limits of JSON as plain numbers, for code that does not read JSON itself.
    package var jsonBounds: (depth: Int, numberLength: Int, rowBytes: Int) { (json.depth, json.numberLength, json.valueBytes) }
}
