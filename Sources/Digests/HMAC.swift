internal import CNettle

/// Computes HMAC-SHA256 (RFC 2104) of texts under one key.
package struct HMAC: Sendable {
    private let context: hmac_sha256_ctx

    /// - Parameter key: 32 bytes that nobody can guess.
    package init(key: [UInt8]) {
        var context = hmac_sha256_ctx()
        unsafe key.withUnsafeBufferPointer { unsafe nettle_hmac_sha256_set_key(&context, $0.count, $0.baseAddress) }
        self.context = context
    }

    /// A key of the system's random source, which is held in memory alone.
    package static func randomKey() -> [UInt8] {
        var source = SystemRandomNumberGenerator()
        return (0..<Digest.byteCount).map { _ in UInt8.random(in: .min ... .max, using: &source) }
    }

    package func digest(of bytes: [UInt8]) -> Digest {
        // A copy: the library resets the context that it reads.
        var context = context
        unsafe bytes.withUnsafeBufferPointer { unsafe nettle_hmac_sha256_update(&context, $0.count, $0.baseAddress) }
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        unsafe withUnsafeMutableBytes(of: &words) { unsafe nettle_hmac_sha256_digest(&context, $0.count, $0.baseAddress) }
        return Digest(
            first: UInt64(bigEndian: words.0), second: UInt64(bigEndian: words.1), third: UInt64(bigEndian: words.2), fourth: UInt64(bigEndian: words.3))
    }
}
