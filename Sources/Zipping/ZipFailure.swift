/// Why an archive could not be read or written. Failures of the archive's output are passed on
/// unchanged.
package enum ZipFailure: Error, Sendable, Hashable {
    case cannotOpen(path: String)
    case notAnArchive(path: String)
    /// It is cut off, its checksum is wrong, or its sizes contradict each other.
    case damaged(path: String, entry: String?)
    /// An entry name that leaves the archive's folder, is empty, or contains characters that no
    /// file system accepts.
    case nameRefused(String)
    case duplicateName(String)
    case entryMissing(String)
    case encrypted(String)
    case methodUnknown(String, method: Int)
    case tooManyEntries(count: UInt64, limit: Int)
    case tooLarge(String, size: UInt64, limit: UInt64)
    /// zlib failed; `number` is its result code.
    case compression(number: Int32)
}
