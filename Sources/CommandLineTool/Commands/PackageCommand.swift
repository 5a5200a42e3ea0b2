import ArgumentParser
import Foundation
import Model
import Packs
import Pipeline
import Replica

/// `fichero package`: writes a survey package of a project, or the schemas of packages.
struct PackageCommand: FicheroCommand {
    static let task = CommandTask.handOver
    static let configuration = CommandConfiguration(
        commandName: "package",
        abstract: "Write a survey package: a project's records and photos, to be imported elsewhere.",
        discussion: """
            Everything of one project that the actor may see, as a folder or, where the name ends in .zip, as an \
            archive: a manifest with counts and SHA-256, one NDJSON file for each table, the photos under their \
            unchanged names. `fichero import` reads it.

            With --schema nothing is read from the replica but its pack: the JSON Schemas of the package's files \
            are printed, or written into a folder.

            Examples:
              fichero package --project CHU-2025 -o chu-2025.zip
              fichero package --project CHU-2025 -o chu-2025 --no-photos
              fichero package --schema -o schemas
            """)

    @OptionGroup var options: CommonOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The project, by the code that people know. The actor's only one by default.", valueName: "code"),
        completion: .names(of: .projects))
    var project: String?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("A folder that is not there yet, or a file whose name ends in .zip.", valueName: "path"))
    var output: String?

    @Flag(name: .customLong("no-photos"), help: "Leave the photos out.")
    var withoutPhotos = false

    @Flag(name: .long, help: "Print the JSON Schemas of packages, or write them into the folder that -o names.")
    var schema = false

    @Option(
        name: .long,
        help: ArgumentHelp("With --schema: the pack, where there is no replica to say it.", valueName: "name"))
    var pack: String?

    @Option(name: .long, help: ArgumentHelp("Seconds to wait for another run.", valueName: "seconds"))
    var wait: Int = 60

    func run() throws {
        if schema { return try writeSchemas() }
        let session = try WorkSession.existing(options)
        let replica = try session.openReplica(waiting: wait)
        let actor = try session.actor(in: replica, to: .export)
        guard let output else { throw SettingFailure.packageOutput }
        let result = try session.writePackage(
            of: project, to: output, hasPhotos: !withoutPhotos, by: actor, in: replica, wait: wait)
        var text = session.text(
            result.state == .unchanged ? "cli.package.unchanged" : "cli.package.done",
            [
                "path": result.path, "rows": String(result.rows), "photos": String(result.photos),
                "bytes": String(result.bytes), "sha256": result.sha256,
            ])
        if !result.findings.isEmpty { text += "\n\n" + FindingLines(session).text(result.findings, limit: 20) }
        options.output.show(result, text: text)
        if result.exitCode != .done { throw CommandExit(exitCode: result.exitCode) }
    }

    private func writeSchemas() throws {
        let session = try pack.map { try WorkSession.new(options, packName: $0) } ?? WorkSession.existing(options)
        let schemas = PackageSchema.files(of: session.pack)
        guard let output else {
            let members = schemas.map { "\"\($0.name)\": \($0.text.trimmingCharacters(in: .newlines))" }
            StandardOutput.write("{\n" + members.joined(separator: ",\n") + "\n}\n")
            return
        }
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        for schema in schemas {
            try Data(schema.text.utf8).write(to: URL(fileURLWithPath: output + "/" + schema.name), options: .atomic)
        }
        options.output.show(
            schemas.map(\.name),
            text: session.text("cli.package.schemas", ["count": String(schemas.count), "path": output]))
    }
}
