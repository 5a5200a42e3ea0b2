internal import COpenSSL

/// A private key, which stays in OpenSSL's memory.
@safe final class PrivateKey {
    private let handle: OpaquePointer

    init(owning handle: OpaquePointer) { unsafe self.handle = handle }

    deinit { unsafe EVP_PKEY_free(handle) }

    /// Reads the first key in a PEM text; nil if there is none, or the password is wrong.
    init?(inPEM bytes: [UInt8], password: String) {
        let found = unsafe OpenSSL.reading(bytes) { source in
            // Without a given password, the library would ask on the terminal.
            unsafe password.withCString {
                unsafe PEM_read_bio_PrivateKey(source, nil, nil, UnsafeMutableRawPointer(mutating: $0))
            }
        }
        guard let found = unsafe found else { return nil }
        unsafe handle = found
    }

    func belongs(to certificate: Certificate) -> Bool {
        defer { ERR_clear_error() }
        return unsafe X509_check_private_key(certificate.handle, handle) == 1
    }

    private var isRSA: Bool { unsafe EVP_PKEY_get_base_id(handle) == EVP_PKEY_RSA }

    /// Whether the key is an RSA key of a safe length, or a key on an elliptic curve.
    var isUsable: Bool {
        isRSA ? unsafe EVP_PKEY_get_bits(handle) >= 2048 : unsafe EVP_PKEY_get_base_id(handle) == EVP_PKEY_EC
    }

    /// The signature's algorithm in the form of the message (RFC 5754, section 3).
    var algorithm: [UInt8] {
        isRSA
            ? DER.sequence(DER.identifier("1.2.840.113549.1.1.1"), DER.null)
            : DER.sequence(DER.identifier("1.2.840.10045.4.3.2"))
    }

    /// Signs the SHA-256 of bytes.
    func signature(of bytes: [UInt8]) throws(SigningFailure) -> [UInt8] {
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        var count = 0
        guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, handle) == 1,
            unsafe EVP_DigestSign(context, nil, &count, bytes, bytes.count) == 1
        else { throw .library(reason: OpenSSL.takeReason()) }
        var signature = [UInt8](repeating: 0, count: count)
        guard unsafe EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1 else {
            throw .library(reason: OpenSSL.takeReason())
        }
        return Array(signature.prefix(count))
    }
}

/// Values of ASN.1 in their distinguished encoding (X.690): the few kinds of which a signature is
/// made.
enum DER {
    static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        var length: [UInt8] = [], rest = content.count
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(0x30, Array(parts.joined())) }

    /// A set, in the order that the encoding requires.
    static func set(_ parts: [[UInt8]]) -> [UInt8] { value(0x31, sorted(parts)) }

    /// A set whose tag is replaced by the number of a field.
    static func set(_ parts: [[UInt8]], inField number: UInt8) -> [UInt8] { value(0xA0 | number, sorted(parts)) }

    static func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] { value(0xA0 | number, content) }

    static func octets(_ bytes: [UInt8]) -> [UInt8] { value(0x04, bytes) }

    static func integer(_ small: UInt8) -> [UInt8] { [0x02, 1, small] }

    static let null: [UInt8] = [0x05, 0]

    /// An object identifier: `1.2.840.113549.1.7.2`.
    static func identifier(_ dotted: String) -> [UInt8] {
        let numbers = dotted.split(separator: ".").compactMap { Int($0) }
        var bytes: [UInt8] = [UInt8(40 * numbers[0] + numbers[1])]
        for number in numbers.dropFirst(2) {
            var digits = [UInt8(number & 0x7F)], rest = number >> 7
            while rest > 0 {
                digits.insert(0x80 | UInt8(rest & 0x7F), at: 0)
                rest >>= 7
            }
            bytes += digits
        }
        return value(0x06, bytes)
    }

    private static func sorted(_ parts: [[UInt8]]) -> [UInt8] {
        Array(parts.sorted { $0.lexicographicallyPrecedes($1) }.joined())
    }
}
