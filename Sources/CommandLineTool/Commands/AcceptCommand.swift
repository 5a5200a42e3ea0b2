import ArgumentParser
import Foundation
import Model
import Replica

/// `fichero accept`: accepts findings, so that they may stay as they are for a while; lists and
/// withdraws acceptances.
struct AcceptCommand: FicheroCommand {
    static let task = CommandTask.check
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Accept findings for a while, with a reason; list or withdraw what was accepted.",
        discussion: """
            A finding is named by its fingerprint, which `validate` shows, or by the first eight or more digits of it. It is still \
            shown, as accepted, but withholds no record and fails no run, until the day ends or its values change. Without a \
            fingerprint, everything that was accepted is listed.

            Examples:
              fichero accept fe3c4751 --reason "Depth confirmed by the client" --until 2026-12-31
              fichero accept
              fichero accept fe3c4751 --withdraw
            """)

    @OptionGroup var options: CommonOptions

    @Argument(help: ArgumentHelp("Fingerprints of findings.", valueName: "fingerprint"))
    var fingerprints: [String] = []

    @Option(name: .long, help: ArgumentHelp("Why it may stay as it is.", valueName: "text"))
    var reason: String?

    @Option(name: .long, help: ArgumentHelp("The last day on which this holds, yyyy-MM-dd.", valueName: "date"))
    var until: String?

    @Flag(name: .long, help: "Take acceptances back.")
    var withdraw = false

    private struct Withdrawn: Encodable {
        var withdrawn: Int
    }

    func run() throws {
        let session = try CommandSession.existing(options)
        let replica = try session.openReplica()
        let actor = try session.actor(in: replica, to: fingerprints.isEmpty ? .read : .resolve)
        let context = session.context(actor)
        let projects = try session.projectIDs(of: actor, nil, replica)
        if fingerprints.isEmpty {
            show(try replica.acceptances(asOf: context.asOf, timeZone: context.timeZone, projectIDs: projects), session)
        } else if withdraw {
            let count = try replica.withdrawAcceptances(fingerprints, context: context, projectIDs: projects)
            session.output.show(Withdrawn(withdrawn: count), text: session.text("cli.accept.withdrawn", ["count": String(count)]))
        } else {
            guard let until else { throw AcceptanceFailure.noDay }
            show(
                try replica.accept(fingerprints, reason: reason ?? "", until: until, context: context, projectIDs: projects), session)
        }
    }

    private func show(_ acceptances: [KeptAcceptance], _ session: CommandSession) {
        session.output.show(acceptances, text: AcceptanceText(session).text(acceptances))
    }
}
