import Importing
import Model
import Replica

/// What a user says of files that are brought in or checked, beside what the files say themselves.
enum SourceArguments {
    /// A drawing goes to the project that is named, or to the actor's only one.
    static func options(
        _ session: CommandSession, _ actor: Actor, _ replica: Replica, files: [String], project: String?
    ) throws -> SourceOptions {
        var options = SourceOptions(limits: session.limits.packages)
        options.folders = [session.pack.plans?.folder].compactMap(\.self)
        // To list an actor's projects costs a look at every table: only where a drawing asks for one.
        let isAsked = try project != nil || files.contains { DXFFormat.recognises(try SourceLocation(path: $0)) }
        guard isAsked else { return options }
        let projects = try session.projectIDs(of: actor, project, replica)
        options.projectID = projects.count == 1 ? projects.first : nil
        return options
    }
}
