internal import Foundation
package import Web

/// Where a Supabase project is. The key is the public one: every call carries it, and it gives no
/// right by itself.
package struct SupabaseSettings: Sendable, Hashable {
    /// `https://PROJECT.supabase.co`, or a server of one's own; without a slash at the end.
    package var url: String
    /// The publishable key, or the older `anon` key.
    package var key: String
    /// File of the certificates that may sign the server's; nil: those of this machine.
    package var authority: String?
    package var patience: WebPatience

    /// Throws `SupabaseFailure.secretKey` for a key that passes by row security, `.notSecure` for
    /// another machine's address without TLS.
    package init(url: String, key: String, authority: String? = nil, patience: WebPatience = WebPatience()) throws(SupabaseFailure) {
        self.url = String(url.reversed().drop { $0 == "/" }.reversed())
        (self.key, self.authority, self.patience) = (key, authority, patience)
        guard !Self.isSecret(key) else { throw .secretKey }
        guard url.lowercased().hasPrefix("https://") || WebAddress.isOfThisMachine(url) else { throw .notSecure(address: url) }
    }

    /// Whether the server is on this machine.
    package static func isOfThisMachine(_ url: String) -> Bool { WebAddress.isOfThisMachine(url) }

    /// `sb_secret_…`, or a token of any role but `anon`.
    private static func isSecret(_ key: String) -> Bool {
        if key.hasPrefix("sb_secret_") { return true }
        guard let role = TokenClaims(token: key)?.role else { return false }
        return role != "anon"
    }
}

/// What a token says about itself (RFC 7519). It is not verified: that is the server's part.
struct TokenClaims: Decodable {
    /// The profile's id.
    var sub: String?
    var role: String?

    /// Nil if the text is no token.
    init?(token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var text = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        guard let data = Data(base64Encoded: text), let claims = try? JSONDecoder().decode(TokenClaims.self, from: data) else { return nil }
        self = claims
    }
}
