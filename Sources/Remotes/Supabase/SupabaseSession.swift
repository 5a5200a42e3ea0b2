package import Foundation
internal import JSONReading
internal import Web

/// One person's session with the Auth of a Supabase project (`design/supabase-wire.md`, "Auth").
///
/// A refresh token is valid for one use. So one process at a time renews the tokens, and the new
/// ones are saved before they are used.
final class SupabaseSession {
    private let settings: SupabaseSettings
    private let email: String
    private let keeper: any TokenKeeper
    private let password: () throws -> String?
    private let connection: WebConnection
    private var tokens: AccessTokens?

    /// - Parameter password: called if there is no session; nil: nobody can be asked.
    init(
        _ settings: SupabaseSettings, email: String, keeper: any TokenKeeper, connection: WebConnection,
        password: @escaping () throws -> String?
    ) {
        (self.settings, self.email, self.keeper, self.connection, self.password) = (
            settings, email, keeper, connection, password
        )
    }

    /// Returns an access token that is valid for at least another minute.
    ///
    /// - Parameter refused: a token that the server rejected, even if it has not expired.
    func token(after refused: String? = nil) throws -> String {
        if let tokens, tokens.isFresh, tokens.access != refused { return tokens.access }
        return try keeper.exclusively {
            let kept = keeper.read()
            // Another process may have renewed the tokens meanwhile.
            if let kept, kept.isFresh, kept.access != refused { return try take(kept) }
            if let refresh = kept?.refresh, let renewed = try renew(refresh) { return try keep(renewed) }
            return try keep(logIn())
        }
    }

    /// Rejects a token whose role bypasses row security, regardless of its person.
    private func take(_ tokens: AccessTokens) throws(SupabaseFailure) -> String {
        if let role = TokenClaims(token: tokens.access)?.role, role != "authenticated" {
            throw .secretToken(role: role)
        }
        self.tokens = tokens
        return tokens.access
    }

    private func keep(_ tokens: AccessTokens) throws -> String {
        try keeper.save(tokens)
        return try take(tokens)
    }

    /// Nil: the session has ended.
    private func renew(_ refresh: String) throws -> AccessTokens? {
        let answer = try ask("refresh_token", .object([.init(key: "refresh_token", value: .string(refresh))]))
        if answer.isSuccess { return try tokens(in: answer) }
        guard [400, 401, 403].contains(answer.status) else { throw failure(answer) }
        return nil
    }

    private func logIn() throws -> AccessTokens {
        guard let password = try password() else {
            throw SupabaseFailure.loginNeeded(address: settings.url, email: email)
        }
        let answer = try ask(
            "password",
            .object([.init(key: "email", value: .string(email)), .init(key: "password", value: .string(password))]))
        if answer.isSuccess { return try tokens(in: answer) }
        guard [400, 401, 403, 422].contains(answer.status) else { throw failure(answer) }
        throw SupabaseFailure.loginRefused(address: settings.url, email: email, reason: Self.reason(answer))
    }

    private func ask(_ grant: String, _ body: JSONValue) throws -> WebAnswer {
        let headers = [
            ("apikey", settings.key), ("Content-Type", "application/json"), ("X-Supabase-Api-Version", "2024-01-01"),
        ]
        // A used refresh token is not valid for a second attempt. If the reply was lost, the
        // session has ended.
        return try connection.send(
            WebRequest(
                .post, settings.url + "/auth/v1/token?grant_type=" + grant, headers: headers,
                body: Array(body.description.utf8)))
    }

    private func tokens(in answer: WebAnswer) throws -> AccessTokens {
        guard let value = try? JSONValue.parse(answer.body), let access = value["access_token"]?.text else {
            throw SupabaseFailure.notAnswering(address: settings.url, reason: "no token in the answer")
        }
        var seconds = 3600.0
        if case .number(let text) = value["expires_in"], let stated = Double(text) { seconds = stated }
        return AccessTokens(
            url: settings.url, email: email, access: access, refresh: value["refresh_token"]?.text,
            expires: Date(timeIntervalSinceNow: seconds))
    }

    private func failure(_ answer: WebAnswer) -> SupabaseFailure {
        .refused(
            status: answer.status, state: answer.headers["x-sb-error-code"] ?? String(answer.status),
            message: Self.reason(answer))
    }

    /// The server's error code, which contains no part of the request.
    private static func reason(_ answer: WebAnswer) -> String {
        let value = try? JSONValue.parse(answer.body)
        return answer.headers["x-sb-error-code"] ?? value?["error_code"]?.text ?? value?["code"]?.text
            ?? "HTTP \(answer.status)"
    }
}

/// The tokens of a login. Whoever has them can act as that person, so they are protected like a
/// password.
package struct AccessTokens: Codable, Sendable, Hashable {
    /// The server that issued the tokens.
    package var url: String
    package var email: String
    package var access: String
    /// Valid for one renewal; nil: the tokens cannot be renewed.
    package var refresh: String?
    /// Time of expiry by this machine's clock.
    package var expires: Date

    package init(url: String, email: String, access: String, refresh: String?, expires: Date) {
        (self.url, self.email, self.access, self.refresh, self.expires) = (url, email, access, refresh, expires)
    }

    /// Whether the access token is valid for another minute, by this machine's clock.
    var isFresh: Bool { expires.timeIntervalSinceNow > 60 }
}

/// Storage, between runs, of one person's tokens for one server.
package protocol TokenKeeper: Sendable {
    /// Nil if there are no tokens, or they cannot be read.
    func read() -> AccessTokens?
    /// Saves the tokens durably before it returns, because a refresh token is valid for one use.
    func save(_ tokens: AccessTokens) throws
    /// Runs a body while no other process does: two renewals would end the session.
    func exclusively<T>(_ body: () throws -> T) throws -> T
}
