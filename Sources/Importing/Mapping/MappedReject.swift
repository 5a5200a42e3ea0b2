import JSONReading
import Model

/// Retries a rejected row of an external file with the part of the mapping that read it.
/// Corrections change the row's cells as they were in the file. Values from other tables are looked
/// up in the row's source, which is read with the same options as before.
struct MappedReject {
    private let row: RejectSource.Row
    private var cells: [JSONValue.Member]
    private let target: ImportMapping.Target
    private let part: ImportMapping.Table
    private let source: MappedSource
    private let again: RetryState
    /// Whether the row comes from a form: its values were in different places of the sheet, and
    /// their cells are no longer known.
    private let isOfForm: Bool
    /// Names of the values that belong to the form, if the row waits for the row of its form.
    private var shared: Set<String> = []

    /// The sources of the rows that are retried, each opened once.
    final class Sources {
        private let pack: Pack
        private let keys: any RecordKeys
        private let limits: TableLimits
        /// The replica's files, which are left out of a source folder.
        private let own: ReplicaFiles
        private var known: [String: MappedSource] = [:]
        private var opened: [String: Result<any TableFile, RejectOrigin.Trouble>] = [:]
        private var again: [String: RetryState] = [:]
        /// Rows that stay rejected unchanged, counted by reason and source.
        private var held: [(trouble: RejectOrigin.Trouble, path: String, count: Int)] = []

        init(pack: Pack, keys: any RecordKeys, limits: TableLimits, own: ReplicaFiles) {
            (self.pack, self.keys, self.limits, self.own) = (pack, keys, limits, own)
        }

        func source(of origin: RejectOrigin, _ mapping: ImportMapping) -> MappedSource {
            let file = origin.importID + " " + origin.reading.path, name = mapping.identity + " " + file
            if let source = known[name] { return source }
            // The file is hashed and opened once for all mappings that read it. Mappings without
            // lookups, forms and file contents do not need the file.
            var found = Result<any TableFile, RejectOrigin.Trouble>.failure(.gone)
            if !mapping.others.isEmpty || !mapping.forms.isEmpty || mapping.hasContents {
                found = opened[file] ?? origin.open(limits, leavingOut: own)
                opened[file] = found
            }
            let source = MappedSource(
                rejectsOf: origin, found, mapping: mapping, pack: pack, keys: keys, limits: limits)
            known[name] = source
            return source
        }

        func hold(_ trouble: RejectOrigin.Trouble, _ path: String) {
            guard let index = held.firstIndex(where: { $0.trouble == trouble && $0.path == path }) else {
                return held.append((trouble, path, 1))
            }
            held[index].count += 1
        }

        /// Reasons why rows stay rejected, and findings from lookups.
        var findings: [Finding] {
            held.map { held in
                Finding(
                    held.trouble.rawValue, place: Place(file: held.path),
                    arguments: ["path": held.path, "count": String(held.count)])
            } + known.values.flatMap(\.lookupFindings)
        }

        /// State shared by the rows of one target and one table.
        func again(_ row: RejectSource.Row) -> RetryState {
            let name = [row.place.mapping, row.place.file, row.place.sheet].map { $0 ?? "" }.joined(separator: "\u{1F}")
            let rows = again[name] ?? RetryState()
            again[name] = rows
            rows.kept = NeighbourValues(row.around ?? "")
            return rows
        }
    }

    /// Nil if no mapping of the pack applies: the row was read without a mapping, or the pack no
    /// longer contains the mapping. Such rows are converted by field names.
    init?(_ row: RejectSource.Row, pack: Pack, sources: Sources) {
        guard let address = Self.address(row), let mapping = pack.mapping(address.mapping) else { return nil }
        let origin =
            row.origin
            ?? RejectOrigin(importID: "", reading: SourceReadOptions(path: row.place.file ?? ""), sha256: nil)
        self.init(row, mapping, sources.source(of: origin, mapping), again: sources.again(row))
    }

    init?(_ row: RejectSource.Row, _ mapping: ImportMapping, _ source: MappedSource, again: RetryState) {
        guard let address = Self.address(row), let part = Self.part(of: mapping, address.part, address.target),
            case .object(let cells)? = try? JSONValue.parse(row.raw)
        else { return nil }
        (self.row, self.cells, self.source, self.again) = (row, cells, source, again)
        (self.part, target, isOfForm) = part
        takeOver(mapping, address.part)
    }

    /// Copies the form's values from the form's own row into this row, which is a part of the form.
    /// So a correction of the form's row need not be repeated in every part.
    private mutating func takeOver(_ mapping: ImportMapping, _ part: String) {
        guard isOfForm, let cause = row.cause, let index = Int(part.dropFirst(4)),
            let target = Int(row.place.mapping?.split(separator: "/").last ?? ""),
            cause.place.sheet == row.place.sheet, cause.place.file == row.place.file,
            cause.place.mapping?.split(separator: "/").dropLast() == row.place.mapping?.split(separator: "/").dropLast()
        else { return }
        let form = mapping.forms[index]
        let own = Set(FormRows.own(form.rows[target].of, form))
        shared = Set(form.values.map(\.name)).subtracting(own)
        guard let raw = cause.raw, let said = (try? JSONValue.parse(raw))?.members else { return }
        let values = Dictionary(said.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        cells = cells.map { shared.contains($0.key) ? .init(key: $0.key, value: values[$0.key] ?? .null) : $0 }
        let known = Set(cells.map(\.key))
        cells += said.filter { shared.contains($0.key) && !known.contains($0.key) }
    }

    /// A substitute id of the row's record or of its form's record, used if that record's key
    /// cannot be determined.
    private var standIn: (entity: String, id: String)? {
        if let cause = row.cause, let id = cause.record { return (cause.entity, id) }
        return row.record.map { (row.entity, $0) }
    }

    /// The parts of `registro/0/1`; the name of the mapping may itself contain slashes.
    private static func address(_ row: RejectSource.Row) -> (mapping: String, part: String, target: Int)? {
        guard let parts = row.place.mapping?.split(separator: "/", omittingEmptySubsequences: false), parts.count >= 3
        else { return nil }
        return (
            parts.dropLast(2).joined(separator: "/"), String(parts[parts.count - 2]), Int(parts[parts.count - 1]) ?? -1
        )
    }

    /// Whether the row must stay rejected because its lookups are not possible. Without lookups,
    /// the row would get other values or become another record.
    func isHeld(_ sources: Sources) -> Bool {
        let others = (target.fields + part.columns.compactMap(\.other)).flatMap(\.others)
        guard let trouble = source.trouble(with: others) else { return false }
        sources.hold(trouble, source.path)
        return true
    }

    /// The human-readable key of the record that one of the row's fields refers to; nil if the row
    /// does not contain it.
    func parentKey(_ field: String) throws -> String? { try table().parentKey(field) }

    private static func part(of mapping: ImportMapping, _ name: String, _ target: Int) -> (
        ImportMapping.Table, ImportMapping.Target, isOfForm: Bool
    )? {
        if name.hasPrefix("form") {
            guard let index = Int(name.dropFirst(4)), mapping.forms.indices.contains(index),
                mapping.forms[index].rows.indices.contains(target)
            else { return nil }
            let (form, row) = (mapping.forms[index], mapping.forms[index].rows[target])
            return (form.table(for: row), row.target, true)
        }
        guard let index = Int(name), mapping.tables.indices.contains(index),
            mapping.tables[index].targets.indices.contains(target)
        else { return nil }
        return (mapping.tables[index], mapping.tables[index].targets[target], false)
    }

    /// Converts the row with its corrections, and finds its picture if the file is still where the
    /// mapping expects it.
    func converted() throws -> (stretch: ImportedStretch, photo: SourcePhoto?) {
        let photos = source.photos.count
        var made = ImportedStretch([], read: 1)
        try table().read(0) { made = $0 }
        // A row that is rejected once more keeps its origin.
        if let origin = row.origin {
            for index in made.batches.indices { made.batches[index].setOrigin(origin.importID) }
        }
        return (made, source.photos.count > photos ? source.photos.last : nil)
    }

    /// The row as a table with a single row.
    private func table() -> MappedTable {
        let (values, number) = (cells.map(\.value), row.place.line ?? 1)
        let names = cells.map(\.key)
        var foreign = ForeignTable(name: row.place.sheet ?? "", columns: names) { [isOfForm, shared, standIn] in
            isOfForm
                ? PlacelessRow(cells: values, number: number, names: names, shared: shared, standIn: standIn)
                : MemoryTable(cells: values, number: number)
        }
        // The row's file, if the source is a folder of files, as when the row was first read.
        foreign.file = row.place.file
        foreign.contents = row.place.sheet.flatMap(source.contents)
        var part = part
        part.targets = [target]
        return MappedTable(
            table: foreign, part: part, source: source, addresses: [row.place.mapping ?? ""], sheet: row.place.sheet,
            repeated: [again.repeated], pictures: isOfForm ? source.pictures : nil, again: again)
    }
}

/// A single row in memory, as rows of an external table.
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
            case .object(let members) where members.count == 1 && members[0].key == "error":
                // The inverse of the form in which `RawCells` writes it.
                if case .string(let text) = members[0].value {
                    batch.append(.error, text)
                } else {
                    batch.append(.error, cell.description)
                }
            default: batch.append(.text, cell.description)
            }
        }
        batch.endRow(number: number)
    }
}

/// A row whose original cells are no longer known.
final class PlacelessRow: MemoryTable, CellNaming {
    private let names: [String]
    /// Names of values of the row's form. If one of them is missing, the form itself is rejected.
    private let shared: Set<String>
    private let own: (entity: String, id: String)?

    init(cells: [JSONValue], number: Int, names: [String], shared: Set<String>, standIn: (entity: String, id: String)?)
    {
        (self.names, self.shared, own) = (names, shared, standIn)
        super.init(cells: cells, number: number)
    }

    /// A row in which a required value is missing stays in the quarantine, because other values
    /// were filled in. A value of the form may be missing.
    func takes(row: Int, without column: Int) throws(MappingFault) -> Bool {
        let name = names.indices.contains(column) ? names[column] : ""
        if shared.contains(name) { return true }
        throw MappingFault(
            code: "IMPORT-NO-REQUIRED",
            arguments: ["name": name, "cells": names.filter { $0 != name }.prefix(5).joined(separator: ", ")])
    }

    func cellName(row: Int, column: Int) -> String? { nil }

    func standIn(row: Int, for entity: String) -> String? { entity == own?.entity ? own?.id : nil }
}
