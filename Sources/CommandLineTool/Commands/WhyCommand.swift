import ArgumentParser
import Model
import Pipeline
import Replica

/// `fichero why`: says why a record is, or is not, in the files of an export or report.
struct WhyCommand: FicheroCommand {
    static let task = CommandTask.look
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Why a record is, or is not, in the files.",
        discussion: """
            Asks the exports and reports of the pack, or one of them, by their own selection and validation. Give \
            the same options as to export: states, days, condition. Every reason is named, and what takes the \
            errors away. Nothing is written.

            Examples:
              fichero why C-12 --project CHU-2025
              fichero why C-12 calicatas --state APROBADO --period 2026-11
            """)

    @OptionGroup var options: CommonOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions

    @Argument(help: ArgumentHelp("The record, or one of its parts, by its id or its code.", valueName: "record"))
    var record: String

    @Argument(
        help: ArgumentHelp(
            "An export or a report; without it, all that have records of this kind.", valueName: "name"))
    var name: String?

    func run() throws {
        let session = try WorkSession.existing(options)
        let replica = try session.openReplica()
        let actor = try session.actor(in: replica, to: .read)
        let answer = try RecordInquiry(session, replica, actor).answer(record, in: name, selection.request(session))
        options.output.show(answer, text: WhyText(session: session).text(answer))
    }
}

/// The answer, formatted for display: each file with its reasons, then the errors with their
/// remedies.
private struct WhyText {
    let session: WorkSession

    func text(_ answer: RecordInquiry.Answer) -> String {
        let name = answer.name ?? answer.id
        var blocks = [session.findingText.name(ofTable: answer.table) + " " + name]
        if let act = answer.deleted {
            let when = TwoClocks(session: session).time(written: act.writtenAt, stated: act.time)
            let facts = [when, act.who, act.reason].compactMap(\.self).joined(separator: " · ")
            return blocks[0] + "\n\n" + session.text("cli.why.deleted", ["facts": facts])
        }
        if !answer.isMember {
            return blocks[0] + "\n\n" + session.text("cli.why.member", ["project": answer.project ?? ""])
        }
        blocks += answer.files.map(file)
        if answer.files.isEmpty { blocks.append(session.text("cli.why.none")) }
        if !answer.errors.isEmpty {
            blocks.append(session.text("cli.why.errors") + "\n" + answer.errors.map(error).joined(separator: "\n"))
        }
        return blocks.joined(separator: "\n\n")
    }

    private func file(_ file: RecordInquiry.File) -> String {
        let state = session.text("cli.why." + file.state.rawValue)
        var lines = ["\(file.title) (\(file.name)): \(state)"]
        lines += file.reasons.map { "  " + $0.text + ($0.detail.isEmpty ? "" : ": " + $0.detail) }
        lines += file.deliveries.map {
            "  " + session.text("cli.why.delivered", ["line": $0.line, "version": String($0.version)])
        }
        return lines.joined(separator: "\n")
    }

    private func error(_ error: RecordInquiry.RecordError) -> String {
        let mark = error.isAccepted ? " " + session.text("cli.why.accepted") : ""
        return "  \(error.code) [\(error.fingerprint.prefix(8))]\(mark)\n    \(error.message)\n    → \(error.remedy)"
    }
}
