package import Model

/// Mistakes in the configuration, options and paths of a command.
package enum SettingFailure: Failure, Hashable {
    case templatesNotFound(tried: [String])
    case configurationMissing(path: String)
    case configurationInvalid(path: String, line: Int?, reason: String)
    case unknownLanguage(String)
    case unknownTimeZone(String)
    case unknownEnvironment(String, known: [String])
    case badTime(String)
    case noActor
    case badAddress(String)
    /// The address of a database is not in the required form, or contains a password.
    case badDatabaseAddress
    /// The first profile must have a role that may administer.
    case roleDoesNotAdminister(String, known: [String])
    case nothingToImport
    case recordsWithoutDryRun
    case unknownExport(String, known: [String])
    /// A selection of an anonymous export has a condition that could identify a single person.
    case anonymousFilter(String)
    case unknownDocument(String, known: [String])
    /// A kind of drawing that is in no report of the pack, or a file format that drawings cannot
    /// have.
    case unknownDrawing(String, known: [String])
    case nothingToDraw(String)
    case unknownJob(String, known: [String])
    case unknownFormat(String, export: String, known: [String])
    case badDate(String)
    case badPeriod(String)
    case badCircle(String, within: String)
    case tooManyErrors(Int, limit: Int)
    case unknownRule(String, known: [String])
    case unknownReport(String, known: [String])
    case reportTwice(String)
    case packageProject(count: Int)
    case packageOutput
    /// The folder does not exist.
    case noFolder(String)
    case limitUnknown(String, known: [String])
    case limitInvalid(String)
    /// The configuration contains no central database.
    case noRemote
    /// The configuration contains a Supabase project without its public key.
    case noRemoteKey
    case productionUnconfirmed
    /// The replica was synced with another server before.
    case otherServer(String, before: String)
    /// The replica was never synced with this server, and the actor may not choose the server.
    case notToChoose(String)
    /// A folder for the exchange of packages does not exist, for example on a share that is not
    /// mounted.
    case noExchangeFolder(String)
    /// The sync partner's data cannot be queried.
    case remoteNotAsked
    /// The server reports another number of rows sent than the replica received.
    case syncCount(table: String, sent: Int, taken: Int)

    package var code: String {
        switch self {
        case .templatesNotFound: "TEMPLATES-NOT-FOUND"
        case .configurationMissing: "CONFIGURATION-MISSING"
        case .configurationInvalid: "CONFIGURATION-INVALID"
        case .unknownLanguage: "LANGUAGE-UNKNOWN"
        case .unknownTimeZone: "TIME-ZONE-UNKNOWN"
        case .unknownEnvironment: "ENVIRONMENT-UNKNOWN"
        case .badTime: "TIME-INVALID"
        case .noActor: "ACTOR-MISSING"
        case .badAddress: "ADDRESS-INVALID"
        case .badDatabaseAddress: "DATABASE-ADDRESS"
        case .roleDoesNotAdminister: "ROLE-NO-ADMINISTRATOR"
        case .nothingToImport: "IMPORT-NOTHING"
        case .recordsWithoutDryRun: "IMPORT-RECORDS"
        case .unknownExport: "EXPORT-UNKNOWN"
        case .anonymousFilter: "EXPORT-ANONYMOUS"
        case .unknownDocument: "DOCUMENT-UNKNOWN"
        case .unknownDrawing: "DRAWING-UNKNOWN"
        case .nothingToDraw: "DRAWING-NOTHING"
        case .unknownJob: "JOB-UNKNOWN"
        case .unknownFormat: "FORMAT-UNKNOWN"
        case .badDate: "DATE-INVALID"
        case .badPeriod: "PERIOD-INVALID"
        case .badCircle: "CIRCLE-INVALID"
        case .tooManyErrors: "EXPORT-TOO-MANY"
        case .unknownRule: "RULE-UNKNOWN"
        case .unknownReport: "REPORT-KIND"
        case .reportTwice: "REPORT-TWICE"
        case .packageProject: "PACKAGE-PROJECT"
        case .packageOutput: "PACKAGE-OUTPUT"
        case .noFolder: "FOLDER-MISSING"
        case .limitUnknown: "LIMIT-UNKNOWN"
        case .limitInvalid: "LIMIT-INVALID"
        case .noRemote: "REMOTE-MISSING"
        case .noRemoteKey: "REMOTE-KEY-MISSING"
        case .productionUnconfirmed: "REMOTE-PRODUCTION"
        case .otherServer: "REMOTE-OTHER"
        case .notToChoose: "REMOTE-CHOICE"
        case .noExchangeFolder: "REMOTE-FOLDER"
        case .remoteNotAsked: "REMOTE-NO-PROOF"
        case .syncCount: "SYNC-COUNT"
        }
    }

    package var exitCode: Model.ExitCode {
        switch self {
        case .templatesNotFound, .configurationMissing, .configurationInvalid, .unknownEnvironment, .noRemote,
            .noRemoteKey, .otherServer:
            .badConfiguration
        case .syncCount, .noExchangeFolder: .unavailable
        case .noActor, .notToChoose: .notPermitted
        case .noFolder: .noInput
        case .tooManyErrors: .findings
        default: .usage
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .templatesNotFound(let tried): ["tried": tried.joined(separator: ", ")]
        case .configurationMissing(let path): ["path": path]
        case .configurationInvalid(let path, _, let reason): ["path": path, "reason": reason]
        case .unknownLanguage(let value), .unknownTimeZone(let value), .badTime(let value), .badAddress(let value),
            .badDate(let value),
            .reportTwice(let value), .anonymousFilter(let value), .nothingToDraw(let value), .limitInvalid(let value):
            ["value": value]
        case .badPeriod(let value): ["value": value, "known": Period.forms.joined(separator: ", ")]
        case .badCircle(let place, let distance): ["place": place, "distance": distance]
        case .unknownEnvironment(let value, let known), .roleDoesNotAdminister(let value, let known),
            .unknownExport(let value, let known), .unknownDocument(let value, let known),
            .unknownDrawing(let value, let known), .unknownJob(let value, let known),
            .unknownRule(let value, let known), .unknownReport(let value, let known),
            .limitUnknown(let value, let known):
            ["value": value, "known": known.joined(separator: ", ")]
        case .unknownFormat(let value, let export, let known):
            ["value": value, "export": export, "known": known.joined(separator: ", ")]
        case .tooManyErrors(let count, let limit): ["count": String(count), "limit": String(limit)]
        case .noFolder(let path), .noExchangeFolder(let path): ["path": path]
        case .otherServer(let address, let before): ["address": address, "before": before]
        case .notToChoose(let address): ["address": address]
        case .packageProject(let count): ["count": String(count)]
        case .syncCount(let table, let sent, let taken): ["table": table, "sent": String(sent), "taken": String(taken)]
        case .badDatabaseAddress, .noActor, .nothingToImport, .packageOutput, .recordsWithoutDryRun, .noRemote,
            .noRemoteKey, .productionUnconfirmed, .remoteNotAsked:
            [:]
        }
    }

    package var place: Place? {
        if case .configurationInvalid(let path, let line, _) = self { return Place(file: path, line: line) }
        return nil
    }
}
