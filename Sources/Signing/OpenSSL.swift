internal import COpenSSL

/// What all uses of OpenSSL share.
enum OpenSSL {
    /// A value in its encoding, by one of OpenSSL's `i2d_…`.
    static func encoding(_ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8] {
        let count = encode(nil)
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            var next = buffer.baseAddress
            _ = unsafe encode(&next)
        }
        return bytes
    }

    /// Runs a body with bytes as a source in memory.
    static func reading<Result>(_ bytes: [UInt8], _ body: (OpaquePointer?) -> Result) -> Result {
        unsafe bytes.withUnsafeBytes { raw in
            let source = unsafe BIO_new_mem_buf(raw.baseAddress, Int32(raw.count))
            defer { unsafe BIO_free(source) }
            return unsafe body(source)
        }
    }

    /// What a body writes.
    static func written(_ body: (OpaquePointer?) -> Void) -> [UInt8] {
        let target = unsafe BIO_new(BIO_s_mem())
        defer { unsafe BIO_free(target) }
        unsafe body(target)
        var bytes: UnsafeMutablePointer<CChar>?
        let count = unsafe openssl_memory(target, &bytes)
        guard let bytes = unsafe bytes, count > 0 else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// Why the last call failed, in OpenSSL's words, which name no secret. The list of errors is
    /// empty afterwards.
    static func takeReason() -> String {
        let error = ERR_peek_error()
        ERR_clear_error()
        guard error != 0, let text = unsafe ERR_reason_error_string(error) else { return "—" }
        return unsafe String(cString: text)
    }

    static func randomNumber() -> UInt64 {
        var bytes: [UInt8] = Array(repeating: 0, count: 8)
        precondition(unsafe RAND_bytes(&bytes, 8) == 1)
        return bytes.reduce(0) { $0 << 8 | UInt64($1) } >> 1
    }
}
