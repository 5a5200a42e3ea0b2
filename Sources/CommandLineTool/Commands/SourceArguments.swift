import Importing
import Model
import Replica

/// What the user states about files to be imported or checked, besides what the files contain.
enum SourceArguments {
    /// Options for reading the files. A drawing is imported into the named project, or into the
    /// actor's only one.
    static func options(
        _ session: CommandSession, _ actor: Actor, _ replica: Replica, files: [String], project: String?
    ) throws -> SourceOptions {
        var options = SourceOptions(limits: session.limits.packages)
        options.folders = [session.pack.plans?.folder].compactMap(\.self)
        // Listing an actor's projects needs a look at every table, so it is only done if a drawing
        // needs one.
        let isAsked = try project != nil || files.contains { DXFFormat.recognises(try SourceLocation(path: $0)) }
        guard isAsked else { return options }
        let projects = try session.projectIDs(of: actor, project, replica)
        options.projectID = projects.count == 1 ? projects.first : nil
        return options
    }
}
