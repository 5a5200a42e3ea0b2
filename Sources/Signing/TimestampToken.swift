internal import COpenSSL
import Foundation

/// What a server of time stamps says: that it saw some bytes at a time (RFC 3161).
@safe final class TimestampToken {
    private let handle: UnsafeMutablePointer<PKCS7>
    let time: Date
    /// Who says it, and the certificates that came along.
    let authority: Certificate
    let certificates: [Certificate]

    /// Nil: the bytes are no time stamp.
    init?(_ bytes: [UInt8]) {
        defer { ERR_clear_error() }
        let found = unsafe bytes.withUnsafeBufferPointer { buffer in
            var next = buffer.baseAddress
            return unsafe d2i_PKCS7(nil, &next, buffer.count)
        }
        guard let found = unsafe found else { return nil }
        guard let said = unsafe Self.saying(found) else {
            unsafe PKCS7_free(found)
            return nil
        }
        unsafe handle = found
        (time, authority, certificates) = said
    }

    private static func saying(_ token: UnsafeMutablePointer<PKCS7>) -> (Date, Certificate, [Certificate])? {
        guard unsafe OBJ_obj2nid(token.pointee.type) == NID_pkcs7_signed, let content = unsafe PKCS7_to_TS_TST_INFO(token) else { return nil }
        defer { unsafe TS_TST_INFO_free(content) }
        var parts = unsafe tm()
        guard unsafe ASN1_TIME_to_tm(TS_TST_INFO_get_time(content), &parts) == 1 else { return nil }
        let signers = unsafe PKCS7_get0_signers(token, nil, 0)
        defer { unsafe openssl_free_certificate_stack(signers) }
        guard let authority = unsafe Certificate.all(in: signers).first else { return nil }
        return unsafe (Date(timeIntervalSince1970: Double(timegm(&parts))), authority, Certificate.all(in: token.pointee.d.sign.pointee.cert))
    }

    deinit { unsafe PKCS7_free(handle) }

    /// Nil: it is one for these bytes, rightly signed by its authority, whoever that is; else why not.
    func objection(for bytes: [UInt8]) -> String? {
        let context = unsafe TS_VERIFY_CTX_new()
        defer { unsafe TS_VERIFY_CTX_free(context) }
        unsafe TS_VERIFY_CTX_add_flags(context, Int32(TS_VFY_VERSION | TS_VFY_DATA | TS_VFY_SIGNATURE))
        unsafe TS_VERIFY_CTX_set_store(context, TrustStore(taking: [authority]).share(at: time))
        return unsafe bytes.withUnsafeBytes { raw in
            // The context frees it.
            unsafe TS_VERIFY_CTX_set_data(context, BIO_new_mem_buf(raw.baseAddress, Int32(raw.count)))
            return unsafe TS_RESP_verify_token(context, handle) == 1 ? nil : OpenSSL.takeReason()
        }
    }
}
