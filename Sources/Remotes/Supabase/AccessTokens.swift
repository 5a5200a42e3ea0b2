package import Foundation

/// What a login gave. Whoever has it acts as that person, so it is kept like a password.
package struct AccessTokens: Codable, Sendable, Hashable {
    /// The server that gave them.
    package var url: String
    package var email: String
    package var access: String
    /// Good for one renewal; nil: these tokens cannot be renewed.
    package var refresh: String?
    /// By this machine's clock.
    package var expires: Date

    package init(url: String, email: String, access: String, refresh: String?, expires: Date) {
        (self.url, self.email, self.access, self.refresh, self.expires) = (url, email, access, refresh, expires)
    }

    /// Whether they are good for another minute, by this machine's clock.
    var isFresh: Bool { expires.timeIntervalSinceNow > 60 }
}

/// Where the tokens of one person for one server are kept between runs.
package protocol TokenKeeper: Sendable {
    /// Nil if there are none, or none that can be read.
    func read() -> AccessTokens?
    /// They must be safe before this returns: a refresh token is good for one use.
    func save(_ tokens: AccessTokens) throws
    /// Runs a body while no other process does: two that renew one session would end it.
    func exclusively<T>(_ body: () throws -> T) throws -> T
}
