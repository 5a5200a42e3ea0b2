import ArgumentParser
import Importing
import Model
import Replica

/// What a user says of files that are brought in or checked.
struct SourceArguments: ParsableArguments {
    @Option(
        name: .customLong("bound"),
        help: ArgumentHelp("A bound on packages and drawings, e.g. totalBytes=500000000000; may be repeated.", valueName: "name=number"))
    var bounds: [String] = []

    func limits() throws -> PackageLimits {
        var result = PackageLimits()
        for text in bounds {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, result.set(parts[0], to: parts[1]) else { throw SettingFailure.badLimit(text, known: PackageLimits.names) }
        }
        return result
    }

    /// A drawing goes to the project that is named, or to the actor's only one.
    func options(
        _ session: CommandSession, _ actor: Actor, _ replica: Replica, files: [String], project: String?
    ) throws -> SourceOptions {
        var options = SourceOptions(limits: try limits())
        // To list an actor's projects costs a look at every table: only where a drawing asks for one.
        let isAsked = try project != nil || files.contains { DXFFormat.recognises(try SourceLocation(path: $0)) }
        guard isAsked else { return options }
        let projects = try session.projectIDs(of: actor, project, replica)
        options.projectID = projects.count == 1 ? projects.first : nil
        return options
    }
}
