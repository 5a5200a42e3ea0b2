// Writes files into ZIP archives, and reads them back. The code uses minizip and knows the ZIP
// format, and nothing of the files' contents.

/// The destination of an archive's bytes. `patch` replaces earlier bytes: the sizes in an entry's
/// header, which are only known at its end.
package protocol ZipOutput: ~Copyable {
    var position: Int64 { get }
    mutating func write(_ bytes: Span<UInt8>) throws
    mutating func patch(_ bytes: Span<UInt8>, at offset: Int64) throws
}
