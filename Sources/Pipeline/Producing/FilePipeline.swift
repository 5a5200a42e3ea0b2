package import Blocks
import Canvas
import Foundation
import Model
import Packs
import Photos
package import Replica
import Reporting
import Validating

/// Runs an export or a report for every requested project: select → validate → write → record. The
/// stages are independent of each other; this type connects them.
///
/// Everything is read in one transaction, so that counts, findings and rows come from one state.
/// Files are written under temporary names, renamed, and registered project by project in one
/// transaction each.
package struct FilePipeline {
    package let scope: RunScope
    package let request: any ProductRequest

    package init(scope: RunScope, request: any ProductRequest) { (self.scope, self.request) = (scope, request) }

    private var session: WorkSession { scope.session }
    private var context: RunContext { scope.context }

    package func run() throws -> ExportOutcome {
        let files = request.files
        guard let kind = session.pack.record(request.record) else {
            throw SettingFailure.unknownExport(
                files.name, known: session.pack.exports.map(\.name) + session.pack.reports.map(\.name))
        }
        let reading = try ReadSession(
            path: session.replicaPath, pack: session.pack, actor: context.actor, projects: files.selection.projects,
            timeZone: session.timeZone, asOf: session.asOf)
        if files.validates {
            session.display.begin(session.text("word.validating"), total: nil)
            _ = try session.validate(reading, keepingIn: scope.replica)
            session.display.end()
            try checkErrors(reading, kind)
        }
        reading.findings.closeValidation()
        let projects = try reading.projects.map { project in
            do { return try request.production(scope, reading, kind).run(project) } catch let failure
                as ReportQueryFailure
            {
                throw placed(failure, reading) ?? failure
            }
        }
        try scope.replica.keepGaps(reading.findings, run: context.id)
        return ExportOutcome(
            run: context.id, export: files.name, title: request.title(session), environment: context.environment,
            actor: context.actor.email,
            asOf: Timestamp.format(context.asOf), findings: try session.countsWithExamples(reading.findings),
            projects: projects)
    }

    /// The failure with the query's file and line, and SQLite's reason; nil when the query is not
    /// found in the pack's files.
    private func placed(_ failure: ReportQueryFailure, _ reading: ReadSession) -> PackFailure? {
        let named = request.contents(in: session.pack).reports.flatMap(\.queries).filter { $0.name == failure.query }
            .map(\.source)
        let mistakes = PackLoader.queries(
            of: session.pack.name, from: session.templates, coreIn: session.coreTemplates
        )
            .filter { named.contains(.sql($0.sql)) }
        .compactMap { query in
            reading.faults(inQuery: query.sql, columns: query.columns).map {
                PackMistake(.query, at: query.place, ["reason": $0])
            }
        }
        return mistakes.isEmpty ? nil : PackFailure(pack: session.pack.name, mistakes: mistakes)
    }

    private func checkErrors(_ reading: ReadSession, _ kind: RecordKind) throws {
        guard let limit = request.files.maximumErrors else { return }
        for project in reading.projects {
            _ = try reading.select(
                kind, in: project, request.files.selection, hasRemote: session.hasRemote, byDays: request.choosesByDays)
            try reading.setFindingsAside(showing: request.shown(beside: kind, in: session.pack))
        }
        let errors = try reading.findings.counts().filter { $0.severity == .error }.reduce(0) { $0 + $1.open }
        if errors > limit { throw SettingFailure.tooManyErrors(errors, limit: limit) }
    }
}

extension WorkSession {
    /// Counts of all findings, each with the message of the first.
    func countsWithExamples(_ store: FindingStore) throws -> [FindingCount] {
        var first: [String: String] = [:]
        try store.forEach(limit: 1) { first[$0.code] = findingText.message(of: $0) }
        return counts(try store.counts()).map { count in
            var count = count
            count.example = first[count.code]
            return count
        }
    }

    /// The number of findings, with the number of accepted ones.
    package func shownCount(of finding: FindingCount) -> String {
        guard finding.accepted > 0 else { return String(finding.count) }
        return text("cover.count_accepted", ["count": String(finding.count), "accepted": String(finding.accepted)])
    }

    /// Counts of findings with titles in the reader's language.
    package func counts(_ counts: [FindingStore.Count]) -> [FindingCount] {
        counts.map { count in
            let title =
                pack.texts.textIfAny("finding." + count.code, in: language)
                ?? pack.texts.text("rule." + count.code, in: language)
            return FindingCount(
                code: count.code, severity: count.severity, count: count.count, accepted: count.accepted, title: title)
        }
    }
}

extension WorkSession {
    /// Photos for pages, whose longest side has 640 pixels: 175 dots per inch on half a page. That
    /// is half of the apps' size (1280), a scale at which the decoder is fastest.
    package func photoShelf(_ words: ReportWords) -> PhotoShelf {
        PhotoShelf(folder: PhotoFolder(beside: replicaPath), longestSide: 640, words: words) { jpeg, side in
            let orientation = JPEGPicture(jpeg)?.camera.orientation ?? 1
            guard let small = try? Thumbnail.make(jpeg: jpeg, longestSide: side, orientation: orientation) else {
                return nil
            }
            return ReportPicture(bytes: small.bytes, isPNG: false, width: small.width, height: small.height)
        }
    }
}
