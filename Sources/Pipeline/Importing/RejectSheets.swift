import Foundation
import Importing
import JSONReading
package import Model
package import Replica

/// Writes rejected rows as sheets that people correct, and reads the corrections.
///
/// A sheet has rows of one table with the same columns: the row's id, its origin, its faults, then
/// its values as in the file.
package struct RejectSheets {
    private let session: WorkSession

    /// Columns before the values; the first is the id that identifies a row.
    private static let fixed = 3
    private static let idColumn = "reject"
    /// The column for the only value of a row that is not an object.
    private static let whole = "raw"

    package init(_ session: WorkSession) {
        self.session = session
    }

    package func tables(_ rows: [RejectedRow]) -> [PlainTable] {
        var order: [[String]] = []
        var groups: [[String]: [(RejectedRow, [JSONValue])]] = [:]
        for row in rows {
            let members = (try? JSONValue.parse(row.raw))?.members
            let key = [row.entity ?? row.place.table ?? ""] + (members?.map(\.key) ?? [Self.whole])
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append((row, members?.map(\.value) ?? [.string(row.raw)]))
        }
        return order.map { key in
            let own = groups[key] ?? []
            let head = [
                PlainTable.Column(Self.idColumn, width: 38), .init(session.text("cli.columns.where"), width: 28),
                .init(session.text("cover.what"), width: 56),
            ]
            return PlainTable(
                title: key[0].isEmpty ? Self.idColumn : key[0],
                columns: head + key.dropFirst().map { .init($0, width: 18) },
                rows: own.map { row, values in
                    [.text(row.id), .text(place(row)), .fault(reasons(row))] + values.map(Self.cell)
                })
        }
    }

    private func place(_ row: RejectedRow) -> String {
        let file = row.place.file.map { URL(fileURLWithPath: $0).lastPathComponent } ?? row.source
        return [file, row.place.sheet, row.place.line.map(String.init), row.place.pointer].compactMap(\.self).joined(
            separator: " · ")
    }

    private func reasons(_ row: RejectedRow) -> String {
        row.findings.map { session.findingText.message(of: $0) }.joined(separator: "\n")
    }

    private static func cell(_ value: JSONValue) -> PlainTable.Cell {
        switch value {
        case .null: .empty
        // A number stays a text if Excel would change its digits.
        case .number(let digits):
            Double(digits).flatMap {
                String($0) == digits || String(Int64(exactly: $0) ?? .min) == digits ? .number($0) : nil
            } ?? .text(digits)
        case .string(let text): .text(text)
        default: .text(value.description)
        }
    }

    /// A corrected row: its id and its new text.
    package struct Correction {
        package var id: String
        package var raw: String
        package var isChanged: Bool
    }

    /// Reads a corrected workbook (or any file with these columns).
    ///
    /// Throws `RejectFailure.noSheet` if no table has the column of ids.
    package func corrections(in path: String, of row: (String) throws -> RejectedRow) throws -> [Correction] {
        let file = try TableFiles.openFileOrFolder(path: path)
        var found: [Correction] = []
        var isKnown = false
        for table in file.tables {
            let rows = try table.open()
            var batch = ForeignBatch()
            var names: [String] = []
            while true {
                try rows.fill(&batch)
                guard batch.rowCount > 0 else { break }
                for index in 0..<batch.rowCount {
                    let first = batch.string(index, 0)?.trimmingCharacters(in: .whitespaces)
                    if names.isEmpty {
                        guard first == Self.idColumn else { break }
                        names = (0..<batch.width(index)).map { batch.string(index, $0) ?? "" }
                        isKnown = true
                    } else if let id = first, !id.isEmpty {
                        found.append(try correction(row(id), names, batch, index))
                    }
                }
                if names.isEmpty { break }
            }
        }
        guard isKnown else { throw RejectFailure.noSheet(path) }
        return found
    }

    private func correction(_ row: RejectedRow, _ names: [String], _ batch: ForeignBatch, _ index: Int) throws
        -> Correction
    {
        guard let members = (try? JSONValue.parse(row.raw))?.members else {
            var text = names.firstIndex(of: Self.whole).flatMap { batch.string(index, $0) } ?? row.raw
            if text == Pack.hiddenValue { text = row.raw }
            return Correction(id: row.id, raw: text, isChanged: text != row.raw)
        }
        var isChanged = false
        var changed: [JSONValue.Member] = []
        for column in names.indices.dropFirst(Self.fixed) where !names[column].isEmpty {
            let old = members.first { $0.key == names[column] }?.value ?? .null
            let new = Self.value(batch, index, column, old)
            if new != old { isChanged = true }
            changed.append(.init(key: names[column], value: new))
        }
        return Correction(
            id: row.id, raw: isChanged ? JSONValue.object(changed).description : row.raw, isChanged: isChanged)
    }

    /// The present value of a cell; the old value if the meaning is unchanged, or the value was not
    /// shown.
    private static func value(_ batch: ForeignBatch, _ row: Int, _ column: Int, _ old: JSONValue) -> JSONValue {
        guard let text = batch.string(row, column), !text.isEmpty else { return old == .string("") ? old : .null }
        switch old {
        case _ where text == Pack.hiddenValue: return old
        case .string(text), .number(text): return old
        case .number(let digits) where Double(digits) == Double(text): return old
        case .string, .null: return batch.cell(row, column).kind == .number ? .number(text) : .string(text)
        case .number, .bool: return (try? JSONValue.parse(text)) ?? .string(text)
        default: return text == old.description ? old : (try? JSONValue.parse(text)) ?? .string(text)
        }
    }
}
