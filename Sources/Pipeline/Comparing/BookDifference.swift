package import Model

/// What differs between two states of one export: records added, gone and changed, field by field, in the words and
/// units of its workbook.
package struct BookDifference: Encodable, Sendable {
    package enum Kind: String, Encodable, Sendable { case added, gone, changed }

    package struct Field: Encodable, Sendable {
        package var column: String
        package var before: String
        package var after: String
    }

    package struct Record: Encodable, Sendable {
        package var kind: Kind
        package var sheet: String
        package var table: String
        package var id: String?
        /// The name by which people know the row.
        package var name: String
        /// Of a row that came or went, all columns that have a value.
        package var fields: [Field]
    }

    package var export: String
    package var project: String
    package var before: String
    package var after: String
    package var records: [Record] = []
    /// Rows that have no name, or a name that stands twice: what became of them is unknown.
    package var unplacedRows = 0

    package func count(_ kind: Kind) -> Int { records.filter { $0.kind == kind }.count }
    package var isEmpty: Bool { records.isEmpty && unplacedRows == 0 }
}

/// The difference as tables, for a page and for a workbook.
extension BookDifference {
    package func tables(_ session: WorkSession) -> [PlainTable] {
        let numbers = [Kind.added, .gone, .changed].map { kind -> [PlainTable.Cell] in
            [.text(session.text("diff." + kind.rawValue)), .number(Double(count(kind)))]
        } + (unplacedRows == 0 ? [] : [[.text(session.text("diff.unplaced")), .number(Double(unplacedRows))]])
        let summary = PlainTable(
            title: session.text("diff.title"),
            columns: [
                .init(session.text("answer.what"), width: 30),
                .init(session.text("cover.count"), width: 12, isNumber: true),
            ],
            rows: numbers)
        let columns: [PlainTable.Column] = [
            .init(session.text("diff.record"), width: 26), .init(session.text("answer.what"), width: 14),
            .init(session.text("diff.column"), width: 28), .init(session.text("diff.before"), width: 40),
            .init(session.text("diff.after"), width: 40),
        ]
        let sheets = records.reduce(into: [String]()) { if $0.last != $1.sheet { $0.append($1.sheet) } }
        return [summary] + sheets.map { sheet in
            PlainTable(
                title: sheet, columns: columns,
                rows: records.filter { $0.sheet == sheet }.flatMap { rows(of: $0, session) })
        }
    }

    private func rows(of record: Record, _ session: WorkSession) -> [[PlainTable.Cell]] {
        record.fields.map { field in
            [
                .text(record.name), .text(session.text("diff." + record.kind.rawValue)), .text(field.column),
                field.before.isEmpty ? .empty : .marked(field.before, .refused, note: nil),
                field.after.isEmpty ? .empty : .marked(field.after, .done, note: nil),
            ]
        }
    }
}
