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
        let (now, sheets) = try book(of: first, definition, selecting: first.selection ?? SelectionRequest())
        // A workbook in another language has other headings over the same columns.
        let others = try second.map { side in
            side.origin?.language == first.origin?.language
                ? sheets : try book(of: side, definition, selecting: SelectionRequest()).sheets
        } ?? sheets
        var difference = BookDifference(
            export: first.export, project: project.code, before: first.label,
            after: second?.label ?? session.text("diff.now"))
        for (sheet, other) in zip(sheets, others) {
            let before = try SheetState(sheet, first.file, first.label)
            let after = try SheetState(other, second?.file ?? now.file, difference.after)
            let found = try SheetDifference(before, after).compared()
            difference.records += found.records
            difference.unplacedRows += found.unplaced
        }
        return difference
    }

    private func book(
        of side: Side, _ definition: ExportDefinition, selecting selection: SelectionRequest
    ) throws -> (NowBook.Written, sheets: [BookSheet]) {
        let origin = side.origin ?? BookOrigin(side.export)
        return try NowBook(session, actor, definition, origin, project: project.code).write(selecting: selection)
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
        let deliveries = versions.filter { $0.line?.hasPrefix("corrections:") != true }
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

/// One sheet in one of the workbooks.
private struct SheetState {
    let sheet: BookSheet
    let tables: [ForeignTable]
    /// Whether its rows have ids.
    private(set) var hasIDs = true

    /// Throws `ComparisonFailure.noSheet` if the workbook does not have the sheet with its headings.
    init(_ sheet: BookSheet, _ file: any TableFile, _ label: String) throws {
        self.sheet = sheet
        tables = file.tables.filter { sheet.names.contains($0.name) }
        guard !tables.isEmpty || sheet.isOptional else {
            throw ComparisonFailure.noSheet(sheet.names.first ?? "", label)
        }
        for table in tables {
            let rows = BookRows(sheet)
            guard try rows.read(table, { _, _ in }), rows.doubled.isEmpty else {
                throw ComparisonFailure.noSheet(table.name, label)
            }
            hasIDs = hasIDs && rows.places[sheet.id] != nil
        }
    }

    /// - Returns: the number of rows that have no identity.
    func forEach(byKey: Bool, _ body: (String, BookRows, borrowing ForeignBatch, Int) throws -> Void) throws -> Int {
        var unplaced = 0
        for table in tables {
            let rows = BookRows(sheet)
            _ = try rows.read(table) { batch, index in
                if let identity = byKey ? rows.key(batch, index) : rows.identity(batch, index) {
                    try body(identity, rows, batch, index)
                } else if rows.cells(batch, index).contains(where: { $0.map { !$0.text.isEmpty } ?? false }) {
                    unplaced += 1
                }
            }
        }
        return unplaced
    }
}

/// Compares the rows of one sheet in two workbooks. They are known by their keys where one of the workbooks has no ids.
private struct SheetDifference {
    let before: SheetState
    let after: SheetState
    private var byKey: Bool { !before.hasIDs || !after.hasIDs }

    init(_ before: SheetState, _ after: SheetState) { (self.before, self.after) = (before, after) }

    /// - Returns: the records that differ, and the number of rows that nobody can tell apart.
    func compared() throws -> (records: [BookDifference.Record], unplaced: Int) {
        var packed = PackedRows(), order: [String] = [], seen: Set<String> = []
        var records: [BookDifference.Record] = []
        var doubled = 0
        var unplaced = try before.forEach(byKey: byKey) { identity, rows, batch, index in
            if packed[identity] == nil { order.append(identity) } else { doubled += 1 }
            packed.add(identity) { rows.pack(batch, index, into: &$0) }
        }
        var bytes: [UInt8] = []
        unplaced += try after.forEach(byKey: byKey) { identity, rows, batch, index in
            if !seen.insert(identity).inserted { doubled += 1 }
            bytes.removeAll(keepingCapacity: true)
            rows.pack(batch, index, into: &bytes)
            guard let known = packed[identity] else {
                records.append(record(.added, identity, rows.cells(batch, index), nil))
                return
            }
            guard !BookRows.isSame(bytes, known) else { return }
            let record = record(.changed, identity, rows.cells(batch, index), BookRows.unpack(known))
            if !record.fields.isEmpty { records.append(record) }
        }
        for identity in order where !seen.contains(identity) {
            guard let known = packed[identity] else { continue }
            records.append(record(.gone, identity, nil, BookRows.unpack(known)))
        }
        return (records, unplaced + doubled)
    }

    private func record(_ kind: BookDifference.Kind, _ identity: String, _ after: [BookCell?]?, _ before: [BookCell?]?)
        -> BookDifference.Record
    {
        let sheet = self.before.sheet
        let fields = sheet.headings.indices.compactMap { column -> BookDifference.Field? in
            // What only one of the workbooks has a column for cannot be compared.
            let isInBoth = [before, after].allSatisfy { $0 == nil || $0?[column] != nil }
            guard sheet.isCompared[column], isInBoth else { return nil }
            let (old, new) = (before?[column] ?? nil, after?[column] ?? nil)
            guard !sheet.isSame(old ?? BookCell(""), new ?? BookCell(""), in: column) else { return nil }
            return BookDifference.Field(column: sheet.headings[column], before: old?.text ?? "", after: new?.text ?? "")
        }
        return BookDifference.Record(
            kind: kind, sheet: sheet.names.first ?? "", table: sheet.entity.name, id: byKey ? nil : identity,
            name: sheet.name(of: after ?? before ?? []), fields: fields)
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
