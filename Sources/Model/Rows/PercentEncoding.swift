import Digests

extension String {
    /// The text as it stands in an address (RFC 3986). Unreserved characters stay, and those to
    /// keep. Each byte of all others becomes `%` and two digits.
    package func percentEncoded(keeping kept: String = "") -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~\(kept)".utf8)
        return utf8.reduce(into: "") { text, byte in
            if plain.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + byte.hexadecimal(2).uppercased()
            }
        }
    }
}
