import Importing
import Model

/// One sheet in one of the workbooks.
struct SheetState {
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
            guard try rows.findHeadings(in: table), rows.doubled.isEmpty else {
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
struct SheetDifference {
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
