package import Model

/// Mistakes in the configuration, options and paths of a command.
package typealias SettingFailure = DeclaredFailure<WorkSession>

extension SettingFailure {
    package static func templatesNotFound(tried: [String]) -> Self {
        Self("TEMPLATES-NOT-FOUND", .badConfiguration, ["tried": tried])
    }
    package static func configurationMissing(path: String) -> Self {
        Self("CONFIGURATION-MISSING", .badConfiguration, ["path": path])
    }
    package static func configurationInvalid(path: String, line: Int?, reason: String) -> Self {
        Self(
            "CONFIGURATION-INVALID", .badConfiguration,
            ["path": path, "reason": reason], at: Place(file: path, line: line))
    }
    package static func unknownLanguage(_ value: String) -> Self { Self("LANGUAGE-UNKNOWN", .usage, ["value": value]) }
    package static func unknownTimeZone(_ value: String) -> Self { Self("TIME-ZONE-UNKNOWN", .usage, ["value": value]) }
    package static func unknownEnvironment(_ value: String, known: [String]) -> Self {
        Self("ENVIRONMENT-UNKNOWN", .badConfiguration, ["value": value, "known": known])
    }
    package static func badTime(_ value: String) -> Self { Self("TIME-INVALID", .usage, ["value": value]) }
    package static var noActor: Self { Self("ACTOR-MISSING", .notPermitted) }
    package static func badAddress(_ value: String) -> Self { Self("ADDRESS-INVALID", .usage, ["value": value]) }
    /// The address of a database is not in the required form, or contains a password.
    package static var badDatabaseAddress: Self { Self("DATABASE-ADDRESS", .usage) }
    /// The first profile must have a role that may administer.
    package static func roleDoesNotAdminister(_ value: String, known: [String]) -> Self {
        Self("ROLE-NO-ADMINISTRATOR", .usage, ["value": value, "known": known])
    }
    package static var nothingToImport: Self { Self("IMPORT-NOTHING", .usage) }
    package static var recordsWithoutDryRun: Self { Self("IMPORT-RECORDS", .usage) }
    package static func unknownExport(_ value: String, known: [String]) -> Self {
        Self("EXPORT-UNKNOWN", .usage, ["value": value, "known": known])
    }
    /// The export makes no workbook of rows that can come back corrected.
    package static func notEditable(_ name: String) -> Self { Self("EXPORT-NOT-EDITABLE", .usage, ["name": name]) }
    /// A selection of an anonymous export has a condition that could identify a single person.
    package static func anonymousFilter(_ value: String) -> Self { Self("EXPORT-ANONYMOUS", .usage, ["value": value]) }
    package static func unknownDocument(_ value: String, known: [String]) -> Self {
        Self("DOCUMENT-UNKNOWN", .usage, ["value": value, "known": known])
    }
    /// A kind of drawing that is in no report of the pack, or a file format that drawings cannot
    /// have.
    package static func unknownDrawing(_ value: String, known: [String]) -> Self {
        Self("DRAWING-UNKNOWN", .usage, ["value": value, "known": known])
    }
    package static func nothingToDraw(_ value: String) -> Self { Self("DRAWING-NOTHING", .usage, ["value": value]) }
    package static func unknownJob(_ value: String, known: [String]) -> Self {
        Self("JOB-UNKNOWN", .usage, ["value": value, "known": known])
    }
    package static func unknownFormat(_ value: String, export: String, known: [String]) -> Self {
        Self("FORMAT-UNKNOWN", .usage, ["value": value, "export": export, "known": known])
    }
    package static func badDate(_ value: String) -> Self { Self("DATE-INVALID", .usage, ["value": value]) }
    package static func badPeriod(_ value: String) -> Self {
        Self("PERIOD-INVALID", .usage, ["value": value, "known": Period.forms])
    }
    package static func badCircle(_ place: String, within: String) -> Self {
        Self("CIRCLE-INVALID", .usage, ["place": place, "distance": within])
    }
    package static func tooManyErrors(_ count: Int, limit: Int) -> Self {
        Self("EXPORT-TOO-MANY", .findings, ["count": count, "limit": limit])
    }
    package static func unknownRule(_ value: String, known: [String]) -> Self {
        Self("RULE-UNKNOWN", .usage, ["value": value, "known": known])
    }
    package static func unknownReport(_ value: String, known: [String]) -> Self {
        Self("REPORT-KIND", .usage, ["value": value, "known": known])
    }
    package static func reportTwice(_ value: String) -> Self { Self("REPORT-TWICE", .usage, ["value": value]) }
    /// The command is about one project, and none is named; `known` are the actor's.
    package static func projectNeeded(known: [String]) -> Self { Self("PROJECT-NEEDED", .usage, ["known": known]) }
    package static var packageOutput: Self { Self("PACKAGE-OUTPUT", .usage) }
    /// The folder does not exist.
    package static func noFolder(_ path: String) -> Self { Self("FOLDER-MISSING", .noInput, ["path": path]) }
    package static func limitUnknown(_ value: String, known: [String]) -> Self {
        Self("LIMIT-UNKNOWN", .usage, ["value": value, "known": known])
    }
    package static func limitInvalid(_ value: String) -> Self { Self("LIMIT-INVALID", .usage, ["value": value]) }
    /// The configuration contains no central database.
    package static var noRemote: Self { Self("REMOTE-MISSING", .badConfiguration) }
    /// The configuration contains a Supabase project without its public key.
    package static var noRemoteKey: Self { Self("REMOTE-KEY-MISSING", .badConfiguration) }
    package static var productionUnconfirmed: Self { Self("REMOTE-PRODUCTION", .usage) }
    /// The replica was synced with another server before.
    package static func otherServer(_ address: String, before: String) -> Self {
        Self("REMOTE-OTHER", .badConfiguration, ["address": address, "before": before])
    }
    /// The replica was never synced with this server, and the actor may not choose the server.
    package static func notToChoose(_ address: String) -> Self {
        Self("REMOTE-CHOICE", .notPermitted, ["address": address])
    }
    /// A folder for the exchange of packages does not exist, for example on a share that is not
    /// mounted.
    package static func noExchangeFolder(_ path: String) -> Self { Self("REMOTE-FOLDER", .unavailable, ["path": path]) }
    /// The sync partner's data cannot be queried.
    package static var remoteNotAsked: Self { Self("REMOTE-NO-PROOF", .usage) }
    /// The server reports another number of rows sent than the replica received.
    package static func syncCount(table: String, sent: Int, taken: Int) -> Self {
        Self("SYNC-COUNT", .unavailable, ["table": table, "sent": sent, "taken": taken])
    }
}
