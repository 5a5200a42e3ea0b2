internal import COpenSSL
import Foundation
import Model
package import Web

/// A server that confirms the time at which it saw some bytes (RFC 3161, section 3.4).
package struct TimestampServer {
    /// Bytes of the longest token that is accepted.
    static let longestToken = 1 << 14
    private static let longestAnswer = 1 << 18

    private let url: String
    private let connection: WebConnection
    private let trust: TrustStore?

    /// - Parameter trust: the certificates that must confirm the server; nil accepts any server.
    package init(_ url: String, over connection: WebConnection, trust: TrustStore?) {
        (self.url, self.connection, self.trust) = (url, connection, trust)
    }

    private var address: String { WebAddress.origin(of: url) }

    /// The token for a signature.
    ///
    /// - Throws: `SigningFailure`, `RunStopped`.
    func token(for signature: [UInt8]) throws -> [UInt8] {
        let query = try TimestampQuery(signature)
        var answer: [UInt8] = []
        let headers = [
            (name: "Content-Type", value: "application/timestamp-query"),
            (name: "Accept", value: "application/timestamp-reply"),
        ]
        var request = WebRequest(.post, url, headers: headers, body: query.encoded)
        // Plain HTTP is acceptable: the request reveals only a hash, and the reply is signed.
        request.mayGoInTheClear = true
        let status: WebAnswer
        do {
            status = try connection.send(request, receive: { bytes in
                    guard answer.count + bytes.count <= Self.longestAnswer else {
                        throw SigningFailure.timestampAnswer(address: address, reason: "> \(Self.longestAnswer)")
                    }
                unsafe bytes.withUnsafeBufferPointer { unsafe answer.append(contentsOf: $0) }
            })
        } catch let failure as WebFailure {
            throw SigningFailure.timestampUnreachable(address: address, reason: failure.arguments["reason"] ?? "—")
        }
        guard status.isSuccess else {
            throw SigningFailure.timestampAnswer(address: address, reason: "HTTP \(status.status)")
        }
        let token = try query.token(in: answer, from: address)
        guard let said = TimestampToken(token) else {
            throw SigningFailure.timestampAnswer(address: address, reason: "—")
        }
        if let objection = said.objection(for: signature) {
            throw SigningFailure.timestampWrong(address: address, reason: objection)
        }
        if let verdict = trust?.judge(said.authority, with: said.certificates, at: said.time, isTimestamp: true),
            verdict != .trusted
        {
            throw SigningFailure.timestampWrong(address: address, reason: verdict.rawValue)
        }
        guard token.count <= Self.longestToken else {
            throw SigningFailure.timestampAnswer(address: address, reason: "\(token.count) > \(Self.longestToken)")
        }
        return token
    }
}

/// A request to a server of time stamps.
@safe private final class TimestampQuery {
    private let handle: OpaquePointer

    init(_ bytes: [UInt8]) throws(SigningFailure) {
        guard let query = unsafe TS_REQ_new(), let imprint = unsafe TS_MSG_IMPRINT_new(),
            let algorithm = unsafe X509_ALGOR_new(), let nonce = unsafe ASN1_INTEGER_new()
        else { throw .library(reason: OpenSSL.takeReason()) }
        unsafe handle = query
        var digest = Array(repeating: UInt8(0), count: 32)
        unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
        unsafe TS_REQ_set_version(query, 1)
        unsafe X509_ALGOR_set0(algorithm, OBJ_nid2obj(NID_sha256), V_ASN1_NULL, nil)
        unsafe TS_MSG_IMPRINT_set_algo(imprint, algorithm)
        unsafe TS_MSG_IMPRINT_set_msg(imprint, &digest, 32)
        unsafe TS_REQ_set_msg_imprint(query, imprint)
        unsafe ASN1_INTEGER_set_uint64(nonce, OpenSSL.randomNumber())
        unsafe TS_REQ_set_nonce(query, nonce)
        unsafe TS_REQ_set_cert_req(query, 1)
        unsafe ASN1_INTEGER_free(nonce)
        unsafe X509_ALGOR_free(algorithm)
        unsafe TS_MSG_IMPRINT_free(imprint)
    }

    deinit { unsafe TS_REQ_free(handle) }

    var encoded: [UInt8] { unsafe OpenSSL.encoding { unsafe i2d_TS_REQ(handle, $0) } }

    /// The token in a response, which must confirm this query's bytes and repeat its number.
    func token(in answer: [UInt8], from address: String) throws(SigningFailure) -> [UInt8] {
        let response = unsafe OpenSSL.reading(answer) { unsafe d2i_TS_RESP_bio($0, nil) }
        guard let response = unsafe response else {
            throw .timestampAnswer(address: address, reason: OpenSSL.takeReason())
        }
        defer { unsafe TS_RESP_free(response) }
        guard let token = unsafe TS_RESP_get_token(response) else {
            throw .timestampAnswer(address: address, reason: unsafe Self.status(response))
        }
        let context = unsafe TS_REQ_to_TS_VERIFY_CTX(handle, nil)
        defer { unsafe TS_VERIFY_CTX_free(context) }
        guard unsafe TS_RESP_verify_response(context, response) == 1 else {
            throw .timestampWrong(address: address, reason: OpenSSL.takeReason())
        }
        return unsafe OpenSSL.encoding { unsafe i2d_PKCS7(token, $0) }
    }

    /// The status with which a server refused the request.
    private static func status(_ response: OpaquePointer) -> String {
        "PKIStatus \(unsafe ASN1_INTEGER_get(TS_STATUS_INFO_get0_status(TS_RESP_get_status_info(response))))"
    }
}

/// The common functions for all uses of OpenSSL.
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

    /// The bytes that a body writes.
    static func written(_ body: (OpaquePointer?) -> Void) -> [UInt8] {
        let target = unsafe BIO_new(BIO_s_mem())
        defer { unsafe BIO_free(target) }
        unsafe body(target)
        var bytes: UnsafeMutablePointer<CChar>?
        let count = unsafe openssl_memory(target, &bytes)
        guard let bytes = unsafe bytes, count > 0 else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// The reason why the last call failed, in OpenSSL's words, which contain no secret. Empties
    /// the list of errors.
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

/// The confirmation of a time stamp server that it saw some bytes at a time (RFC 3161).
@safe final class TimestampToken {
    private let handle: UnsafeMutablePointer<PKCS7>
    let time: Date
    /// The certificate of the server, and all certificates in the token.
    let authority: Certificate
    let certificates: [Certificate]

    /// Returns nil when the bytes are not a time stamp.
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

    /// A token's time, the server's certificate, and all certificates in the token.
    private static func saying(_ token: UnsafeMutablePointer<PKCS7>) -> (Date, Certificate, [Certificate])? {
        guard unsafe OBJ_obj2nid(token.pointee.type) == NID_pkcs7_signed,
            let content = unsafe PKCS7_to_TS_TST_INFO(token)
        else { return nil }
        defer { unsafe TS_TST_INFO_free(content) }
        var parts = unsafe tm()
        guard unsafe ASN1_TIME_to_tm(TS_TST_INFO_get_time(content), &parts) == 1 else { return nil }
        let signers = unsafe PKCS7_get0_signers(token, nil, 0)
        defer { unsafe openssl_free_certificate_stack(signers) }
        guard let authority = unsafe Certificate.all(in: signers).first else { return nil }
        return unsafe (
            Date(timeIntervalSince1970: Double(timegm(&parts))), authority,
            Certificate.all(in: token.pointee.d.sign.pointee.cert)
        )
    }

    deinit { unsafe PKCS7_free(handle) }

    /// The reason why the token is not valid for these bytes, or nil. Trust in its authority is not
    /// checked.
    func objection(for bytes: [UInt8]) -> String? {
        let context = unsafe TS_VERIFY_CTX_new()
        defer { unsafe TS_VERIFY_CTX_free(context) }
        unsafe TS_VERIFY_CTX_add_flags(context, Int32(TS_VFY_VERSION | TS_VFY_DATA | TS_VFY_SIGNATURE))
        unsafe TS_VERIFY_CTX_set_store(context, TrustStore(taking: [authority]).share(at: time))
        return unsafe bytes.withUnsafeBytes { raw in
            // The context frees this source of bytes.
            unsafe TS_VERIFY_CTX_set_data(context, BIO_new_mem_buf(raw.baseAddress, Int32(raw.count)))
            return unsafe TS_RESP_verify_token(context, handle) == 1 ? nil : OpenSSL.takeReason()
        }
    }
}
