import Exporting
import FindingDocuments
import Foundation
import Importing
package import Model
import OutputFiles
import Recording
package import Replica

/// Compares two workbooks of one export: registered versions, files, or what the replica would export now.
package struct BookComparison {
    private let session: WorkSession
    private let replica: Replica
    private let actor: Actor
    private let project: (id: String, code: String)

    /// - Parameter code: the project; nil: that of the files, or the actor's only one.
    package init(
        _ session: WorkSession, _ replica: Replica, _ actor: Actor, project code: String?, sides: [String]
    ) throws {
        (self.session, self.replica, self.actor) = (session, replica, actor)
        let stated = try code ?? sides.lazy.compactMap { try Self.file($0, session)?.origin?.project }.first
        let projects = try session.workProjects(of: actor, replica)
        let only = stated == nil && projects.count == 1 ? projects.first : nil
        guard let found = projects.first(where: { $0.code == stated }) ?? only else {
            guard let stated else { throw SettingFailure.projectNeeded(known: projects.map(\.code)) }
            throw SelectionFailure.unknownProject(stated, visible: projects.map(\.code))
        }
        project = found
    }

    /// Throws if a document would replace one of the workbooks.
    package static func ensure(_ path: String, isNoneOf sides: [String]) throws {
        for side in sides where FileName.resolved(side) == FileName.resolved(path) {
            throw RecordingFailure.outputExists(path: path)
        }
    }

    /// One of the two workbooks.
    private struct Side {
        var label: String
        var export: String
        var origin: BookOrigin?
        var file: any TableFile
        /// What was selected, where the register knows.
        var selection: SelectionRequest?
    }

    /// - Parameters:
    ///   - before: a file, or `EXPORT:VERSION`.
    ///   - after: the same; nil: what the replica would export now.
    ///   - line: the name of the delivery line, where several have the version.
    package func compare(_ before: String, _ after: String?, line: String?) throws -> BookDifference {
        let first = try side(before, line), second = try after.map { try side($0, line) }
        if let second, second.export != first.export {
            throw ComparisonFailure.otherExport(first.export, second.export)
        }
        guard let definition = session.pack.export(first.export), CorrectionForm.comesBack(definition) else {
            throw SettingFailure.notEditable(first.export)
        }
        let book = nowBook(first, definition)
        guard let second else {
            // Only what stands now has to be selected, judged and written.
            let now = try book.written(selecting: first.selection ?? SelectionRequest())
            return try withExtendedLifetime(now) {
                try difference(first, now.sheets, (now.file, now.sheets, session.text("diff.now")))
            }
        }
        let sheets = try book.layout()
        // A workbook in another language has other headings over the same columns.
        let isTranslated = second.origin?.language != first.origin?.language
        let others = isTranslated ? try nowBook(second, definition).layout() : sheets
        return try difference(first, sheets, (second.file, others, second.label))
    }

    private func difference(
        _ first: Side, _ sheets: [BookSheet], _ second: (file: any TableFile, sheets: [BookSheet], label: String)
    ) throws -> BookDifference {
        var difference = BookDifference(
            export: first.export, project: project.code, before: first.label, after: second.label)
        for (sheet, other) in zip(sheets, second.sheets) {
            let found = try SheetDifference(
                SheetState(sheet, first.file, first.label), SheetState(other, second.file, second.label)
            ).compared()
            difference.records += found.records
            difference.unplacedRows += found.unplaced
        }
        return difference
    }

    private func nowBook(_ side: Side, _ definition: ExportDefinition) -> NowBook {
        NowBook(session, actor, definition, side.origin ?? BookOrigin(side.export), project: project.code)
    }

    /// Writes the difference as pages and workbooks. Each gets its name when it is complete.
    package func write(_ difference: BookDifference, to requests: [FindingDocumentRequest]) throws {
        let title = session.text("diff.title") + " · " + session.text("export." + difference.export)
        for request in requests {
            let file: WrittenFile
            if request.kind == .xlsx {
                file = try TableWorkbook(title: title, tables: difference.tables(session), asOf: session.asOf).write(
                    to: request.path)
            } else {
                let facts = [
                    (session.text("cover.project"), difference.project),
                    (session.text("diff.before"), difference.before), (session.text("diff.after"), difference.after),
                ]
                let text = try TextFile(finalPath: request.path)
                try text.write(TablePage(
                    title: title, facts: facts.map { (label: $0.0, value: $0.1) }, tables: difference.tables(session),
                    language: session.language).text)
                file = try text.close(rows: difference.records.count)
            }
            try OutputCommit.publish(
                temporary: file.temporaryPath, final: file.finalPath, replacing: .anything(but: session.replicaFiles))
        }
    }

    // MARK: The two sides

    private static func file(_ path: String, _ session: WorkSession) throws -> (any TableFile)? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try TableFiles.openFileOrFolder(path: path, options: TableOptions(limits: session.limits))
    }

    private func side(_ text: String, _ line: String?) throws -> Side {
        if let file = try Self.file(text, session) {
            guard let origin = file.origin, session.pack.export(origin.name) != nil else {
                throw ComparisonFailure.notOurs(text)
            }
            guard origin.project == nil || origin.project == project.code else {
                throw ComparisonFailure.otherProject(text, origin.project ?? "")
            }
            let known = try replica.registeredFiles(projectID: project.id).first {
                $0.exportName == origin.name && $0.line == origin.line && $0.version == origin.version
            }
            return Side(
                label: URL(fileURLWithPath: text).lastPathComponent, export: origin.name, origin: origin, file: file,
                selection: known.flatMap(Self.selection))
        }
        let parts = text.split(separator: ":").map(String.init)
        guard parts.count == 2, let version = Int(parts[1]), session.pack.export(parts[0]) != nil else {
            throw ComparisonFailure.noSide(text, known: session.pack.exports.map(\.name))
        }
        return try registered(parts[0], version, line)
    }

    private func registered(_ export: String, _ version: Int, _ line: String?) throws -> Side {
        let versions = try replica.registeredFiles(projectID: project.id).filter { registered in
            registered.exportName == export && registered.format == ExportFormat.xlsx.rawValue
                && registered.version == version
                && (line.map { registered.line == DeliveryLine.named($0).name } ?? true)
        }
        // What went out to be corrected is no delivery.
        let deliveries = versions.filter { !DeliveryLine.isOfCorrections($0.line) }
        guard let found = deliveries.first ?? versions.first else {
            throw ComparisonFailure.noVersion(export, version, project: project.code)
        }
        let lines = Set(deliveries.compactMap(\.line))
        guard lines.count <= 1 else { throw ComparisonFailure.severalLines(export, version, lines: lines.sorted()) }
        let store = BookStore(beside: session.replicaPath)
        let isThere = (try? FileDigest.sha256(ofFile: found.localPath)) == found.sha256
        guard let path = store.book(found.sha256) ?? (isThere ? found.localPath : nil) else {
            throw ComparisonFailure.noCopy(export, version)
        }
        let file = try XLSXFile(path: path)
        return Side(
            label: "\(export) v\(version) (\(found.asOf.prefix(10)))", export: export, origin: file.origin, file: file,
            selection: Self.selection(found))
    }

    private static func selection(_ registered: RegisteredExport) -> SelectionRequest? {
        registered.selection.flatMap { try? JSONDecoder().decode(SelectionRequest.self, from: Data($0.utf8)) }
    }
}

/// Reason why two workbooks cannot be compared.
package typealias ComparisonFailure = DeclaredFailure<BookDifference>

extension ComparisonFailure {
    static func noSide(_ text: String, known: [String]) -> Self {
        Self("DIFF-SIDE", .usage, ["value": text, "known": known])
    }
    static func notOurs(_ path: String) -> Self { Self("DIFF-NOT-OURS", .badInput, file: path) }
    static func otherExport(_ before: String, _ after: String) -> Self {
        Self("DIFF-OTHER-EXPORT", .usage, ["before": before, "after": after])
    }
    static func otherProject(_ path: String, _ project: String) -> Self {
        Self("DIFF-OTHER-PROJECT", .usage, ["path": path, "project": project])
    }
    static func noVersion(_ export: String, _ version: Int, project: String) -> Self {
        Self("DIFF-NO-VERSION", .usage, ["name": export, "version": version, "project": project])
    }
    static func severalLines(_ export: String, _ version: Int, lines: [String]) -> Self {
        Self("DIFF-LINES", .usage, ["name": export, "version": version, "lines": lines])
    }
    /// The workbook lacks a sheet, or its headings, or has a heading twice.
    static func noSheet(_ sheet: String, _ book: String) -> Self {
        Self("DIFF-NO-SHEET", .badInput, ["sheet": sheet, "name": book])
    }
    /// No copy of the registered workbook is left.
    static func noCopy(_ export: String, _ version: Int) -> Self {
        Self("DIFF-NO-COPY", .noInput, ["name": export, "version": version])
    }
}
