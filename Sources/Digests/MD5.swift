internal import CNettle

/// MD5 (RFC 1321), where another program chose it: PostgreSQL has it built in. It tells whether two
/// sides have the same; it protects against nobody.
package enum MD5 {
    /// The first fifteen hexadecimal digits of a text's digest, as a number.
    package static func first60Bits(of text: String) -> UInt64 {
        var context = md5_ctx()
        unsafe nettle_md5_init(&context)
        let bytes = text.utf8Span.span
        unsafe bytes.withUnsafeBufferPointer { unsafe nettle_md5_update(&context, $0.count, $0.baseAddress) }
        var words: (UInt64, UInt64) = (0, 0)
        unsafe withUnsafeMutableBytes(of: &words) { unsafe nettle_md5_digest(&context, $0.count, $0.baseAddress) }
        return UInt64(bigEndian: words.0) >> 4
    }
}
