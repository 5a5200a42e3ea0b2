import Digests

/// The message that holds a signature (CMS, RFC 5652) as the baseline profile of PAdES wants it
/// (ETSI EN 319 142-1): what is signed stays outside, and the time is the document's own entry.
/// OpenSSL's functions for such messages always add a time of their own.
struct SignedMessage {
    private let identity: SigningIdentity
    /// What the key signs: the kind of content, its digest, and the certificate itself, so that no
    /// other one can be put in its place.
    private let attributes: [[UInt8]]
    let signature: [UInt8]

    private static let data = DER.identifier("1.2.840.113549.1.7.1")
    private static let sha256 = DER.sequence(DER.identifier("2.16.840.1.101.3.4.2.1"))

    init(_ digest: Digest, by identity: SigningIdentity) throws(SigningFailure) {
        self.identity = identity
        let own = identity.certificate
        let issuer = DER.sequence(DER.sequence(DER.field(4, own.issuer)), own.serialNumber)
        let certificate = DER.sequence(DER.sequence(DER.sequence(DER.octets(own.digest.bytes), issuer)))
        attributes = [
            Self.attribute("1.2.840.113549.1.9.3", Self.data),
            Self.attribute("1.2.840.113549.1.9.4", DER.octets(digest.bytes)),
            Self.attribute("1.2.840.113549.1.9.16.2.47", certificate),
        ]
        signature = try identity.key.signature(of: DER.set(attributes))
    }

    private static func attribute(_ identifier: String, _ value: [UInt8]) -> [UInt8] { DER.sequence(DER.identifier(identifier), DER.set([value])) }

    /// - Parameter timestamp: a token for the signature.
    func encoded(timestamp: [UInt8]?) -> [UInt8] {
        let own = identity.certificate
        let signer = DER.sequence(
            DER.integer(1), DER.sequence(own.issuer, own.serialNumber), Self.sha256, DER.set(attributes, inField: 0), identity.key.algorithm,
            DER.octets(signature), timestamp.map { DER.set([Self.attribute("1.2.840.113549.1.9.16.2.14", $0)], inField: 1) } ?? [])
        let message = DER.sequence(
            DER.integer(1), DER.set([Self.sha256]), DER.sequence(Self.data), DER.set(([own] + identity.chain).map(\.encoded), inField: 0),
            DER.set([signer]))
        return DER.sequence(DER.identifier("1.2.840.113549.1.7.2"), DER.field(0, message))
    }
}
