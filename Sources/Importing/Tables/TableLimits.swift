package import JSONReading

/// Bounds on what a foreign file may make this machine do. Each can be set by its name (`ReadingBound.all`); a file beyond one is refused
/// with the bound's name and value.
package struct TableLimits: Sendable, Hashable {
    /// Columns of a table: as many as a sheet of Excel has.
    package var columns = 16_384
    /// Rows of a table.
    package var rows = 50_000_000
    /// Bytes of one cell, and of one tag of markup.
    package var cellBytes = 8 << 20
    /// Tables, and sheets, of a file.
    package var tables = 10_000
    /// Entries of an archive.
    package var archiveEntries = 100_000
    /// Bytes of a workbook's shared strings, which are held in memory.
    package var sharedStringBytes = 512 << 20
    /// Bytes of a part of an archive that is held in memory: styles, relations.
    package var partBytes = 64 << 20
    /// Inflated bytes of an archive's entry that is streamed.
    package var entryBytes = 16 << 30
    /// How many times an entry above 64 MiB may be larger than it is compressed.
    package var compressionRatio = 400
    /// Elements within elements.
    package var depth = 256
    /// Rows or columns that a cell of an HTML table may span; more count as so many, as in browsers.
    package var span = 1_000
    /// Of packages, the app's folder and drawings.
    package var packages = PackageLimits()
    /// Of sheets that are forms.
    package var form = FormLimits()
    package var json = JSONLimits.standard

    private struct Own: Sendable, Hashable {
        let name: String
        var value: Int
    }

    /// Those that are one format's own (`FormatLimits`), where they are not as usual, by name.
    private var own: [Own] = []

    package init() {}

    func own(_ name: String) -> Int? { own.first { $0.name == name }?.value }

    mutating func setOwn(_ name: String, _ value: Int) {
        own.removeAll { $0.name == name }
        own.insert(Own(name: name, value: value), at: own.firstIndex { $0.name > name } ?? own.endIndex)
    }

    /// Those of JSON, for whoever does not read it.
    package var jsonBounds: (depth: Int, numberLength: Int, rowBytes: Int) { (json.depth, json.numberLength, json.valueBytes) }
}
