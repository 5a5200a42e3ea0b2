internal import COpenSSL
import Foundation

/// The certificates that are trusted to confirm a person's identity.
@safe package final class TrustStore {
    private let handle: OpaquePointer

    /// Whether a certificate is trusted to belong to the person that it names, or why it is not
    /// trusted.
    package enum Verdict: String, Sendable, Codable, CaseIterable {
        case trusted
        /// Only the certificate's holder has signed the certificate.
        case selfSigned = "self-signed"
        case unknownIssuer = "unknown-issuer"
        case expired
        case notYetValid = "not-yet-valid"
        /// The certificate is for other purposes.
        case wrongPurpose = "wrong-purpose"
        case refused
    }

    /// - Parameter file: PEM with the certificates that are trusted; nil for those of this machine.
    package init(_ file: SigningIdentity.File?) throws(SigningFailure) {
        let trusted = file.map { Certificate.all(inPEM: $0.bytes) }
        if let file, trusted?.isEmpty != false { throw .certificateUnreadable(path: file.path, reason: "PEM") }
        unsafe handle = Self.store(of: trusted ?? [])
        if trusted == nil { unsafe X509_STORE_set_default_paths(handle) }
    }

    /// Makes a store that trusts exactly these certificates, whoever has signed them.
    init(taking certificates: [Certificate]) { unsafe handle = Self.store(of: certificates) }

    private static func store(of certificates: [Certificate]) -> OpaquePointer {
        guard let store = unsafe X509_STORE_new() else { fatalError("out of memory") }
        for certificate in certificates { unsafe X509_STORE_add_cert(store, certificate.handle) }
        // A certificate that is given as trusted needs no issuer above it.
        unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        return unsafe store
    }

    deinit { unsafe X509_STORE_free(handle) }

    /// A reference to the store for a function that takes ownership, for checks as of a time.
    func share(at time: Date) -> OpaquePointer {
        unsafe X509_VERIFY_PARAM_set_time(X509_STORE_get0_param(handle), time_t(time.timeIntervalSince1970))
        unsafe X509_STORE_up_ref(handle)
        return unsafe handle
    }

    /// - Parameter others: certificates from the same message that may lead to a trusted one.
    func judge(_ certificate: Certificate, with others: [Certificate], at time: Date, isTimestamp: Bool) -> Verdict {
        let context = unsafe X509_STORE_CTX_new()
        defer { unsafe X509_STORE_CTX_free(context) }
        let error = unsafe Certificate.withStack(others) { others in
            unsafe X509_STORE_CTX_init(context, handle, certificate.handle, others)
            if isTimestamp { unsafe X509_STORE_CTX_set_purpose(context, X509_PURPOSE_TIMESTAMP_SIGN) }
            unsafe X509_STORE_CTX_set_time(context, 0, time_t(time.timeIntervalSince1970))
            let isTrusted = unsafe X509_verify_cert(context) == 1
            return isTrusted ? X509_V_OK : unsafe X509_STORE_CTX_get_error(context)
        }
        ERR_clear_error()
        switch error {
        case X509_V_OK: return isTimestamp || certificate.isForSigning ? .trusted : .wrongPurpose
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: return .selfSigned
        case X509_V_ERR_CERT_HAS_EXPIRED: return .expired
        case X509_V_ERR_CERT_NOT_YET_VALID: return .notYetValid
        case X509_V_ERR_INVALID_PURPOSE: return .wrongPurpose
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            // The issuer is not trusted, whether or not it has signed itself. Expiry is reported
            // first.
            return time > certificate.end ? .expired : .unknownIssuer
        default: return .refused
        }
    }
}
