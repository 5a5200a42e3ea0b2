import ArgumentParser
import Model
import Pipeline
import Replica

/// `fichero diff`: says what changed between two deliveries, or since one.
struct DiffCommand: FicheroCommand {
    static let task = CommandTask.look
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "What changed between two deliveries, or since one.",
        discussion: """
            Compares two workbooks of one export: records that came, went and changed, field by field. A side is a \
            file, or a registered version as EXPORT:VERSION. With one side, it is compared with what the replica \
            would export now. The exit code is 1 where they differ.

            Examples:
              fichero diff calicatas:1 --project CHU-2025
              fichero diff calicatas:1 calicatas:2 --project CHU-2025 --report changes.html
              fichero diff old.xlsx new.xlsx --report changes.xlsx
            """)

    @OptionGroup var options: CommonOptions

    @Argument(help: ArgumentHelp("One or two workbooks: a file, or EXPORT:VERSION.", valueName: "workbook"))
    var sides: [String]

    @Option(name: .long, help: ArgumentHelp("The project of the registered versions.", valueName: "code"))
    var project: String?

    @Option(
        name: .customLong("line"),
        help: ArgumentHelp("The line of the versions, where several lines have them.", valueName: "name"))
    var lineName: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write the changes as a page or a workbook too: .html or .xlsx; may be repeated.", valueName: "file"))
    var report: [String] = []

    func validate() throws {
        guard (1...2).contains(sides.count) else { throw ValidationError("Give one workbook or two.") }
    }

    func run() throws {
        let session = try WorkSession.existing(options)
        let replica = try session.openReplica()
        let actor = try session.actor(in: replica, to: .read)
        let requests = try ImportAccountFiles.requests(report, sparing: session.replicaFiles)
        for request in requests { try BookComparison.ensure(request.path, isNoneOf: sides) }
        let comparison = try BookComparison(session, replica, actor, project: project, sides: sides)
        let difference = try comparison.compare(sides[0], sides.count > 1 ? sides[1] : nil, line: lineName)
        try comparison.write(difference, to: requests)
        options.output.show(difference, text: DifferenceText(session: session).text(difference))
        if !difference.isEmpty { throw CommandExit(exitCode: .findings) }
    }
}

/// A difference for a terminal: a line for each record, and one for each field that changed.
private struct DifferenceText {
    let session: WorkSession

    private static let mostRecords = 200

    func text(_ difference: BookDifference) -> String {
        let head = "\(difference.project) · \(difference.before) → \(difference.after)"
        guard !difference.isEmpty else { return head + "\n" + session.text("diff.none") }
        var lines = [head], sheet = ""
        for record in difference.records.prefix(Self.mostRecords) {
            if record.sheet != sheet {
                sheet = record.sheet
                lines += ["", sheet]
            }
            let mark = [BookDifference.Kind.added: "+", .gone: "−", .changed: "~"][record.kind] ?? ""
            lines.append("  \(mark) \(record.name)")
            guard record.kind == .changed else { continue }
            lines += record.fields.map { "      \($0.column): \(shown($0.before)) → \(shown($0.after))" }
        }
        if difference.records.count > Self.mostRecords {
            lines.append(session.text("cli.more", ["count": String(difference.records.count - Self.mostRecords)]))
        }
        let counts = [BookDifference.Kind.added, .gone, .changed].map { kind in
            "\(session.text("diff." + kind.rawValue)): \(difference.count(kind))"
        }
        let unplaced = difference.unplacedRows == 0
            ? [] : ["\(session.text("diff.unplaced")): \(difference.unplacedRows)"]
        return (lines + ["", counts.joined(separator: " · ")] + unplaced).joined(separator: "\n")
    }

    private func shown(_ value: String) -> String { value.isEmpty ? "—" : value }
}
