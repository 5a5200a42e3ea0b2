internal import CNettle

/// Computes the SHA-256 digest (FIPS 180-4) of bytes that are given in pieces. `SHA256` and `HMAC`
/// are the only wrappers of nettle, and return none of its pointers.
package struct SHA256: Sendable {
    private var context = sha256_ctx()

    package init() { unsafe nettle_sha256_init(&context) }

    package mutating func update(_ bytes: Span<UInt8>) {
        guard !bytes.isEmpty else { return }
        unsafe bytes.withUnsafeBufferPointer { unsafe nettle_sha256_update(&context, $0.count, $0.baseAddress) }
    }

    package mutating func update(_ bytes: [UInt8]) { update(bytes.span) }

    /// The sum of all bytes so far.
    package func digest() -> Digest {
        // The library resets the context that it reads, so a copy is passed to it.
        var last = context
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        unsafe withUnsafeMutableBytes(of: &words) { unsafe nettle_sha256_digest(&last, $0.count, $0.baseAddress) }
        return Digest(
            first: UInt64(bigEndian: words.0), second: UInt64(bigEndian: words.1), third: UInt64(bigEndian: words.2),
            fourth: UInt64(bigEndian: words.3))
    }

    package static func digest(of bytes: Span<UInt8>) -> Digest {
        var sum = SHA256()
        sum.update(bytes)
        return sum.digest()
    }

    package static func digest(of bytes: [UInt8]) -> Digest { digest(of: bytes.span) }

    /// The sum and the number of the bytes of a file or stream, read in pieces.
    ///
    /// - Parameter read: writes the next bytes to the start of the array and returns their number;
    ///   0 at the end.
    package static func digest<Trouble>(reading read: (inout [UInt8]) throws(Trouble) -> Int) throws(Trouble) -> (
        digest: Digest, bytes: Int64
    ) {
        var sum = SHA256()
        var total: Int64 = 0
        var piece = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = try read(&piece)
            if count == 0 { return (sum.digest(), total) }
            sum.update(piece.span.extracting(..<count))
            total += Int64(count)
        }
    }

    package static func digest(of text: String) -> Digest { digest(of: Array(text.utf8)) }
}

/// Computes HMAC-SHA256 (RFC 2104) of texts under one key.
package struct HMAC: Sendable {
    private let context: hmac_sha256_ctx

    /// - Parameter key: 32 secret, random bytes.
    package init(key: [UInt8]) {
        var context = hmac_sha256_ctx()
        unsafe key.withUnsafeBufferPointer { unsafe nettle_hmac_sha256_set_key(&context, $0.count, $0.baseAddress) }
        self.context = context
    }

    /// A key from the system's random number generator.
    package static func randomKey() -> [UInt8] {
        var source = SystemRandomNumberGenerator()
        return (0..<Digest.byteCount).map { _ in UInt8.random(in: .min ... .max, using: &source) }
    }

    package func digest(of bytes: [UInt8]) -> Digest {
        // A copy: the library resets the context that it reads.
        var context = context
        unsafe bytes.withUnsafeBufferPointer { unsafe nettle_hmac_sha256_update(&context, $0.count, $0.baseAddress) }
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        unsafe withUnsafeMutableBytes(of: &words) {
            unsafe nettle_hmac_sha256_digest(&context, $0.count, $0.baseAddress)
        }
        return Digest(
            first: UInt64(bigEndian: words.0), second: UInt64(bigEndian: words.1), third: UInt64(bigEndian: words.2),
            fourth: UInt64(bigEndian: words.3))
    }
}
