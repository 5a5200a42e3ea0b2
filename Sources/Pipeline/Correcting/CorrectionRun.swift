import Exporting
import Foundation
import Importing
package import Model
import Replica

/// A workbook that `export` wrote comes back corrected: it is compared with what stood in it and with what stands
/// now. Its differences become one change, which is judged like every other and which `undo` takes back.
///
/// Rows that the replica refuses stay out with their reason; the others go in. The same workbook, mended, can be
/// brought again: what went in is then the same on both sides.
struct CorrectionRun {
    let scope: RunScope
    let path: String
    let policy: ImportPolicy
    let isDryRun: Bool
    let reason: String?
    let records: ((ImportRecord) throws -> Void)?
    /// Where the answer goes: a copy of the workbook that shows what became of each cell.
    let answer: String?
    private let origin: BookOrigin
    private let definition: ExportDefinition
    private let theirs: any TableFile

    private var session: WorkSession { scope.session }
    private var actor: Actor { scope.context.actor }

    /// Nil if the file is no workbook of an export that can come back.
    init?(_ path: String, _ run: ImportRun) throws {
        guard let head = try? FileHead(path: path), XLSXFile.recognises(head) || ODSFile.recognises(head),
            let file = try? TableFiles.openFileOrFolder(path: path, options: run.tableOptions),
            let origin = file.origin, let definition = run.scope.session.pack.export(origin.name),
            CorrectionForm.comesBack(definition)
        else { return nil }
        (scope, self.path, policy, isDryRun, reason) = (run.scope, path, run.policy, run.isDryRun, run.reason)
        (records, answer) = (run.records, run.answer)
        (self.origin, self.definition, theirs) = (origin, definition, file)
    }

    func perform() throws -> ImportResult {
        try actor.ensure(may: .edit)
        if let answer { try CorrectionAnswer.prepare(answer, of: path, session) }
        let projects = try session.workProjects(of: actor, scope.replica)
        guard let project = origin.project.flatMap({ code in projects.first { $0.code == code } }) else {
            throw CorrectionFailure.unknownProject(path, origin.project ?? "—", known: projects.map(\.code))
        }
        let findings = FindingList()
        let now = try NowBook(session, actor, definition, origin, project: project.code).written()
        let sheets = now.sheets
        let base = try base(project.id, findings)
        var comparisons: [SheetComparison] = []
        for sheet in sheets {
            var comparison = SheetComparison(sheet, file: path, policy: policy, texts: session.pack.texts)
            try comparison.compare(base: base, theirs: theirs, now: now.file)
            comparison.findings.forEach(findings.add)
            comparisons.append(comparison)
        }
        noteStrangers(sheets, findings)
        var corrections = comparisons.flatMap(\.corrections)
        let account = try apply(&corrections, sheets, project, findings)
        var result = ImportResult(
            source: path, format: "xlsx", dryRun: isDryRun, report: account, photos: 0, findings: findings.findings)
        result.corrected = CorrectionCounts(corrections, untouched: comparisons.reduce(0) { $0 + $1.untouched })
        if let answer {
            try CorrectionAnswer(session, sheets: sheets, corrections: corrections, result: result).write(
                of: theirs, origin: origin, to: answer)
        }
        return result
    }

    /// The workbook as it was exported; nil, with a finding, if no copy of it is left.
    private func base(_ project: String, _ findings: FindingList) throws -> (any TableFile)? {
        let registered = try scope.replica.registeredFiles(projectID: project).first {
            $0.exportName == origin.name && $0.line == origin.line && $0.version == origin.version
                && $0.format == ExportFormat.xlsx.rawValue && $0.asOf == origin.made
        }
        let store = BookStore(beside: session.replicaPath)
        if let registered, let copy = store.book(registered.sha256) ?? untouchedFile(registered) {
            return try XLSXFile(path: copy)
        }
        findings.add(Finding("BOOK-BASE", place: Place(file: path), arguments: ["name": origin.name]))
        return nil
    }

    private func untouchedFile(_ registered: RegisteredExport) -> String? {
        (try? FileDigest.sha256(ofFile: registered.localPath)) == registered.sha256 ? registered.localPath : nil
    }

    /// Sheets of the export that the workbook does not have, or has under another name: nobody reads those.
    private func noteStrangers(_ sheets: [BookSheet], _ findings: FindingList) {
        let there = Set(theirs.tables.map(\.name))
        for sheet in sheets where !sheet.isOptional && there.isDisjoint(with: sheet.names) {
            findings.add(Finding(
                "BOOK-SHEET", place: Place(file: path, sheet: sheet.names.first),
                arguments: ["sheet": sheet.names.first ?? ""]))
        }
    }

    // MARK: The change

    /// Applies what can be applied. Rows that are refused are left out, and the others tried again.
    private func apply(
        _ corrections: inout [Correction], _ sheets: [BookSheet], _ project: (id: String, code: String),
        _ findings: FindingList
    ) throws -> ImportAccount {
        let entry = CorrectionEntry(scope, project: project)
        for index in corrections.indices where corrections[index].isEffective {
            corrections[index].id = corrections[index].id.isEmpty ? UUIDv7.make(at: Date()) : corrections[index].id
        }
        // What refused attempts leave out changes nothing, so the first look at the records serves them all.
        var look: ChangedRecords?
        while true {
            let wanted = corrections.indices.filter { corrections[$0].isEffective && !corrections[$0].isRefused }
            let (rows, unowned) = try entry.rows(wanted.map { corrections[$0] })
            if let index = wanted.first(where: { unowned.contains(corrections[$0].id) }) {
                let place = corrections[index].place(of: nil, in: path)
                findings.add(Finding(
                    "BOOK-OWNER", place: place,
                    arguments: ["name": corrections[index].name, "owner": corrections[index].owner ?? ""]))
                corrections[index].isRefused = true
                continue
            }
            let found = FindingList()
            // The records of a refused attempt are dropped.
            var told: [ImportRecord] = []
            if look == nil, !isDryRun { look = ChangedRecords(session, actor, rows) }
            do {
                let account = rows.isEmpty
                    ? .refused(path, isDryRun: isDryRun)
                    : try scope.store(rows, as: request { told.append($0) }, into: found)
                for record in told { try records?(record) }
                let caused = account.changesSomething ? look?.newFindings() ?? [] : []
                (found.findings + caused).forEach { findings.add(placed($0, corrections)) }
                return account
            } catch let refused as ChangeFailure {
                let faulty = Set(found.findings.filter { $0.severity == .error }.compactMap(\.place.id))
                var indices = wanted.filter { faulty.contains(corrections[$0].id) }
                if indices.isEmpty {
                    indices = wanted.filter { isNamed(corrections[$0], in: refused) }
                    for index in indices { findings.add(unsound(corrections[index], refused)) }
                }
                // A refusal of the whole change names no row.
                guard !indices.isEmpty else { throw refused }
                for finding in found.findings where finding.place.id.map(faulty.contains) == true {
                    findings.add(placed(finding, corrections))
                }
                for index in indices { corrections[index].isRefused = true }
            }
        }
    }

    /// Whether a record is one of those that the change would approve although they have errors.
    private func isNamed(_ correction: Correction, in refusal: ChangeFailure) -> Bool {
        guard refusal.code == "CHANGE-FINDINGS", let records = refusal.arguments["records"] else { return false }
        return records.components(separatedBy: "; ").contains { record in
            let key = record.components(separatedBy: " (")[0]
            return key == correction.name || key.hasSuffix(" / " + correction.name)
        }
    }

    private func unsound(_ correction: Correction, _ refusal: ChangeFailure) -> Finding {
        Finding(
            "BOOK-UNSOUND", place: correction.place(of: nil, in: path),
            arguments: ["name": correction.name, "records": refusal.arguments["records"] ?? ""])
    }

    private func request(telling: @escaping (ImportRecord) -> Void) -> ImportRequest {
        var request = ImportRequest(
            runID: scope.context.id, source: path, sha256: try? FileDigest.sha256(ofFile: path), format: "xlsx",
            actor: actor, environment: scope.context.environment, startedAt: scope.context.asOf, policy: .update,
            isDryRun: isDryRun, reason: reason)
        (request.permission, request.records) = (.edit, records == nil ? nil : telling)
        return request
    }

    /// The finding with the cell of the workbook that it is about.
    private func placed(_ finding: Finding, _ corrections: [Correction]) -> Finding {
        guard let correction = corrections.first(where: { $0.id == finding.place.id }) else { return finding }
        var placed = finding
        let cell = correction.cells.first { $0.field?.name == finding.place.field }
        let place = correction.place(of: cell, in: path)
        (placed.place.file, placed.place.sheet, placed.place.cell) = (place.file, place.sheet, place.cell)
        (placed.place.line, placed.place.pointer) = (nil, nil)
        placed.place.key = placed.place.key ?? correction.name
        return placed
    }
}

/// Reason why a corrected workbook cannot be read at all.
package typealias CorrectionFailure = DeclaredFailure<BookOrigin>

extension CorrectionFailure {
    static func unknownProject(_ path: String, _ code: String, known: [String]) -> Self {
        Self("BOOK-PROJECT", .badInput, file: path, ["project": code, "known": known])
    }
    /// Only a workbook of an export that came back is answered.
    static func noAnswer(_ path: String) -> Self { Self("BOOK-NO-ANSWER", .usage, ["path": path]) }
    /// The answer would replace the workbook that was brought.
    static func isAnswer(_ path: String) -> Self { Self("BOOK-ANSWER", .usage, ["path": path]) }
}

/// What became of a corrected workbook, counted in rows and cells.
package struct CorrectionCounts: Encodable, Sendable {
    package var untouchedRows: Int
    package var changedCells: Int
    package var newRows: Int
    package var removedRows: Int
    package var conflicts: Int
    package var refusedCells: Int
    package var refusedRows: Int

    init(_ corrections: [Correction], untouched: Int) {
        let done = corrections.filter { $0.isEffective && !$0.isRefused }
        let cells = corrections.flatMap(\.cells)
        untouchedRows = untouched
        changedCells = done.filter { $0.kind == .change }.flatMap(\.cells).filter { $0.verdict == .changed }.count
        newRows = done.filter { $0.kind == .addition }.count
        removedRows = done.filter { $0.kind == .removal }.count
        conflicts = cells.filter { $0.verdict == .conflict }.count
        refusedCells = cells.filter { if case .refused = $0.verdict { true } else { false } }.count
        refusedRows = corrections.filter(\.isRefused).count
    }
}
