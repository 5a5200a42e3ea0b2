// Writes files into ZIP archives, and reads them back. It uses minizip and knows the ZIP format,
// and nothing of the files' contents.

/// The output for an archive's bytes. Sizes that are only known at the end of an entry are patched
/// into its header.
package protocol ZipOutput: ~Copyable {
    var position: Int64 { get }
    mutating func write(_ bytes: Span<UInt8>) throws
    mutating func patch(_ bytes: Span<UInt8>, at offset: Int64) throws
}
