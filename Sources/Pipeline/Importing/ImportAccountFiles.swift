import Exporting
import FindingDocuments
import Foundation
import Importing
package import Model
import OutputFiles
import Recording
import Replica

/// The account of imports as a workbook or an HTML page: the rows read and their outcome, table by
/// table; sums of the source and of the replica; findings.
package struct ImportAccountFiles {
    private let session: WorkSession

    package init(_ session: WorkSession) {
        self.session = session
    }

    private func word(_ name: String) -> String { session.text("cli.account." + name) }
    private func label(_ entity: String) -> String { entity.isEmpty ? "—" : session.text("entity." + entity) }

    /// The file's name alone: the folder may have moved since, and the page may be read on another
    /// machine.
    private func name(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }

    package func tables(_ results: [ImportResult]) -> [PlainTable] {
        [counts(results), cells(results), sums(results), findings(results)]
    }

    private func counts(_ results: [ImportResult]) -> PlainTable {
        let outcomes = ImportOutcome.allCases
        let columns =
            [PlainTable.Column(word("source"), width: 34), .init(session.text("cli.columns.entity"), width: 22)]
            + (["read"] + outcomes.map(\.rawValue)).map {
                .init(session.text("cli.import.columns." + $0), width: 13, isNumber: true)
            }
            + [.init(word("check"), width: 26)]
        let rows = results.flatMap { result in
            result.report.lines.map { line -> [PlainTable.Cell] in
                let counts = line.counts
                let numbers = outcomes.map { counts[$0] }
                // The reader's count, compared with the replica's.
                let read = result.readRows[line.entity] ?? counts.read
                let check: PlainTable.Cell =
                    read == counts.read ? .sound(word("complete")) : .fault("\(read) ≠ \(counts.read)")
                return [.text(name(result.source)), .text(label(line.entity)), .number(Double(read))]
                    + numbers.map { .number(Double($0)) } + [check]
            }
        }
        return PlainTable(title: word("rows"), columns: columns, rows: rows)
    }

    /// For each source column, the cells counted by a second reader, and the cells read, left out
    /// or faulty.
    private func cells(_ results: [ImportResult]) -> PlainTable {
        let columns: [PlainTable.Column] = [
            .init(word("source"), width: 34), .init(word("table"), width: 18), .init(word("column"), width: 26),
            .init(word("there"), width: 14, isNumber: true),
            .init(word("cells_read"), width: 12, isNumber: true), .init(word("cells_left"), width: 12, isNumber: true),
            .init(word("cells_faulty"), width: 12, isNumber: true),
            .init(word("source_sum"), width: 18, isNumber: true), .init(word("check"), width: 30),
        ]
        let rows = results.compactMap(\.evidence).flatMap { evidence -> [[PlainTable.Cell]] in
            let counted = evidence.tables.flatMap { table in
                table.columns.map { column -> [PlainTable.Cell] in
                    let check: PlainTable.Cell =
                        column.there == nil
                        ? .text("—") : column.isWhole ? .sound(word("whole")) : .fault(word("differs"))
                    return [
                        .text(name(table.file)), .text(table.table), .text(column.name),
                        column.there.map { .number(Double($0)) } ?? .empty,
                    ]
                        + [column.read, column.left, column.faulty].map { .number(Double($0)) }
                        + [column.sum.map { .number(Self.rounded($0)) } ?? .empty, check]
                }
            }
            let uncounted = evidence.uncounted.sorted { $0.key < $1.key }.map { file, reason -> [PlainTable.Cell] in
                [.text(name(file))] + Array(repeating: .empty, count: 7) + [
                    .text(session.text("cli.account.uncounted", ["reason": reason]))
                ]
            }
            return counted + uncounted
        }
        return PlainTable(title: word("cells"), columns: columns, rows: rows)
    }

    private func sums(_ results: [ImportResult]) -> PlainTable {
        let columns: [PlainTable.Column] = [
            .init(word("source"), width: 34), .init(session.text("cli.columns.sheet"), width: 16),
            .init(session.text("cli.columns.entity"), width: 20),
            .init(session.text("cli.columns.field"), width: 22), .init(word("source_count"), width: 12, isNumber: true),
            .init(word("source_sum"), width: 18, isNumber: true), .init(word("replica_sum"), width: 18, isNumber: true),
            .init(word("aside_sum"), width: 24, isNumber: true), .init(word("check"), width: 28),
        ]
        let rows = results.flatMap(\.report.sums).map { sum -> [PlainTable.Cell] in
            let field = session.pack.entity(sum.entity).flatMap { entity in
                entity.field(sum.field).map { session.text(entity.textKey(of: $0)) }
            }
            return [
                .text(sum.file.map(name) ?? ""), sum.sheet.map { .text($0) } ?? .empty, .text(label(sum.entity)),
                .text(field ?? sum.field), sum.source.map { .number(Double($0.count)) } ?? .empty,
                sum.source.map { .number(Self.rounded($0.sum)) } ?? .empty, .number(Self.rounded(sum.replica.sum)),
                .number(Self.rounded(sum.aside.sum + sum.leftOut.sum)), check(sum),
            ]
        }
        return PlainTable(title: word("sums"), columns: columns, rows: rows)
    }

    private func check(_ sum: ImportSum) -> PlainTable.Cell {
        switch sum.check {
        case .agrees: .sound(word("agrees"))
        case .differs: .fault(word("differs"))
        case .uncovered: .text(word("not_covered"))
        }
    }

    /// Rounds a sum of decimals, whose last binary digits are meaningless.
    private static func rounded(_ sum: Double) -> Double { (sum * 1e6).rounded() / 1e6 }

    private func findings(_ results: [ImportResult]) -> PlainTable {
        let text = session.findingText
        let columns: [PlainTable.Column] = [
            .init(word("source"), width: 34), .init(session.text("cli.columns.where"), width: 26),
            .init(session.text("cli.columns.code"), width: 26),
            .init(session.text("cover.what"), width: 60),
        ]
        let rows = results.flatMap { result in
            result.findings.map { finding -> [PlainTable.Cell] in
                let place = [
                    finding.place.sheet, finding.place.cell, finding.place.line.map(String.init), finding.place.pointer,
                ].compactMap(\.self)
                let message = text.message(of: finding)
                return [
                    .text(name(result.source)), .text(place.joined(separator: " · ")), .text(finding.code),
                    finding.severity == .error ? .fault(message) : .text(message),
                ]
            }
        }
        return PlainTable(title: session.text("cover.findings"), columns: columns, rows: rows)
    }

    /// Writes the requested report files, each of them completely or not at all.
    package func write(_ results: [ImportResult], to requests: [FindingDocumentRequest]) throws {
        for request in requests {
            let file: WrittenFile
            if request.kind == .xlsx {
                file = try TableWorkbook(title: word("title"), tables: tables(results), asOf: session.asOf).write(
                    to: request.path)
            } else {
                let text = try TextFile(finalPath: request.path)
                let facts =
                    [
                        (
                            label: session.text("cli.columns.when"),
                            value: OfficeDay.time(of: session.asOf, in: session.timeZone)
                        )
                    ]
                    + results.map {
                        (
                            label: session.text("cli.columns.import"),
                            value: ($0.refused == true ? "—" : $0.report.id)
                                + ($0.dryRun ? " (\(word("dry_run")))" : "")
                        )
                    }
                try text.write(
                    TablePage(title: word("title"), facts: facts, tables: tables(results), language: session.language)
                        .text)
                file = try text.close(rows: results.reduce(0) { $0 + $1.report.lines.count })
            }
            try OutputCommit.publish(
                temporary: file.temporaryPath, final: file.finalPath, replacing: .anything(but: session.replicaFiles))
        }
    }

    /// Parses the paths of account files. Throws if a kind is unknown or a file cannot be written.
    package static func requests(_ paths: [String], sparing own: ReplicaFiles) throws -> [FindingDocumentRequest] {
        let requests = try FindingDocumentRequest.parse(paths)
        for (request, path) in zip(requests, paths) where request.kind != .xlsx && request.kind != .html {
            throw SettingFailure.unknownReport(path, known: [".xlsx", ".html"])
        }
        try FindingDocumentProduction.prepare(requests, sparing: own)
        return requests
    }
}
