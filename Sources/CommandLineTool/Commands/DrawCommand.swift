import ArgumentParser
import Blocks
import Foundation
import Model
import OutputFiles
import Packs
import Pipeline
import Recording
import Replica
import Reporting

/// `fichero draw`: writes single drawings as files, as the pack's reports define them.
struct DrawCommand: FicheroCommand {
    static let task = CommandTask.handOver
    static let configuration = CommandConfiguration(
        commandName: "draw",
        abstract: "Draw a strip, log, profile, sketch, plan, chart or plot as SVG, PNG or PDF.",
        discussion: """
            The drawing is the one of the first report that has its kind, or of --report. A report with a section \
            for each record gives a drawing for each: name one with --record (its code) or --title (the section's), \
            or give a folder to get them all.

            Examples:
              fichero draw strip --project CHU-2025 --record C-01 -o c-01.svg
              fichero draw profile --project CHU-2025 -o profile.pdf
              fichero draw plan --project Torre -o plans/ --format png
            """)

    @OptionGroup var options: CommonOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions

    @Argument(help: ArgumentHelp("strip, log, profile, sketch, plan, chart or plot.", valueName: "kind"))
    var kind: SingleDrawing.Kind

    @Option(
        name: .long, help: ArgumentHelp("Records, by the code that people know.", valueName: "code"),
        completion: .names(of: .records))
    var record: [String] = []

    @Option(name: .long, help: ArgumentHelp("The section's title, where a report has several.", valueName: "title"))
    var title: String?

    @Option(name: .long, help: ArgumentHelp("The report whose drawing it is.", valueName: "name"))
    var report: String?

    @Option(
        name: [.short, .customLong("output")],
        help: ArgumentHelp("The file (.svg, .png, .pdf), or a folder, for a file each.", valueName: "path"))
    var output: String

    @Option(name: .long, help: ArgumentHelp("svg, png or pdf; by the file's ending otherwise.", valueName: "format"))
    var format: SingleDrawing.Format?

    @Option(name: .long, help: ArgumentHelp("Width in millimetres.", valueName: "mm"))
    var width: Double?

    @Option(name: .long, help: ArgumentHelp("Height in millimetres.", valueName: "mm"))
    var height: Double?

    @Option(name: .long, help: ArgumentHelp("The firm's look: a brand.yaml.", valueName: "file"))
    var brand: String?

    /// The result: the drawings that were written.
    struct Outcome: Encodable {
        struct File: Encodable {
            var path: String
            var title: String
            var bytes: Int64
            var sha256: String
        }
        var kind: String
        var files: [File]
        /// Single drawings are not registered; documents for delivery are reports.
        var isRegistered = false
    }

    func validate() throws {
        for side in [width, height].compactMap({ $0 }) where !(10...2_000).contains(side) {
            throw ValidationError("--width and --height are millimetres between 10 and 2000.")
        }
    }

    func run() throws {
        let session = try WorkSession.existing(options)
        let replica = try session.openReplica()
        let actor = try session.actor(in: replica, to: .report)
        let url = URL(fileURLWithPath: output)
        let isFolder =
            output.hasSuffix("/") || (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true
        guard let chosen = format ?? (isFolder ? .svg : SingleDrawing.Format(rawValue: url.pathExtension.lowercased()))
        else {
            throw SettingFailure.unknownDrawing(url.pathExtension, known: SingleDrawing.Format.allCases.map(\.rawValue))
        }
        let definition = try definition(session)
        var selected = try selection.request(session)
        selected.filter = DocumentRequest.filter(definition, records: record, session, selected.filter)
        let reading = try ReadSession(
            path: session.replicaPath, pack: session.pack, actor: actor, projects: selected.projects,
            timeZone: session.timeZone, asOf: session.asOf)
        reading.findings.closeValidation()
        for code in record {
            let kind = kindOfRecord(definition, session)
            let found = try kind.map { try reading.records($0, code: code) } ?? []
            guard !found.isEmpty else { throw try reading.unknownRecord(kind, code: code) }
            if found.count > 1, !isFolder { throw RecordFailure.ambiguous(code, ids: found) }
        }
        var files: [Outcome.File] = []
        for project in reading.projects {
            for (title, bytes) in try drawings(
                definition, project, reading, selected, session, chosen, onlyOne: !isFolder)
            {
                let name = OutputName.safeComponent("\(kind.rawValue)-\(project.code)-\(title)") + "." + chosen.rawValue
                files.append(
                    try write(bytes, title, session, to: isFolder ? url.appendingPathComponent(name).path : url.path))
                if !isFolder { break }
            }
            if !isFolder, !files.isEmpty { break }
        }
        guard !files.isEmpty else { throw SettingFailure.nothingToDraw(kind.rawValue) }
        options.output.show(Outcome(kind: kind.rawValue, files: files), text: Self.table(files, session))
    }

    /// The first report with this kind of drawing, reduced to the blocks that produce the drawing.
    private func definition(_ session: WorkSession) throws -> ReportDefinition {
        if let report { try session.ensureSound(.report, report) }
        let reports = session.pack.reports.filter { report == nil || $0.name == report }
        if let report, reports.isEmpty {
            throw SettingFailure.unknownDocument(report, known: session.pack.reports.map(\.name))
        }
        for report in reports {
            var report = report
            report.sections = report.sections.compactMap { section in
                var section = section
                section.blocks = section.blocks.filter { kind.isMade(of: $0) }
                return section.blocks.isEmpty ? nil : section
            }
            report.statesScope = false
            if !report.sections.isEmpty { return report }
        }
        let known = SingleDrawing.Kind.allCases.filter { kind in
            session.pack.reports.contains { $0.sections.contains { $0.blocks.contains { kind.isMade(of: $0) } } }
        }
        throw SettingFailure.unknownDrawing(kind.rawValue, known: known.map(\.rawValue))
    }

    private func drawings(
        _ definition: ReportDefinition, _ project: ReadSession.Project, _ reading: ReadSession,
        _ selected: SelectionRequest, _ session: WorkSession,
        _ format: SingleDrawing.Format, onlyOne: Bool
    ) throws -> [(String, [UInt8])] {
        guard let kindOfRecord = kindOfRecord(definition, session) else { return [] }
        _ = try reading.select(kindOfRecord, in: project, selected, hasRemote: session.hasRemote)
        try reading.prepareReport(definition)
        let head = DocumentHead.forDrawing(session, brand: try session.brand(option: brand), project: project)
        let assembler = ReportAssembler(
            definition, pack: session.pack, head: head, source: reading, photos: session.photoShelf(head.words),
            scope: nil)
        var made: [(String, [UInt8])] = []
        try assembler.forEachSection { section in
            guard title == nil || section.title == title, !(onlyOne && !made.isEmpty) else { return }
            for (index, block) in section.blocks.enumerated() {
                guard let drawing = SingleDrawing(kind, of: block, head: head, width: width, height: height) else {
                    continue
                }
                let name = index == 0 ? section.title : "\(section.title)-\(index + 1)"
                made.append(
                    (name, try drawing.file(format, title: section.title, created: Timestamp.format(session.asOf))))
            }
        }
        return made
    }

    private func kindOfRecord(_ definition: ReportDefinition, _ session: WorkSession) -> RecordKind? {
        session.pack.record(definition.record)
    }

    private func write(_ bytes: [UInt8], _ title: String, _ session: WorkSession, to path: String) throws
        -> Outcome.File
    {
        try OutputCommit.makeDirectory(for: path)
        try OutputCommit.check(final: path, replacing: .anything(but: session.replicaFiles))
        var file = try OutputFile(finalPath: path)
        try file.write(bytes.span)
        let written = try file.close(rows: 1)
        try OutputCommit.publish(
            temporary: written.temporaryPath, final: written.finalPath, replacing: .anything(but: session.replicaFiles))
        return Outcome.File(path: written.finalPath, title: title, bytes: written.bytes, sha256: written.sha256)
    }

    private static func table(_ files: [Outcome.File], _ session: WorkSession) -> String {
        var table = TextTable(
            ["cli.columns.path", "cli.columns.bytes", "cli.columns.sha256"].map { session.text($0) },
            [.left, .right, .left])
        for file in files { table.add([file.path, String(file.bytes), file.sha256]) }
        return table.text + "\n" + session.text("cli.draw.unregistered")
    }
}

extension SingleDrawing.Kind: ExpressibleByArgument {}
extension SingleDrawing.Format: ExpressibleByArgument {}

extension DocumentHead {
    /// The document head that the drawing code requires; a single drawing does not show it.
    fileprivate static func forDrawing(_ session: WorkSession, brand: Brand, project: ReadSession.Project)
        -> DocumentHead
    {
        let pack = session.pack, language = session.language
        return DocumentHead(
            title: "", project: project.name, brand: brand, environmentBanner: nil, draftBanner: nil,
            language: language, timeZone: session.timeZone,
            asOf: session.asOf, day: "", author: "", words: ReportWords { pack.texts.text($0, in: language) })
    }
}
