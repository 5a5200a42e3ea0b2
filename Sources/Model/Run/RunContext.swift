package import Foundation

/// The actor, time and language of a run. Every stage receives it, so that none reads a clock or a
/// locale.
package struct RunContext: Sendable {
    /// UUIDv7 of this run.
    package var id: String
    /// The clock of the run (`--as-of`), the source of every written time.
    package var asOf: Date
    /// The office's time zone, in which people read times.
    package var timeZone: TimeZone
    package var language: Language
    /// `DEV`, `STAGING` or `PROD`.
    package var environment: String
    package var actor: Actor
    package var programVersion: String

    package init(
        id: String, asOf: Date, timeZone: TimeZone, language: Language, environment: String, actor: Actor,
        programVersion: String
    ) {
        self.id = id
        self.asOf = asOf
        self.timeZone = timeZone
        self.language = language
        self.environment = environment
        self.actor = actor
        self.programVersion = programVersion
    }
}

/// The profile on whose behalf a command runs. Nothing proves that the person has this profile;
/// only the file's permissions protect a replica.
package struct Actor: Sendable, Hashable {
    package var id: String
    package var email: String
    package var fullName: String?
    package var role: Role

    package init(id: String, email: String, fullName: String?, role: Role) {
        self.id = id
        self.email = email
        self.fullName = fullName
        self.role = role
    }
}
