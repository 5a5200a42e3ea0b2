import ArgumentParser
import Model
import Pipeline
import Replica

/// `fichero status`: counts the replica's rows by sync state and record state, and shows pending
/// work.
struct StatusCommand: FicheroCommand {
    static let task = CommandTask.look
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "What is in the replica, and what is pending.",
        discussion: "Example: fichero status --json")

    @OptionGroup var options: CommonOptions

    func run() throws {
        let session = try WorkSession.existing(options)
        session.reportBroken()
        let replica = try session.openReplica()
        let actor = try session.actor(in: replica, to: .read)
        // For administrators, the status covers all projects.
        var status = try replica.status(
            visibleTo: actor.role.permissions.contains(.administer) ? nil : actor.id, as: actor.role)
        status.sync = try replica.syncStatus(of: status.projects, for: actor, at: session.asOf)
        if let wait = TransferObstacle(session)?.name {
            for index in status.sync?.indices ?? 0..<0 { status.sync?[index].filesWait = wait }
        }
        options.output.show(status, text: StatusText(session).text(status))
    }
}
