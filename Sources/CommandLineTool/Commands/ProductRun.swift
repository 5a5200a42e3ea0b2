import Model
import Replica

/// A run of `export` or `report` from the actor's permission to the exit code.
struct ProductRun<Of: Product> {
    let session: CommandSession
    private let replica: Replica
    private let actor: Actor
    private let registering: RegisteringOptions<Of>

    init(_ options: CommonOptions, to permission: Permission, _ registering: RegisteringOptions<Of>) throws {
        session = try CommandSession.existing(options)
        replica = try session.openReplica(waiting: registering.wait)
        actor = try session.actor(in: replica, to: permission)
        if registering.markExported { try actor.ensure(may: .mark) }
        self.registering = registering
    }

    /// The suffix of drafts' names, if nothing is to be registered.
    var draftName: String? { registering.draft ? session.text("word.draft_file") : nil }

    /// Has the files made and reports them; findings that stay open end the command with their exit
    /// code.
    /// - Parameters:
    ///   - selection: the selection for the run's journal entry.
    ///   - isRound: whether others follow; JSON is then one line.
    func perform(_ request: any ProductRequest, selection: SelectionRequest, failOn: FailOn, isRound: Bool = false) throws {
        let name = request.files.name
        func exitCode(_ outcome: ExportOutcome) -> Model.ExitCode {
            outcome.isEmpty ? .noInput : FindingThresholds(failOn: failOn).exitCode(for: outcome.open)
        }
        let outcome = try RunScope.perform(
            session, replica, session.context(actor), command: Of.word + " " + name, waitSeconds: registering.wait,
            selection: JSONString.document(selection)
        ) { scope in
            let outcome = try FilePipeline(scope: scope, request: request).run()
            return (outcome, exitCode(outcome), JSONString.document(outcome.summary))
        }
        if isRound, session.output.isJSON {
            StandardOutput.write(JSONString.line(outcome) + "\n")
        } else {
            session.output.show(outcome, text: ExportText(session).text(outcome))
        }
        // Programs always get one document, which reports an empty outcome itself.
        if outcome.isEmpty, !session.output.isJSON { throw SelectionFailure.nothingSelected(name) }
        if exitCode(outcome) != .done { throw CommandExit(exitCode: exitCode(outcome)) }
    }
}
