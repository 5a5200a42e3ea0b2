internal import COpenSSL
import Digests
package import Foundation
import Model

/// The signer: a key, its certificate, and the issuers' certificates.
package final class SigningIdentity {
    let key: PrivateKey
    let certificate: Certificate
    let chain: [Certificate]

    /// The certificate's name, and the SHA-256 that identifies it.
    package var name: String { certificate.subject }
    package var fingerprint: String { certificate.digest.hexadecimal }

    /// The content of a user's file, with its path for messages.
    package struct File {
        var path: String
        var bytes: [UInt8]

        package init(path: String, bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }

        fileprivate func contains(_ word: String) -> Bool { bytes.firstRange(of: Array(word.utf8)) != nil }
    }

    /// - Parameters:
    ///   - file: PKCS #12, or PEM with certificates and perhaps the key.
    ///   - keyFile: PEM with the key, if it is in a separate file.
    ///   - time: the time of the signature.
    ///   - password: called only if the key needs a password.
    package convenience init(_ file: File, keyFile: File?, at time: Date, password: () -> String?)
        throws(SigningFailure)
    {
        if file.contains("-----BEGIN ") {
            try self.init(pem: file, keyFile: keyFile ?? file, password)
        } else {
            try self.init(store: file, password)
        }
        try check(file.path, at: time)
    }

    private init(pem file: File, keyFile: File, _ password: () -> String?) throws(SigningFailure) {
        let certificates = Certificate.all(inPEM: file.bytes)
        guard !certificates.isEmpty else { throw .certificateUnreadable(path: file.path, reason: "PEM") }
        guard keyFile.contains("PRIVATE KEY-----") else { throw .noKey(path: keyFile.path) }
        let isLocked = keyFile.contains("ENCRYPTED")
        let given = isLocked ? password() : ""
        guard let given else { throw .passwordMissing(path: keyFile.path) }
        guard let key = PrivateKey(inPEM: keyFile.bytes, password: given) else {
            let reason = OpenSSL.takeReason()
            throw isLocked
                ? .passwordWrong(path: keyFile.path) : .certificateUnreadable(path: keyFile.path, reason: reason)
        }
        guard let own = certificates.firstIndex(where: key.belongs) else { throw .keyMismatch(path: file.path) }
        (self.key, certificate) = (key, certificates[own])
        chain = certificates.enumerated().filter { $0.offset != own }.map(\.element)
    }

    private init(store file: File, _ password: () -> String?) throws(SigningFailure) {
        var key: OpaquePointer?, own: OpaquePointer?, others: OpaquePointer?
        let container = unsafe OpenSSL.reading(file.bytes) { unsafe d2i_PKCS12_bio($0, nil) }
        guard let container = unsafe container else {
            throw .certificateUnreadable(path: file.path, reason: OpenSSL.takeReason())
        }
        defer { unsafe PKCS12_free(container) }
        var word = ""
        if unsafe PKCS12_verify_mac(container, "", 0) != 1 {
            guard let given = password() else { throw .passwordMissing(path: file.path) }
            guard unsafe PKCS12_verify_mac(container, given, Int32(given.utf8.count)) == 1 else {
                ERR_clear_error()
                throw .passwordWrong(path: file.path)
            }
            word = given
        }
        var isRead = unsafe PKCS12_parse(container, word, &key, &own, &others) == 1
        if !isRead {
            // Older PKCS #12 files are encrypted with ciphers that OpenSSL supports only on
            // request.
            ERR_clear_error()
            _ = unsafe (OSSL_PROVIDER_load(nil, "legacy"), OSSL_PROVIDER_load(nil, "default"))
            isRead = unsafe PKCS12_parse(container, word, &key, &own, &others) == 1
        }
        defer { unsafe openssl_free_certificates(others) }
        guard isRead else { throw .certificateUnreadable(path: file.path, reason: OpenSSL.takeReason()) }
        guard let key = unsafe key else {
            unsafe X509_free(own)
            throw .noKey(path: file.path)
        }
        unsafe self.key = PrivateKey(owning: key)
        guard let own = unsafe own else { throw .keyMismatch(path: file.path) }
        unsafe certificate = Certificate(owning: own)
        unsafe chain = Certificate.all(in: others)
    }

    private func check(_ path: String, at time: Date) throws(SigningFailure) {
        guard key.isUsable else { throw .keyKind(path: path) }
        guard time >= certificate.begin else {
            throw .notYetValid(path: path, begin: Timestamp.format(certificate.begin))
        }
        guard time <= certificate.end else { throw .expired(path: path, end: Timestamp.format(certificate.end)) }
        guard certificate.isForSigning else { throw .notForSigning(path: path) }
    }
}
