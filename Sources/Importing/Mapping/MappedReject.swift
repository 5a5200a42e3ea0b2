import JSONReading
import Model

/// A rejected row of a foreign file, tried again by the part of the mapping that read it: corrections are made to the row as it stood
/// in its file.
struct MappedReject {
    private let row: RejectSource.Row
    private let cells: [JSONValue.Member]
    private let target: ImportMapping.Target
    private let part: ImportMapping.Table
    private let source: MappedSource
    private let again: RowsAgain
    /// Then its values stood here and there on the sheet, and the row does not know where.
    private let isOfForm: Bool

    /// Files whose rows are tried again, each opened once.
    final class Sources {
        private let pack: Pack
        private let keys: any RecordKeys
        private var known: [String: MappedSource] = [:]
        private var again: [String: RowsAgain] = [:]

        init(pack: Pack, keys: any RecordKeys) {
            (self.pack, self.keys) = (pack, keys)
        }

        func source(of path: String, _ mapping: ImportMapping) -> MappedSource {
            let name = mapping.identity + " " + path
            if let source = known[name] { return source }
            let source = MappedSource(rejectsOf: path, mapping: mapping, pack: pack, keys: keys)
            known[name] = source
            return source
        }

        /// What the rows of one target on one table have in common.
        func again(_ row: RejectSource.Row) -> RowsAgain {
            let name = [row.place.mapping, row.place.file, row.place.sheet].map { $0 ?? "" }.joined(separator: "\u{1F}")
            let rows = again[name] ?? RowsAgain()
            again[name] = rows
            rows.kept = RowsAround(row.around ?? "")
            return rows
        }
    }

    /// Nil for rows that came without a mapping, or by one that the pack no longer has: those are taken by the names of fields.
    init?(_ row: RejectSource.Row, pack: Pack, sources: Sources) {
        // The name may be a path.
        guard let address = row.place.mapping?.split(separator: "/", omittingEmptySubsequences: false), address.count >= 3,
            let mapping = pack.mapping(address.dropLast(2).joined(separator: "/")),
            let part = Self.part(of: mapping, String(address[address.count - 2]), Int(address[address.count - 1]) ?? -1),
            case .object(let cells)? = try? JSONValue.parse(row.raw)
        else { return nil }
        (self.row, self.cells, again) = (row, cells, sources.again(row))
        source = sources.source(of: row.place.file ?? "", mapping)
        (self.part, target, isOfForm) = part
    }

    private static func part(of mapping: ImportMapping, _ name: String, _ target: Int) -> (ImportMapping.Table, ImportMapping.Target, isOfForm: Bool)? {
        if name.hasPrefix("form") {
            guard let index = Int(name.dropFirst(4)), mapping.forms.indices.contains(index), mapping.forms[index].rows.indices.contains(target)
            else { return nil }
            let (form, row) = (mapping.forms[index], mapping.forms[index].rows[target])
            return (form.table(for: row), row.target, true)
        }
        guard let index = Int(name), mapping.tables.indices.contains(index), mapping.tables[index].targets.indices.contains(target) else { return nil }
        return (mapping.tables[index], mapping.tables[index].targets[target], false)
    }

    /// What becomes of the row now, and its picture where it is where the mapping looks for it.
    func converted() throws -> (stretch: ImportedStretch, photo: SourcePhoto?) {
        let photos = source.photos.count
        let (values, number) = (cells.map(\.value), row.place.line ?? 1)
        let cells = isOfForm ? PlacelessRow(cells: values, number: number, names: self.cells.map(\.key)) : MemoryTable(cells: values, number: number)
        let foreign = ForeignTable(name: row.place.sheet ?? "", columns: self.cells.map(\.key)) { cells }
        var part = part
        part.targets = [target]
        let table = MappedTable(
            table: foreign, part: part, source: source, addresses: [row.place.mapping ?? ""], sheet: row.place.sheet,
            repeated: [again.repeated], pictures: isOfForm ? source.pictures : nil, again: again)
        var made = ImportedStretch([], read: 1)
        try table.read(0) { made = $0 }
        return (made, source.photos.count > photos ? source.photos.last : nil)
    }
}

/// One row, as rows of a foreign table.
class MemoryTable: ForeignRows {
    private let cells: [JSONValue]
    private let number: Int
    private var isDone = false

    init(cells: [JSONValue], number: Int) {
        (self.cells, self.number) = (cells, number)
    }

    func fill(_ batch: inout ForeignBatch) {
        batch.removeAll()
        guard !isDone else { return }
        isDone = true
        for cell in cells {
            switch cell {
            case .null: batch.appendEmpty()
            case .number(let digits): batch.append(.number, digits)
            case .bool(let truth): batch.append(.boolean, truth ? "true" : "false")
            case .string(let text): if text.isEmpty { batch.appendEmpty() } else { batch.append(.text, text) }
            default: batch.append(.text, cell.description)
            }
        }
        batch.endRow(number: number)
    }
}

/// A row whose values stood in cells that are no longer known.
final class PlacelessRow: MemoryTable, CellNaming {
    private let names: [String]

    init(cells: [JSONValue], number: Int, names: [String]) {
        self.names = names
        super.init(cells: cells, number: number)
    }

    /// Rows that lack what they must have wait here because something was filled in.
    func takes(row: Int, without column: Int) throws(MappingFault) -> Bool {
        let name = names.indices.contains(column) ? names[column] : ""
        throw MappingFault(code: "IMPORT-NO-REQUIRED", arguments: ["name": name, "cells": names.filter { $0 != name }.prefix(5).joined(separator: ", ")])
    }

    func cellName(row: Int, column: Int) -> String? { nil }
}
