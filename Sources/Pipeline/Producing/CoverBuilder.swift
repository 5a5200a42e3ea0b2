import Foundation
import Model
import Replica

/// Builds the first sheet of an export: its title, project, date, the records left out with the
/// reasons, and the findings.
struct CoverBuilder {
    let session: WorkSession
    let context: RunContext
    let selection: SelectionRequest
    let policy: FindingsPolicy
    let title: String
    /// Whether the cover must be anonymous, without names of records and of the file's author.
    var isAnonymous = false
    /// Whether states and roles are shown by their labels; programs read their codes.
    var isLabelled = true
    let hiddenFields: [String]

    func cover(
        project: ReadSession.Project, summary: SelectionSummary, sheets: [Sheet], findings: [FindingCount],
        missing: [MissingRecord], isDraft: Bool
    ) -> Cover {
        Cover(
            title: title,
            subtitle: project.code == project.name ? project.name : "\(project.code) · \(project.name)",
            environmentBanner: isMostSerious
                ? nil : session.text("cover.environment_banner", ["environment": context.environment]),
            draftBanner: isDraft ? session.text("cover.draft_banner") : nil,
            lines: lines(project, summary, sheets),
            tables: tables(summary, findings, isAnonymous ? [] : missing),
            author: isAnonymous ? role : context.actor.fullName ?? context.actor.email)
    }

    /// Whether this is the pack's last environment, the only one that clients see. Any other is
    /// shown in large letters.
    private var isMostSerious: Bool { context.environment == session.pack.environments.last }

    private var role: String {
        isLabelled ? session.label(ofRole: context.actor.role.name) : context.actor.role.name
    }

    private var states: String {
        let labels = isLabelled ? session.stateLabels : [:]
        return selection.states.map { labels[$0] ?? $0 }.joined(separator: ", ")
    }

    private func lines(_ project: ReadSession.Project, _ summary: SelectionSummary, _ sheets: [Sheet]) -> [Cover.Line] {
        var lines: [Cover.Line] = []
        func add(_ name: String, _ value: String) {
            lines.append(Cover.Line(name: name, label: session.text("cover." + name), value: value))
        }
        let all = session.text("cover.all")
        add("system", session.text("pack.title"))
        add("environment", context.environment)
        add("project", project.code == project.name ? project.name : "\(project.code) · \(project.name)")
        add("states", selection.states.isEmpty ? all : states)
        add("sync_states", syncStates)
        if let period = selection.period { add("period", period) }
        add("dates", dates(selection) ?? all)
        if let circle = selection.near { add("place", circle.description) }
        if let words = selection.words { add("words", words) }
        add("filter", selection.filter ?? all)
        add("policy", session.text("policy." + policy.rawValue))
        if isAnonymous { add("anonymous", session.text("cover.anonymous_how")) }
        add(
            "actor",
            isAnonymous
                ? role : "\(context.actor.fullName ?? context.actor.email) (\(role))")
        add("made_at", OfficeDay.time(of: context.asOf, in: context.timeZone))
        add("time_zone", context.timeZone.identifier)
        add("pack_version", "\(session.pack.name) \(session.pack.version)")
        add("records_selected", String(summary.selected))
        add("records_left_out", String(summary.leftOut.values.reduce(0, +)))
        for sheet in sheets {
            lines.append(
                Cover.Line(
                    name: "rows_" + sheet.name, label: session.text("cover.rows", ["sheet": sheet.title]),
                    value: String(sheet.rowCount)))
            guard let suppressed = sheet.suppressed else { continue }
            let value = session.text(
                "cover.suppressed_rows",
                [
                    "rows": String(suppressed.rows), "groups": String(suppressed.groups),
                    "below": String(suppressed.below),
                ])
            lines.append(
                Cover.Line(
                    name: "suppressed_" + sheet.name, label: session.text("cover.suppressed", ["sheet": sheet.title]),
                    value: value))
        }
        if !hiddenFields.isEmpty { add("hidden_columns", hiddenFields.joined(separator: ", ")) }
        return lines
    }

    private var syncStates: String {
        if let stated = selection.syncStates {
            let labels = isLabelled ? session.leftOutLabels[.syncState] : nil
            return stated.map { labels?[$0.rawValue] ?? $0.rawValue }.joined(separator: ", ")
        }
        return session.text(session.hasRemote ? "cover.synced_only" : "cover.no_remote")
    }

    private func dates(_ selection: SelectionRequest) -> String? {
        guard selection.from != nil || selection.to != nil else { return nil }
        return "\(selection.from ?? "…") – \(selection.to ?? "…")"
    }

    private func tables(_ summary: SelectionSummary, _ findings: [FindingCount], _ missing: [MissingRecord]) -> [Cover
        .Table]
    {
        var tables: [Cover.Table] = []
        if !summary.leftOut.isEmpty {
            let rows = LeftOutReason.allCases.compactMap { reason in
                summary.leftOut[reason].map { [session.text("reason." + reason.rawValue), String($0)] }
            }
            tables.append(Cover.Table(
                name: "left-out", title: session.text("cover.left_out"),
                headers: [session.text("cover.reason"), session.text("cover.count")], rows: rows))
        }
        if !findings.isEmpty {
            tables.append(
                Cover.Table(
                    name: "findings", title: session.text("cover.findings"),
                    headers: ["cover.code", "cover.what", "cover.severity", "cover.count"].map { session.text($0) },
                    rows: findings.map {
                        [
                            $0.code, $0.title, session.text("severity." + $0.severity.rawValue),
                            session.shownCount(of: $0),
                        ]
                    }))
        }
        if !missing.isEmpty {
            tables.append(
                Cover.Table(
                    name: "missing", title: session.text("cover.missing"),
                    headers: ["sheet.left_out.record", "cover.reason"].map { session.text($0) },
                    rows: missing.map { [$0.key, session.reason(of: $0)] }))
        }
        return tables
    }
}

/// The content of an export's files: its sheets of rows, the records left out, the findings, and
/// the cover.
struct ExportContent {
    let scope: RunScope
    let reading: ReadSession
    let files: FileRequest
    /// Records of the last version that are not in this one.
    var missing: [MissingRecord] = []

    /// The targets of links in a package's workbooks.
    var photos: PhotoLinks?

    private var session: WorkSession { scope.session }

    func document(
        _ definition: ExportDefinition, as format: ExportFormat, in dialect: CSVDialect = .standard,
        _ project: ReadSession.Project, _ summary: SelectionSummary, _ findings: [FindingCount], isDraft: Bool
    ) throws -> ExportDocument {
        let labelled = format.isForPeople(in: dialect)
        var sheets = try reading.sheets(of: definition, language: session.language, labelled: labelled)
        if format == .xlsx, let photos { sheets = sheets.map(photos.added) }
        let data = sheets
        // An anonymous export's rows must not lead to a record, so it has no lists of names.
        let names = !definition.isAnonymous
        if names, !summary.leftOut.isEmpty { sheets.append(leftOutSheet(summary, isLabelled: labelled)) }
        if names, files.policy == .mark, findings.contains(where: { $0.severity == .error }) {
            sheets.append(try findingsSheet(project))
        }
        let builder = CoverBuilder(
            session: session, context: scope.context, selection: files.selection, policy: files.policy,
            title: session.text("export." + definition.name), isAnonymous: definition.isAnonymous,
            isLabelled: labelled,
            hiddenFields: reading.hiddenFields.map { session.label(ofField: $0.field, in: $0.entity) })
        return ExportDocument(
            name: definition.name, packName: session.pack.name, packVersion: session.pack.version,
            cover: builder.cover(
                project: project, summary: summary, sheets: data, findings: findings, missing: missing, isDraft: isDraft
            ), sheets: sheets,
            language: session.language, timeZone: session.timeZone, asOf: scope.context.asOf, texts: session.pack.texts)
    }

    /// Sheet of all records that were left out, with the reasons.
    private func leftOutSheet(_ summary: SelectionSummary, isLabelled: Bool) -> Sheet {
        let details = isLabelled ? session.leftOutLabels : [:]
        let words = Dictionary(
            uniqueKeysWithValues: LeftOutReason.allCases.map { ($0, session.text("reason." + $0.rawValue)) })
        return Sheet(
            name: "left-out", rowName: "record", title: session.text("sheet.left_out"),
            columns: ["record", "reason", "detail"].map {
                SheetColumn(name: $0, label: session.text("sheet.left_out." + $0), kind: .text)
            },
            rowCount: summary.leftOut.values.reduce(0, +),
            open: { try self.reading.leftOutRows(words: words, details: details) })
    }

    /// Under the policy `mark`: the findings about records that are in the file despite errors.
    private func findingsSheet(_ project: ReadSession.Project) throws -> Sheet {
        let counts = try reading.findings.counts(project: project.id)
        return Sheet(
            name: "findings", rowName: "finding", title: session.text("cover.findings"),
            columns: [
                ("code", "cover.code"), ("severity", "cover.severity"), ("record", "sheet.left_out.record"),
                ("message", "cover.what"),
            ].map {
                SheetColumn(
                    name: $0.0, label: session.text($0.1), kind: .text, expectedWidth: $0.0 == "message" ? 80 : nil)
            },
            rowCount: counts.reduce(0) { $0 + $1.count },
            open: {
                try self.reading.findings.rows(project: project.id, columnCount: 4) { self.session.findingRow($0) }
            })
    }
}
