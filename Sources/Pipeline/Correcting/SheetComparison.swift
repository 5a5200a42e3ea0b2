import Exporting
import Importing
import Model
import Replica

/// Compares the rows of one sheet three-sided, cell by cell: as they stood in the exported workbook, as they stand in
/// the one that was brought, and as an export would write them now.
struct SheetComparison {
    let sheet: BookSheet
    let file: String
    let policy: ImportPolicy
    let texts: Texts
    private(set) var findings: [Finding] = []
    private(set) var corrections: [Correction] = []
    /// Rows that say the same as the exported workbook.
    private(set) var untouched = 0
    private var isBaseKnown = true

    private struct Brought {
        var table: String
        var line: Int
        var identity: String?
        var key: String?
        var action: RowAction?
        var cells: [BookCell?]
        var places: [Int?]
    }

    init(_ sheet: BookSheet, file: String, policy: ImportPolicy, texts: Texts) {
        (self.sheet, self.file, self.policy, self.texts) = (sheet, file, policy, texts)
    }

    /// - Parameter base: the exported workbook; nil: it is not known, and what stands now takes its place.
    mutating func compare(base: (any TableFile)?, theirs: any TableFile, now: any TableFile) throws {
        isBaseKnown = base != nil
        let packed = try pack(base ?? now)
        var places: [String: [Place]] = [:]
        var brought = try read(theirs, besides: packed, &places)
        brought = refuseDoubles(brought, places)
        let present = try look(for: brought, in: now)
        for row in brought { decide(row, packed, present, places) }
    }

    private func tables(of file: any TableFile) -> [ForeignTable] {
        file.tables.filter { sheet.names.contains($0.name) }
    }

    private func pack(_ file: any TableFile) throws -> PackedRows {
        var packed = PackedRows()
        for table in tables(of: file) {
            let rows = BookRows(sheet)
            _ = try rows.read(table) { batch, index in
                guard let identity = rows.identity(batch, index) else { return }
                packed.add(identity) { rows.pack(batch, index, into: &$0) }
            }
        }
        return packed
    }

    /// The rows that differ from the exported workbook, or ask for an action.
    ///
    /// - Parameter places: receives where each identity stands, of all rows.
    private mutating func read(
        _ file: any TableFile, besides base: PackedRows, _ places: inout [String: [Place]]
    ) throws -> [Brought] {
        var brought: [Brought] = []
        var untouched = 0
        for table in tables(of: file) {
            let rows = BookRows(sheet)
            var bytes: [UInt8] = []
            let isFound = try rows.read(table) { batch, index in
                bytes.removeAll(keepingCapacity: true)
                rows.pack(batch, index, into: &bytes)
                let identity = rows.identity(batch, index)
                let said = rows.action.map { BookCell(batch, index, $0).text } ?? ""
                let action = RowAction(said, texts)
                if action != .new, let identity {
                    let column = rows.places[sheet.key.first ?? sheet.id]
                    let place = place(table.name, batch.rows[index].number, column, identity)
                    places[identity, default: []].append(place)
                }
                guard rows.doubled.isEmpty else { return }
                if said.isEmpty, let identity, let known = base[identity], BookRows.isSame(bytes, known) {
                    untouched += 1
                    return
                }
                let cells = rows.cells(batch, index)
                guard !said.isEmpty || cells.contains(where: { $0.map { !$0.text.isEmpty } ?? false }) else { return }
                if action == nil, !said.isEmpty {
                    let place = place(table.name, batch.rows[index].number, rows.action, identity)
                    findings.append(Finding("BOOK-ACTION", place: place, arguments: ["value": said]))
                    return
                }
                brought.append(Brought(
                    table: table.name, line: batch.rows[index].number, identity: identity,
                    key: rows.key(batch, index), action: action, cells: cells, places: rows.places))
            }
            noteColumns(rows, table.name, isFound: isFound)
        }
        self.untouched += untouched
        return brought
    }

    private mutating func noteColumns(_ rows: BookRows, _ table: String, isFound: Bool) {
        guard isFound else {
            findings.append(Finding("BOOK-SHEET", place: Place(file: file, sheet: table), arguments: ["sheet": table]))
            return
        }
        for heading in rows.doubled {
            let place = Place(file: file, sheet: table)
            findings.append(Finding("BOOK-HEADING", place: place, arguments: ["sheet": table, "column": heading]))
        }
        if !rows.added.isEmpty {
            findings.append(Finding(
                "BOOK-COLUMN", place: Place(file: file, sheet: table),
                arguments: ["sheet": table, "columns": rows.added.listed()]))
        }
    }

    /// Rows with one identity: nobody can say which of them is meant. A copy of a row takes its hidden id along.
    private mutating func refuseDoubles(_ brought: [Brought], _ places: [String: [Place]]) -> [Brought] {
        let doubled = places.filter { $0.value.count > 1 }
        let wanted = Set(brought.filter { $0.action != .new }.compactMap(\.identity)).filter { doubled[$0] != nil }
        for row in brought where row.action != .new && row.identity.map(wanted.contains) == true {
            for place in row.identity.flatMap({ doubled[$0] }) ?? [] {
                let finding = Finding("BOOK-DOUBLE", place: place, arguments: ["name": sheet.name(of: row.cells)])
                if !findings.contains(where: { $0.code == finding.code && $0.place.cell == place.cell
                    && $0.place.sheet == place.sheet }) { findings.append(finding) }
            }
        }
        return brought.filter { $0.action == .new || $0.identity.map(wanted.contains) != true }
    }

    /// What stands now in the rows that were brought: by id, and ids by key.
    private struct Present {
        var rows: [String: [BookCell?]] = [:]
        var ids: [String: String] = [:]
    }

    private func look(for brought: [Brought], in now: any TableFile) throws -> Present {
        var present = Present()
        let identities = Set(brought.compactMap(\.identity)), keys = Set(brought.compactMap(\.key))
        for table in tables(of: now) {
            let rows = BookRows(sheet)
            _ = try rows.read(table) { batch, index in
                guard let id = rows.identity(batch, index) else { return }
                let key = rows.key(batch, index)
                let isNamed = key.map { keys.contains($0) || identities.contains($0) } ?? false
                guard isNamed || identities.contains(id) else { return }
                present.rows[id] = rows.cells(batch, index)
                if let key { present.ids[key] = id }
            }
        }
        return present
    }

    // MARK: One row

    private mutating func decide(
        _ row: Brought, _ base: PackedRows, _ present: Present, _ places: [String: [Place]]
    ) {
        guard let identity = identity(of: row, present, places) else { return add(row) }
        let id = present.rows[identity] == nil ? present.ids[identity] : identity
        let now = id.flatMap { present.rows[$0] }
        let stood = isBaseKnown ? (base[identity] ?? id.flatMap { base[$0] }).map(BookRows.unpack) : nil
        let was = stood ?? now
        guard let was else {
            findings.append(Finding(
                "BOOK-ROW", place: place(row, sheet.id), arguments: ["name": sheet.name(of: row.cells)]))
            return
        }
        guard let id, let now else {
            let isCorrected = changes(row, was, nil, isKnown: true).contains { $0.verdict == .changed }
            guard row.action != .delete, isCorrected else { return }
            findings.append(Finding(
                "BOOK-GONE", place: place(row, sheet.key.first ?? sheet.id), arguments: ["name": sheet.name(of: was)]))
            return
        }
        var correction = Correction(
            kind: .change, entity: sheet.entity.name, id: id, name: sheet.name(of: now), table: row.table,
            line: row.line)
        if row.action == .delete {
            let other = zip(was, now).enumerated().first { index, pair in
                sheet.fields[index] != nil && pair.0 != nil && pair.0?.isSame(as: pair.1 ?? BookCell("")) == false
            }
            if let other, policy != .update {
                return conflict(row, column: other.offset, was: was, now: now, correction)
            }
            correction.kind = .removal
        } else {
            correction.cells = changes(row, was, now, isKnown: stood != nil)
        }
        guard correction.kind == .removal || !correction.cells.isEmpty else {
            untouched += 1
            return
        }
        corrections.append(correction)
        tell(correction, row)
    }

    /// The row that is meant; nil: a new one. A row without an id may have the key of another. It is that row if
    /// somebody emptied its id, or if it says nothing else, because it came in as new before.
    private func identity(of row: Brought, _ present: Present, _ places: [String: [Place]]) -> String? {
        if row.action != .new, let identity = row.identity { return identity }
        guard let namesake = row.key.flatMap({ present.ids[$0] }) else { return nil }
        if isThere(row, present.rows[namesake]) { return namesake }
        return row.action == .new || places[namesake] != nil ? nil : namesake
    }

    /// Whether a row that is to be new is there already, with all that it says.
    private func isThere(_ row: Brought, _ now: [BookCell?]?) -> Bool {
        guard let now else { return false }
        return sheet.headings.indices.allSatisfy { column in
            guard sheet.fields[column] != nil, let said = row.cells[column]?.read(for: sheet.fields[column]),
                !said.text.isEmpty
            else { return true }
            return sheet.isSame(said, now[column] ?? BookCell(""), in: column)
        }
    }

    private mutating func conflict(
        _ row: Brought, column: Int, was: [BookCell?], now: [BookCell?], _ correction: Correction
    ) {
        var contested = correction
        contested.cells = [cell(row, column, was[column]?.text, now[column]?.text, .conflict)]
        corrections.append(contested)
        tell(contested, row)
    }

    private func cell(_ row: Brought, _ column: Int, _ was: String?, _ now: String?, _ verdict: CorrectedCell.Verdict)
        -> CorrectedCell
    {
        CorrectedCell(
            column: row.places[column] ?? 0, heading: sheet.headings[column], field: sheet.fields[column],
            was: was ?? "", brought: row.cells[column] ?? BookCell(""), now: now, verdict: verdict)
    }

    /// The cells that differ from the exported workbook, with what becomes of each.
    ///
    /// - Parameter isKnown: whether `was` is what the exported workbook said, and not what stands now.
    private func changes(_ row: Brought, _ was: [BookCell?], _ now: [BookCell?]?, isKnown: Bool) -> [CorrectedCell] {
        sheet.headings.indices.compactMap { column -> CorrectedCell? in
            guard column != sheet.id, let brought = row.cells[column]?.read(for: sheet.fields[column]),
                let before = was[column], !sheet.isSame(brought, before, in: column) || brought.isFault
            else { return nil }
            // An empty cell clears a value only if the exported workbook is known to have shown one there.
            if row.identity == nil || !isKnown, brought.text.isEmpty, !brought.isFault { return nil }
            let present = now?[column]
            var verdict = CorrectedCell.Verdict.changed
            if brought.isFault {
                verdict = .refused("BOOK-FORMULA")
            } else if let present, sheet.isSame(brought, present, in: column) {
                return nil
            } else if sheet.fields[column] == nil {
                verdict = .refused("BOOK-LOCKED")
            } else if let present, !present.isSame(as: before) {
                switch policy {
                case .update, .updateOnly: break
                case .skip: return nil
                case .conflict: verdict = .conflict
                }
            }
            var changed = cell(row, column, before.text, present?.text, verdict)
            changed.brought = brought
            return changed
        }
    }

    private mutating func add(_ row: Brought) {
        guard policy != .updateOnly else {
            findings.append(Finding(
                "BOOK-ROW", place: place(row, sheet.id), arguments: ["name": sheet.name(of: row.cells)]))
            return
        }
        var addition = Correction(
            kind: .addition, entity: sheet.entity.name, id: "", name: sheet.name(of: row.cells), table: row.table,
            line: row.line)
        addition.owner = sheet.owner.flatMap { row.cells[$0.column]?.text }
        for column in sheet.headings.indices where sheet.fields[column] != nil {
            guard let brought = row.cells[column]?.read(for: sheet.fields[column]), !brought.text.isEmpty else {
                continue
            }
            var given = cell(row, column, nil, nil, brought.isFault ? .refused("BOOK-FORMULA") : .changed)
            given.brought = brought
            addition.cells.append(given)
        }
        guard !addition.cells.isEmpty else { return }
        let strange = sheet.project.columns.first { column in
            row.cells[column].map { !$0.text.isEmpty && $0.text != sheet.project.code } ?? false
        }
        if let strange {
            // The workbook is of one project, and the row would land in it.
            addition.cells = [cell(row, strange, nil, nil, .refused("BOOK-LOCKED"))]
            addition.isRefused = true
        }
        corrections.append(addition)
        tell(addition, row)
    }

    // MARK: Findings

    private mutating func tell(_ correction: Correction, _ row: Brought) {
        for cell in correction.cells {
            var arguments = ["name": correction.name, "column": cell.heading, "value": cell.brought.text]
            let code: String
            switch cell.verdict {
            case .changed: continue
            case .conflict:
                code = "BOOK-CONFLICT"
                (arguments["was"], arguments["now"]) = (cell.was, cell.now ?? "")
            case .refused(let reason): code = reason
            }
            findings.append(Finding(code, place: correction.place(of: cell, in: file), arguments: arguments))
        }
    }

    private func place(_ row: Brought, _ column: Int) -> Place {
        place(row.table, row.line, row.places[column], row.identity)
    }

    private func place(_ table: String, _ line: Int, _ column: Int?, _ id: String?) -> Place {
        var place = Place(file: file, sheet: table, cell: RawCells.columnName(column ?? 0) + String(line))
        (place.table, place.id) = (sheet.entity.name, id)
        return place
    }
}
