import ArgumentParser
import Foundation
import Model
import OutputFiles
import Pipeline
import Recording
import Replica

/// `fichero query`: runs an SQL query over the data that the actor may see.
struct QueryCommand: FicheroCommand {
    static let task = CommandTask.look
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Ask the replica in SQL: read-only, the rows and columns that you may see.",
        discussion: """
            The tables are those of the pack (`fichero describe`), with the rows of the actor's projects and the \
            columns that the role sees; nothing else can be named. The SQL is that of SQLite, with the functions \
            that rules have; :today is the office's day.

            The answer is a table for people, of which the first 1000 rows are shown, or CSV or JSON, whole. A file \
            appears only when it is complete; its ending says the form unless --format does. A question may take a \
            minute, 256 MiB and five million rows.

            Examples:
              fichero query "SELECT name, updated_at FROM document_nodes ORDER BY updated_at DESC LIMIT 5"
              fichero query "SELECT type, count(*) AS n FROM document_nodes GROUP BY type" --json
              fichero query --file strata-without-sucs.sql -o strata.csv
            """)

    @OptionGroup var options: CommonOptions

    @Argument(help: ArgumentHelp("The question, one SELECT.", valueName: "sql"))
    var question: String?

    @Option(
        name: .long, help: ArgumentHelp("A file that holds the question.", valueName: "file"),
        completion: .file(extensions: ["sql"]))
    var file: String?

    @Option(name: .long, help: ArgumentHelp("table, csv or json.", valueName: "format"))
    var format: RowFormat?

    @Option(name: [.short, .long], help: ArgumentHelp("The file to write.", valueName: "file"), completion: .file())
    var output: String?

    @Option(name: .long, help: ArgumentHelp("How long the question may take.", valueName: "seconds"))
    var seconds: Double = QueryBounds().seconds

    /// The file to which the result was written.
    private struct Written: Encodable {
        var path: String
        var rows: Int
        var bytes: Int64
        var sha256: String
    }

    func validate() throws {
        guard question == nil || file == nil else {
            throw ValidationError("Give the question or a file that holds it, not both.")
        }
        guard (1...86_400).contains(seconds) else {
            throw ValidationError("--seconds is a number between 1 and 86400.")
        }
    }

    func run() throws {
        Replica.boundMemory()
        let session = try WorkSession.existing(options)
        let replica = try session.openReplica()
        let actor = try session.actor(in: replica, to: .read)
        var bounds = QueryBounds()
        bounds.seconds = seconds
        let asking = try QuerySession(
            path: session.replicaPath, pack: session.pack, actor: actor, timeZone: session.timeZone, asOf: session.asOf,
            bounds: bounds)
        let answer = try asking.answer(to: text())
        let rows = RowOutput(columns: answer.columns, session: session)
        if let output { return try write(answer, rows, to: output, session) }
        let format = format ?? (options.json ? .json : .table)
        if format == .table {
            guard !options.quiet else { return }
            _ = try rows.write(answer, as: format) { StandardOutput.write(String(decoding: $0, as: UTF8.self)) }
        } else {
            let count = try rows.write(answer, as: format) { StandardOutput.write(data: $0) }
            if count == 0, format == .csv, !options.quiet { StandardError.write(session.text("cli.rows.none") + "\n") }
        }
    }

    private func text() throws -> String {
        guard let file else { return question ?? "" }
        guard let bytes = FileManager.default.contents(atPath: file),
            let text = String(validating: bytes, as: UTF8.self)
        else {
            throw QueryFailure.noFile(path: file)
        }
        return text
    }

    private func write(_ answer: QueryResult, _ rows: RowOutput, to path: String, _ session: WorkSession) throws {
        let ending = URL(fileURLWithPath: path).pathExtension.lowercased()
        try OutputCommit.makeDirectory(for: path)
        try OutputCommit.check(final: path, replacing: .anything(but: session.replicaFiles))
        var file = try OutputFile(finalPath: path)
        let count = try rows.write(answer, as: format ?? RowFormat(rawValue: ending) ?? .table) {
            try file.write($0.span)
        }
        let written = try file.close(rows: count)
        try OutputCommit.publish(
            temporary: written.temporaryPath, final: written.finalPath, replacing: .anything(but: session.replicaFiles))
        var table = TextTable(
            ["path", "rows", "bytes", "sha256"].map { session.text("cli.columns." + $0) },
            [.left, .right, .right, .left])
        table.add([written.finalPath, String(count), String(written.bytes), written.sha256])
        options.output.show(
            Written(path: written.finalPath, rows: count, bytes: written.bytes, sha256: written.sha256),
            text: table.text)
    }
}
