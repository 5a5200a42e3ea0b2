/// Limits on what a survey package may demand of this machine. Each can be set (`--limit
/// name=value`); a package that exceeds one is rejected with the limit's name and value before
/// anything is imported.
package struct PackageLimits: Sendable, Hashable {
    /// Files in the archive or folder.
    package var entries = 500_000
    /// Inflated bytes of one file.
    package var entryBytes: UInt64 = 16 << 30
    /// Inflated bytes of all files together.
    package var totalBytes: UInt64 = 256 << 30
    /// The highest allowed ratio of inflated to compressed size, for files above 64 MiB and for all
    /// files together.
    package var compressionRatio: UInt64 = 200
    /// Bytes of `manifest.json`, and of a file of the app's folder; both are held in memory.
    package var documentBytes: UInt64 = 64 << 20
    /// Events of a log; they are held in memory to be sorted.
    package var events = 2_000_000
    /// Bytes of their contents.
    package var eventBytes = 128 << 20
    /// Bytes of a drawing, and the number of points in it.
    package var drawingBytes: UInt64 = 1 << 30
    package var drawingPoints = 5_000_000

    package init() {}

    // The same limits as `Int`, in which form they are set (`ReadingBound`).
    package var entryByteCount: Int { get { Int(clamping: entryBytes) } set { entryBytes = UInt64(newValue) } }
    package var totalByteCount: Int { get { Int(clamping: totalBytes) } set { totalBytes = UInt64(newValue) } }
    package var ratio: Int { get { Int(clamping: compressionRatio) } set { compressionRatio = UInt64(newValue) } }
    package var documentByteCount: Int { get { Int(clamping: documentBytes) } set { documentBytes = UInt64(newValue) } }
    package var drawingByteCount: Int { get { Int(clamping: drawingBytes) } set { drawingBytes = UInt64(newValue) } }
}
