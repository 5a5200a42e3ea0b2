internal import COpenSSL

/// A signature's message (CMS) from an external document, read by OpenSSL.
@safe final class MessageReader {
    private let handle: OpaquePointer
    private let signer: OpaquePointer

    /// Returns nil if the bytes are not one signer's message. Zeros may follow the message.
    init?(_ bytes: [UInt8]) {
        defer { ERR_clear_error() }
        var length = 0
        let found = unsafe bytes.withUnsafeBufferPointer { buffer in
            var next = buffer.baseAddress
            let found = unsafe d2i_CMS_ContentInfo(nil, &next, buffer.count)
            if let next = unsafe next, let start = buffer.baseAddress { length = unsafe next - start }
            return unsafe found
        }
        guard let found = unsafe found else { return nil }
        let signers = unsafe CMS_get0_SignerInfos(found)
        guard bytes[length...].allSatisfy({ $0 == 0 }), unsafe openssl_signer_count(signers) == 1,
            let only = unsafe openssl_signer_at(signers, 0)
        else {
            unsafe CMS_ContentInfo_free(found)
            return nil
        }
        unsafe (handle, signer) = (found, only)
    }

    deinit { unsafe CMS_ContentInfo_free(handle) }

    /// The certificates in the message.
    var certificates: [Certificate] {
        let stack = unsafe CMS_get1_certs(handle)
        defer { unsafe openssl_free_certificates(stack) }
        return unsafe Certificate.all(in: stack)
    }

    /// Checks that the message is valid for some bytes: signed with the key of the signer's
    /// certificate, and not naming another certificate.
    ///
    /// - Returns: the certificate that the message names, and the reason why the message is not
    ///   valid.
    func signer(of content: [UInt8]) -> (certificate: Certificate?, objection: String?) {
        let flags = UInt32(CMS_NO_SIGNER_CERT_VERIFY | CMS_BINARY | CMS_DETACHED)
        let holds = unsafe OpenSSL.reading(content) { unsafe CMS_verify(handle, nil, nil, $0, nil, flags) == 1 }
        guard holds else { return (named, OpenSSL.takeReason()) }
        // With a weak digest, two different documents with the same digest can be made.
        if let weak = weakDigest { return (named, weak) }
        guard let certificate = named else { return (nil, "—") }
        guard naming(certificate) else { return (certificate, OpenSSL.takeReason()) }
        return (certificate, nil)
    }

    /// The name of the digest, if it is one that counts as broken.
    var weakDigest: String? {
        var algorithm: UnsafeMutablePointer<X509_ALGOR>?, object: OpaquePointer?
        unsafe CMS_SignerInfo_get0_algs(signer, nil, nil, &algorithm, nil)
        unsafe X509_ALGOR_get0(&object, nil, nil, algorithm)
        let kind = unsafe OBJ_obj2nid(object)
        guard [NID_md5, NID_sha1, NID_ripemd160].contains(kind), let name = unsafe OBJ_nid2sn(kind) else { return nil }
        return unsafe String(cString: name)
    }

    /// The certificate in the message that the signer's entry names.
    private var named: Certificate? {
        certificates.first { unsafe CMS_SignerInfo_cert_cmp(signer, $0.handle) == 0 }
    }

    /// Whether the signed attribute that names the signer's certificate names this one or is
    /// absent.
    private func naming(_ certificate: Certificate) -> Bool {
        guard let bytes = attribute(NID_id_smime_aa_signingCertificateV2, isSigned: true) else { return true }
        let stated = unsafe bytes.withUnsafeBufferPointer { buffer in
            var next = buffer.baseAddress
            return unsafe d2i_ESS_SIGNING_CERT_V2(nil, &next, buffer.count)
        }
        defer { unsafe ESS_SIGNING_CERT_V2_free(stated) }
        return unsafe Certificate.withStack([certificate]) {
            unsafe OSSL_ESS_check_signing_certs(nil, stated, $0, 1) == 1
        }
    }

    /// Whether the signed attributes are those of the baseline profile (ETSI EN 319 142-1).
    var isBaseline: Bool {
        let statesTime = unsafe CMS_signed_get_attr_by_NID(signer, NID_pkcs9_signingTime, -1) >= 0
        return !statesTime && attribute(NID_id_smime_aa_signingCertificateV2, isSigned: true) != nil
    }

    /// The time stamp for the signature.
    var timestamp: [UInt8]? { attribute(NID_id_smime_aa_timeStampToken, isSigned: false) }

    /// The signature's bytes, which a time stamp confirms.
    var signature: [UInt8] {
        guard let text = unsafe CMS_SignerInfo_get0_signature(signer) else { return [] }
        return unsafe Self.bytes(of: text)
    }

    private func attribute(_ kind: Int32, isSigned: Bool) -> [UInt8]? {
        let object = unsafe OBJ_nid2obj(kind)
        let value = unsafe isSigned
            ? CMS_signed_get0_data_by_OBJ(signer, object, -3, V_ASN1_SEQUENCE)
            : CMS_unsigned_get0_data_by_OBJ(signer, object, -3, V_ASN1_SEQUENCE)
        guard let value = unsafe value else { return nil }
        return unsafe Self.bytes(of: value.assumingMemoryBound(to: ASN1_STRING.self))
    }

    private static func bytes(of text: UnsafePointer<ASN1_STRING>) -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(text), count: Int(ASN1_STRING_length(text))))
    }
}
