internal import COpenSSL
import Digests
internal import Foundation

/// A certificate (X.509).
@safe final class Certificate {
    let handle: OpaquePointer

    /// Takes ownership of a certificate of OpenSSL, which is freed with this object.
    init(owning handle: OpaquePointer) { unsafe self.handle = handle }

    /// Shares ownership of a certificate of OpenSSL.
    convenience init(sharing handle: OpaquePointer) {
        unsafe X509_up_ref(handle)
        unsafe self.init(owning: handle)
    }

    deinit { unsafe X509_free(handle) }

    /// The certificates in a text in PEM.
    static func all(inPEM bytes: [UInt8]) -> [Certificate] {
        unsafe OpenSSL.reading(bytes) { source in
            var found: [Certificate] = []
            while let next = unsafe PEM_read_bio_X509(source, nil, nil, nil) {
                unsafe found.append(Certificate(owning: next))
            }
            ERR_clear_error()
            return found
        }
    }

    static func all(in stack: OpaquePointer?) -> [Certificate] {
        unsafe (0..<openssl_certificate_count(stack)).compactMap { index in
            guard let next = unsafe openssl_certificate_at(stack, index) else { return nil }
            return unsafe Certificate(sharing: next)
        }
    }

    /// Calls a body with certificates as OpenSSL's list of them.
    static func withStack<Result>(_ certificates: [Certificate], _ body: (OpaquePointer?) -> Result) -> Result {
        let stack = unsafe openssl_certificate_stack()
        defer { unsafe openssl_free_certificate_stack(stack) }
        for certificate in certificates { unsafe openssl_certificate_push(stack, certificate.handle) }
        return unsafe body(stack)
    }

    // MARK: Content

    var encoded: [UInt8] { unsafe OpenSSL.encoding { unsafe i2d_X509(handle, $0) } }
    var digest: Digest { SHA256.digest(of: encoded) }
    var issuer: [UInt8] { unsafe OpenSSL.encoding { unsafe i2d_X509_NAME(X509_get_issuer_name(handle), $0) } }
    var serialNumber: [UInt8] {
        unsafe OpenSSL.encoding { unsafe i2d_ASN1_INTEGER(X509_get0_serialNumber(handle), $0) }
    }
    var begin: Date { unsafe Self.date(X509_get0_notBefore(handle)) }
    var end: Date { unsafe Self.date(X509_get0_notAfter(handle)) }

    var subject: String { unsafe Self.name(X509_get_subject_name(handle)) }
    var issuerName: String { unsafe Self.name(X509_get_issuer_name(handle)) }

    /// Whether the certificate may be used for signatures. A certificate that declares no purposes
    /// may be used for all.
    var isForSigning: Bool {
        unsafe X509_get_key_usage(handle) & UInt32(KU_DIGITAL_SIGNATURE | KU_NON_REPUDIATION) != 0
    }

    private static func date(_ time: UnsafePointer<ASN1_TIME>?) -> Date {
        var parts = unsafe tm()
        guard unsafe ASN1_TIME_to_tm(time, &parts) == 1 else { return .distantPast }
        return Date(timeIntervalSince1970: Double(unsafe timegm(&parts)))
    }

    /// The name of a holder: the common name, otherwise the organisation's name or the e-mail
    /// address.
    private static func name(_ name: OpaquePointer?) -> String {
        for kind in [NID_commonName, NID_organizationName, NID_pkcs9_emailAddress] {
            let index = unsafe X509_NAME_get_index_by_NID(name, kind, -1)
            guard index >= 0, let entry = unsafe X509_NAME_get_entry(name, index) else { continue }
            var bytes: UnsafeMutablePointer<UInt8>?
            let count = unsafe ASN1_STRING_to_UTF8(&bytes, X509_NAME_ENTRY_get_data(entry))
            defer { unsafe CRYPTO_free(bytes, nil, 0) }
            if count > 0, let bytes = unsafe bytes {
                return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
            }
        }
        return "—"
    }
}
