/// Bounds on what a survey package may make this machine do. Each can be set (`--bound name=value`); a package beyond one is refused
/// with the bound's name and value before anything is imported.
package struct PackageLimits: Sendable, Hashable {
    /// Files in the archive or folder.
    package var entries = 500_000
    /// Inflated bytes of one file.
    package var entryBytes: UInt64 = 16 << 30
    /// Inflated bytes of all files together.
    package var totalBytes: UInt64 = 256 << 30
    /// How many times a file above 64 MiB, or all of them together, may be larger than compressed.
    package var compressionRatio: UInt64 = 200
    /// Bytes of `manifest.json`, and of a file of the app's folder, which are held in memory.
    package var documentBytes: UInt64 = 64 << 20
    /// Events of a log: they are held in memory to be put in order.
    package var events = 2_000_000
    /// Bytes of a drawing, and the points in it.
    package var drawingBytes: UInt64 = 1 << 30
    package var drawingPoints = 5_000_000

    package init() {}

    package static let names = [
        "entries", "entryBytes", "totalBytes", "compressionRatio", "documentBytes", "events", "drawingBytes", "drawingPoints",
    ]

    /// Sets a bound by its name; false when there is none of that name, or the value is no number above zero.
    package mutating func set(_ name: String, to text: String) -> Bool {
        guard let value = UInt64(text), value > 0, value <= UInt64(Int.max) else { return false }
        switch name {
        case "entries": entries = Int(value)
        case "entryBytes": entryBytes = value
        case "totalBytes": totalBytes = value
        case "compressionRatio": compressionRatio = value
        case "documentBytes": documentBytes = value
        case "events": events = Int(value)
        case "drawingBytes": drawingBytes = value
        case "drawingPoints": drawingPoints = Int(value)
        default: return false
        }
        return true
    }
}
