import Exporting
import FindingDocuments
import Foundation
import Importing
import Model
import OutputFiles
import Recording
import Replica

/// The answer to a workbook that was brought: its own rows, with each changed cell in the colour of what became of it
/// and the reason as a note. It can be corrected and brought back in place of the workbook.
struct CorrectionAnswer {
    private let session: WorkSession
    private let sheets: [BookSheet]
    private let corrections: [Correction]
    private let result: ImportResult

    init(_ session: WorkSession, sheets: [BookSheet], corrections: [Correction], result: ImportResult) {
        (self.session, self.sheets, self.corrections, self.result) = (session, sheets, corrections, result)
    }

    /// Throws before the work begins if the answer cannot be written, or would replace the workbook itself.
    static func prepare(_ path: String, of book: String, _ session: WorkSession) throws {
        guard FileName.resolved(path) != FileName.resolved(book) else {
            throw CorrectionFailure.isAnswer(path)
        }
        try OutputCommit.makeDirectory(for: path)
        // Only an earlier answer gives way.
        let earlier = (try? TableFiles.openFileOrFolder(path: path))?.origin?.isAnswer == true
        try OutputCommit.check(
            final: path, replacing: earlier ? .anything(but: session.replicaFiles) : .nothing)
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FileManager.default.isWritableFile(atPath: folder) else { throw OutputFailure.system(EACCES, path: path) }
    }

    func write(of book: any TableFile, origin: BookOrigin, to path: String) throws {
        let final = URL(fileURLWithPath: path).standardizedFileURL.path
        let copies = try sheets.flatMap { sheet in
            try book.tables.filter { sheet.names.contains($0.name) }.compactMap { try copy($0, sheet) }
        }
        var own = origin
        own.isAnswer = true
        let file = try TableWorkbook(
            title: session.text("answer.title"), tables: [summary] + copies, asOf: session.asOf, origin: own
        ).write(to: final)
        try OutputCommit.publish(
            temporary: file.temporaryPath, final: file.finalPath, replacing: .anything(but: session.replicaFiles))
    }

    // MARK: The first sheet

    private var summary: PlainTable {
        let counts = result.corrected
        let numbers: [(String, Int?)] = [
            ("changed", counts?.changedCells), ("new", counts?.newRows), ("removed", counts?.removedRows),
            ("conflicts", counts?.conflicts), ("refused", counts.map { $0.refusedCells + $0.refusedRows }),
            ("untouched", counts?.untouchedRows),
        ]
        var rows = numbers.map { name, number -> [PlainTable.Cell] in
            [.text(session.text("answer." + name)), .number(Double(number ?? 0)), .empty]
        }
        if result.dryRun { rows.append([.text(session.text("answer.dry_run")), .empty, .empty]) }
        let text = session.findingText
        rows += result.findings.map { finding in
            let place = [finding.place.sheet, finding.place.cell].compactMap(\.self).joined(separator: "!")
            return [.text(text.severity(finding.severity)), .text(place), .text(text.message(of: finding))]
        }
        return PlainTable(
            title: session.text("answer.title"),
            columns: [
                .init(session.text("answer.what"), width: 34), .init(session.text("answer.where"), width: 22),
                .init(session.text("cover.what"), width: 80),
            ], rows: rows)
    }

    // MARK: A sheet

    private func copy(_ table: ForeignTable, _ sheet: BookSheet) throws -> PlainTable? {
        let rows = BookRows(sheet)
        let own = corrections.filter { $0.table == table.name }
        let byLine = Dictionary(own.map { ($0.line, $0) }, uniquingKeysWith: { first, _ in first })
        let notes = notes(table.name)
        var copied: [[PlainTable.Cell]] = []
        let isFound = try rows.read(table) { batch, index in
            let line = batch.rows[index].number
            var cells: [PlainTable.Cell] = []
            for column in rows.header.indices {
                let note = notes[RawCells.columnName(column) + String(line)]
                cells.append(cell(plain(batch, index, column), column, byLine[line], note))
            }
            copied.append(cells)
        }
        guard isFound else { return nil }
        let widths = rows.header.indices.map { column in
            copied.prefix(200).map { Self.length($0[column]) }.max() ?? 0
        }
        let columns = zip(rows.header, widths).enumerated().map { column, facts in
            PlainTable.Column(
                facts.0, width: Double(min(max(facts.0.count, facts.1) + 3, 50)),
                isHidden: rows.places[sheet.id] == column)
        }
        return PlainTable(title: table.name, columns: columns, rows: copied)
    }

    private func plain(_ batch: borrowing ForeignBatch, _ row: Int, _ column: Int) -> PlainTable.Cell {
        guard let text = batch.string(row, column), !text.isEmpty else { return .empty }
        if batch.cell(row, column).kind == .number, let number = Double(text) { return .number(number) }
        return .text(text)
    }

    private func cell(_ plain: PlainTable.Cell, _ column: Int, _ correction: Correction?, _ note: String?)
        -> PlainTable.Cell
    {
        let text = Self.text(plain)
        guard let correction else { return note.map { .marked(text, .refused, note: $0) } ?? plain }
        let corrected = correction.cells.first { $0.column == column }
        switch corrected?.verdict {
        // A formula has no value to show; an empty cell would say that the value is to go.
        case .refused:
            let shown = corrected.flatMap { $0.brought.isFault && $0.field != nil ? $0.was : nil } ?? text
            return .marked(shown, .refused, note: note)
        case .conflict: return .marked(text, .contested, note: note)
        case .changed where correction.isRefused: return .marked(text, .refused, note: note)
        case .changed:
            let was = corrected.map { session.text("answer.was", ["value": $0.was]) }
            return .marked(text, .done, note: note ?? (correction.kind == .addition ? nil : was))
        case nil:
            if let note { return .marked(text, .refused, note: note) }
            return correction.kind == .removal && correction.isEffective ? .marked(text, .done, note: nil) : plain
        }
    }

    /// The messages of findings by the cell that they are about.
    private func notes(_ sheet: String) -> [String: String] {
        let text = session.findingText
        var notes: [String: String] = [:]
        for finding in result.findings where finding.place.sheet == sheet {
            guard let cell = finding.place.cell else { continue }
            notes[cell] = [notes[cell], text.message(of: finding)].compactMap(\.self).joined(separator: "\n")
        }
        return notes
    }

    private static func text(_ cell: PlainTable.Cell) -> String {
        switch cell {
        case .empty: ""
        case .number(let number): number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : "\(number)"
        case .text(let text), .fault(let text), .sound(let text), .marked(let text, _, _): text
        }
    }

    private static func length(_ cell: PlainTable.Cell) -> Int { text(cell).count }
}
