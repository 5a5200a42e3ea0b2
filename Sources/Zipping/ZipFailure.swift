/// Why an archive could not be read or written. Failures of the output that an archive is written to pass through unchanged.
package enum ZipFailure: Error, Sendable, Hashable {
    case cannotOpen(path: String)
    case notAnArchive(path: String)
    /// Cut short, checksum wrong, sizes that contradict each other.
    case damaged(path: String, entry: String?)
    /// An entry name that leaves the archive's folder, is empty, or holds what no file system takes.
    case nameRefused(String)
    case duplicateName(String)
    case entryMissing(String)
    case encrypted(String)
    case methodUnknown(String, method: Int)
    case tooManyEntries(count: UInt64, limit: Int)
    case tooLarge(String, size: UInt64, limit: UInt64)
    /// zlib gave up; `number` is its result code.
    case compression(number: Int32)
}
