import Exporting
import Foundation
import Model
import Recording
import Replica
import Validating

/// Writes reports of a validation's findings. Each is complete and flushed before it gets its name,
/// and replaces any file of that name.
struct ReportProduction {
    let session: CommandSession
    let actor: Actor
    let reading: ReadSession
    let summary: ValidationSummary
    /// How many findings of each code a text shows.
    let limit: Int

    /// Throws before the work begins if the reports cannot be written.
    static func prepare(_ requests: [ReportRequest]) throws {
        for request in requests {
            try OutputCommit.makeDirectory(for: request.path)
            try OutputCommit.check(final: request.path, replacing: .anything)
        }
    }

    func write(_ requests: [ReportRequest]) throws -> [ReportOutcome] {
        guard !requests.isEmpty else { return [] }
        let source = FindingReportSource(reading, language: session.language)
        let tally = try FindingTally(source)
        var written: [WrittenFile] = []
        do {
            for request in requests { written.append(try write(request, source, tally)) }
            for file in written {
                try OutputCommit.publish(temporary: file.temporaryPath, final: file.finalPath, replacing: .anything)
            }
        } catch {
            try? OutputCommit.removeLeftovers(written.map(\.temporaryPath))
            throw error
        }
        return written.map { ReportOutcome(path: $0.finalPath, bytes: $0.bytes, sha256: $0.sha256) }
    }

    private func write(_ request: ReportRequest, _ source: FindingReportSource, _ tally: FindingTally) throws -> WrittenFile {
        let text = session.findingText
        if request.kind == .xlsx {
            return try FindingWorkbook(text, head: head, tally: tally).write(source, to: request.path)
        }
        let file = try TextFile(finalPath: request.path)
        switch request.kind {
        case .text: try writeText(source, to: file)
        case .json: try writeJSON(source, to: file)
        case .sarif: try FindingSARIF(text, head: head, rules: FindingSARIF.Rule.all(of: session.pack)) { try file.write($0) }.write(source)
        case .html: try FindingPage(text, head: head, tally: tally) { try file.write($0) }.write(source)
        case .xlsx: break
        }
        return try file.close(rows: tally.total)
    }

    private func writeText(_ source: any FindingSource, to file: TextFile) throws {
        let text = session.findingText
        try file.write(text.word("report.title") + "\n\n")
        for line in head.lines(text) { try file.write("\(line.label): \(line.value)\n") }
        let report = FindingReport(text, first: limit)
        try source.forEach { report.report($0.finding) }
        try file.write("\n" + report.render())
    }

    private func writeJSON(_ source: any FindingSource, to file: TextFile) throws {
        let about = FindingDocument(head, language: session.language)
        try file.write("{\"about\":\n\(ResultOutput.json(about)),\n\"summary\":\n\(ResultOutput.json(summary)),\n\"findings\":\n")
        let writer = FindingJSON(session.findingText) { try file.write($0) }
        try source.forEach { try writer.report($0) }
        try writer.finish()
        try file.write("}\n")
    }

    private var head: ReportHead {
        let isFinal = session.environment == session.pack.environments.last
        return ReportHead(
            packName: session.pack.name, packVersion: session.pack.version, system: session.text("pack.title"), environment: session.environment,
            environmentBanner: isFinal ? nil : session.text("cover.environment_banner", ["environment": session.environment]),
            programVersion: ProgramVersion.current, actor: "\(actor.fullName ?? actor.email) (\(actor.role.name))", asOf: session.asOf,
            madeAt: "\(OfficeDay.time(of: session.asOf, in: session.timeZone)) (\(session.timeZone.identifier))",
            projects: reading.projects.map { ReportHead.Project(code: $0.code, name: $0.name) }, rows: summary.rows.values.reduce(0, +))
    }
}

/// The head of a JSON file of findings.
private struct FindingDocument: Encodable {
    var format = 1
    var pack: String
    var packVersion: String
    var environment: String
    var program: String
    var asOf: String
    var language: String
    var projects: [String]

    init(_ head: ReportHead, language: Language) {
        pack = head.packName
        packVersion = head.packVersion
        environment = head.environment
        program = head.programVersion
        asOf = Timestamp.format(head.asOf)
        self.language = language.rawValue
        projects = head.projects.map(\.code)
    }
}
