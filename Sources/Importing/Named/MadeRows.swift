import JSONReading
import Model

/// Rows that a source generates itself, from events or a drawing, as cells with the names of their
/// members as columns.
final class MadeRows: NamedRows {
    private let rows: [SourceRow]
    private var next = 0
    private var columns: NamedColumnList
    var names: [String] { columns.names }

    init(_ rows: [SourceRow], path: String, limits: TableLimits = TableLimits()) {
        self.rows = rows
        columns = NamedColumnList(path: path, limit: limits.columns)
    }

    func fill(_ batch: inout ForeignBatch) throws {
        batch.removeAll()
        while next < rows.count, !batch.isFull {
            try rows[next].append(to: &batch, &columns)
            next += 1
        }
    }
}

extension SourceRow {
    /// Appends the row's members as cells, with the remarks of the source.
    func append(to batch: inout ForeignBatch, _ columns: inout NamedColumnList) throws {
        for member in value.members ?? [] {
            let column = try columns.column(of: member.key, line: line ?? 0)
            switch member.value {
            case .null: batch.set(.null, at: column, "")
            case .bool(let truth): batch.set(.boolean, at: column, truth ? "true" : "false")
            case .number(let digits): batch.set(.number, at: column, digits)
            case .string(let text): batch.set(.text, at: column, text)
            case .array, .object: batch.set(.json, at: column, member.value.description)
            }
        }
        batch.setRowText(raw ?? value.description)
        if fault != nil || isFiltered || isDeletion || !findings.isEmpty {
            batch.remark(ForeignBatch.Remark(fault: fault, isLeftOut: isFiltered, isDeletion: isDeletion, findings: findings))
        }
        if let pointer { batch.point(pointer) }
        batch.endRow(number: line ?? 0)
    }
}
