import Foundation
import Model

/// Converts rows to rows of an entity whose fields' names or aliases are the names of the columns.
/// Such rows come from JSON and packages, or were derived from events and drawings.
///
/// If a row has no column for a field, it does not change that field; a null clears the field.
final class NamedConverter: RowConverter {
    /// A column of the table that is not a field.
    private enum Other {
        case state(RowStateName)
        case unknown(String)
    }

    let empty: ImportedBatch
    private let entity: Entity
    private let pack: Pack
    /// Converters by the batch's columns.
    private let converters: [CellConverter]
    private var columns: [String: Int] = [:]
    /// For each column of the table, the column of the batch; -1 for columns that are not fields.
    private var targets: [Int] = []
    private var others: [Int: Other] = [:]
    /// Columns of the table that carry a field's former name.
    private var formers: Set<Int> = []
    private let formerNames: Set<String>
    private var names: [String] = []
    /// Names of unknown columns and former names already reported.
    private var noted: Set<String> = []
    private let roundings = RoundedValues()
    /// For each column of the batch, the row's cell with its value; -1: none.
    private var cells: [Int]
    /// The columns that the row sets. The array is shared while rows set the same columns, which
    /// makes comparison fast.
    private var stated: [Bool]

    init(_ entity: Entity, pack: Pack, file: String, sheet: String? = nil) {
        (self.entity, self.pack) = (entity, pack)
        let values = ValueConversion(pack: pack)
        let id = entity.position(ofField: "id") ?? 0
        let fields = entity.fields.indices.filter { $0 != id } + [id]
        let roundings = roundings
        converters = fields.map { CellConverter(entity.fields[$0], values: values, roundings: roundings) }
        for (column, field) in fields.enumerated() {
            for name in entity.fields[field].otherNames where columns[name] == nil { columns[name] = column }
        }
        formerNames = Set(entity.fields.flatMap { $0.otherNames.dropFirst($0.aliases.count) })
        for (column, field) in fields.enumerated() { columns[entity.fields[field].name] = column }
        cells = Array(repeating: -1, count: fields.count)
        stated = Array(repeating: false, count: fields.count)
        empty = ImportedBatch(
            entity: entity.name, fields: fields, place: Place(table: entity.name, file: file, sheet: sheet),
            raw: RawCells(headings: [], isText: true))
    }

    /// - Parameter names: names of all columns found so far.
    func learn(_ names: [String]) {
        guard names.count > targets.count else { return }
        self.names = names
        for name in names[targets.count...] {
            if columns[name] == nil { others[targets.count] = RowStateName(name).map(Other.state) ?? .unknown(name) }
            if formerNames.contains(name) { formers.insert(targets.count) }
            targets.append(columns[name] ?? -1)
        }
    }

    /// The field of a table's column; nil for none.
    func field(_ column: Int) -> Field? { targets[column] >= 0 ? converters[targets[column]].field : nil }

    /// Whether a column of the table is a field or a state.
    func reads(_ column: Int) -> Bool {
        if case .unknown? = others[column] { return false }
        return true
    }

    /// Converts a row; `learn` must have received the names of all its columns before.
    func convert(_ batch: borrowing ForeignBatch, _ row: Int, into made: inout ImportedBatch) throws -> RowOutcome {
        let remark = batch.remarks.isEmpty ? nil : batch.remarks[row]
        if let remark, remark.isLeftOut {
            made.filter()
            return .filtered
        }
        let number = batch.rows[row].number
        let line = number > 0 ? number : nil, pointer = batch.pointers.isEmpty ? nil : batch.pointers[row]
        var unstated: [(name: String, value: String)] = []
        let states = sort(batch, row, &unstated, into: &made)
        var findings: [Finding] = []
        if let remark {
            let place = place(batch, row, made)
            if remark.isDeletion {
                delete(batch, row, place, into: &made)
                return .row
            }
            findings = said(by: remark, at: place)
            if findings.contains(where: { $0.severity == .error }) {
                reject(batch, row, place, findings, into: &made)
                return .rejected
            }
        }
        roundings.removeAll()
        let misfits = try appendValues(batch, row, into: &made)
        let hasID = made.rows.cells.last.map { $0.kind == .text && $0.length > 0 } ?? false
        if !misfits.isEmpty || !unstated.isEmpty || !hasID {
            var place = place(batch, row, made)
            let id = hasID ? idText(made) : nil
            (place.id, place.key) = (id, ownName(batch, row))
            findings = misfits.map { field, misfit in misfit.finding(field, of: pack, at: place) }
            findings += unstated.map { state in
                Finding(
                    "IMPORT-STATE", place: place,
                    arguments: ["name": state.name, "value": String(state.value.prefix(80))])
            }
            if id == nil, !misfits.contains(where: { $0.0.name == "id" }) {
                findings.append(Finding("IMPORT-NO-ID", place: place))
            }
            made.dropOpenRow()
            (place.id, place.key) = (nil, nil)
            reject(batch, row, place, findings, into: &made)
            return .rejected
        }
        if !findings.isEmpty { made.notes += findings }
        if !roundings.isEmpty { roundings.report(at: line, pointer: pointer, into: &made) }
        made.raw.append(batch.text.span.extracting(batch.rowText(row)))
        made.endRow(line: line, pointer: pointer, shape: stated, states: states)
        return .row
    }

    private func place(_ batch: borrowing ForeignBatch, _ row: Int, _ made: borrowing ImportedBatch) -> Place {
        var place = made.place
        let number = batch.rows[row].number
        (place.line, place.pointer) = (number > 0 ? number : nil, batch.pointers[row])
        return place
    }

    /// Finds the cell of each field, and the states. If two names refer to one field, the later one
    /// wins. A former name yields to any other name, and is reported.
    ///
    /// - Parameter unstated: receives texts that are not valid states for their columns.
    private func sort(
        _ batch: borrowing ForeignBatch, _ row: Int, _ unstated: inout [(name: String, value: String)],
        into made: inout ImportedBatch
    ) -> ImportedBatch.States? {
        for column in cells.indices { cells[column] = -1 }
        var states: ImportedBatch.States?
        for index in 0..<batch.width(row) {
            let kind = batch.cell(row, index).kind
            guard kind != .empty else { continue }
            guard targets[index] >= 0 else {
                take(batch, row, index, &states, &unstated, into: &made)
                continue
            }
            let other = cells[targets[index]]
            let loser = other >= 0 && formers.contains(index) ? index : other
            if loser != index { cells[targets[index]] = index }
            if loser >= 0, formers.contains(loser) { report(names[loser], batch, row, into: &made) }
        }
        for column in cells.indices where stated[column] != (cells[column] >= 0) { stated[column].toggle() }
        return states
    }

    /// Handles a cell that does not belong to a field.
    private func take(
        _ batch: borrowing ForeignBatch, _ row: Int, _ index: Int, _ states: inout ImportedBatch.States?,
        _ unstated: inout [(name: String, value: String)], into made: inout ImportedBatch
    ) {
        switch others[index] {
        case .state(let name)?:
            guard batch.cell(row, index).kind != .null, let text = batch.string(row, index), !text.isEmpty else {
                break
            }
            var all = states ?? ImportedBatch.States()
            if !name.set(text, in: &all) { unstated.append((names[index], text)) }
            if all != ImportedBatch.States() { states = all }
        case .unknown(let name)?: report(name, batch, row, into: &made)
        case nil: break
        }
    }

    /// Reports a column once for each table: an unknown column in a thousand rows needs only one
    /// correction.
    private func report(_ name: String, _ batch: borrowing ForeignBatch, _ row: Int, into made: inout ImportedBatch) {
        guard noted.insert(name).inserted else { return }
        made.notes.append(
            Finding("IMPORT-UNKNOWN-FIELD", place: place(batch, row, made), arguments: ["name": name]))
    }

    private func appendValues(
        _ batch: borrowing ForeignBatch, _ row: Int, into made: inout ImportedBatch
    ) throws -> [(Field, ValueConversion.Misfit)] {
        var misfits: [(Field, ValueConversion.Misfit)] = []
        // Copied to local constants, because each use of an object's arrays is reference-counted.
        let (cells, converters) = (cells, converters)
        for (column, index) in cells.enumerated() {
            guard index >= 0 else {
                made.rows.appendNull()
                continue
            }
            let cell = batch.cell(row, index)
            do throws(ValueConversion.Misfit) {
                try converters[column].append(cell.kind, batch.text.span.extracting(cell.range), to: &made.rows)
            } catch {
                misfits.append((converters[column].field, error))
                made.rows.appendNull()
            }
        }
        // In the order of the entity's fields: the id was converted last.
        if let last = misfits.last, last.0.name == "id", entity.fields.first?.name == "id" {
            misfits.insert(misfits.removeLast(), at: 0)
        }
        return misfits
    }

    /// The row's human-readable key, without the owner's key: the row contains only the owner's id.
    private func ownName(_ batch: borrowing ForeignBatch, _ row: Int) -> String? {
        let texts = cells.indices.compactMap { column -> String? in
            let field = converters[column].field
            guard cells[column] >= 0, entity.key.contains(field.name), field.name != "id", field.references == nil,
                pack.mayQuote(field)
            else { return nil }
            return batch.string(row, cells[column]).map { String($0.prefix(80)) }
        }
        return texts.isEmpty ? nil : texts.joined(separator: Pack.nameSeparator)
    }

    private func idText(_ made: borrowing ImportedBatch) -> String? {
        guard let cell = made.rows.cells.last, cell.kind == .text, cell.length > 0 else { return nil }
        return String(decoding: made.rows.text[cell.range], as: UTF8.self)
    }

    /// The findings that the source attached to a row.
    private func said(by remark: ForeignBatch.Remark, at place: Place) -> [Finding] {
        if let fault = remark.fault {
            return [Finding("IMPORT-UNREADABLE", place: place, arguments: ["reason": fault])]
        }
        return remark.findings
    }

    private func delete(_ batch: borrowing ForeignBatch, _ row: Int, _ place: Place, into made: inout ImportedBatch) {
        var place = place
        let id = cells[cells.count - 1] >= 0 ? batch.string(row, cells[cells.count - 1]) ?? "" : ""
        place.id = id
        made.delete(
            ImportedDeletion(
                entity: entity.name, id: id, remote: String(decoding: batch.text[batch.rowText(row)], as: UTF8.self),
                place: place))
    }

    private func reject(
        _ batch: borrowing ForeignBatch, _ row: Int, _ place: Place, _ findings: [Finding],
        into made: inout ImportedBatch
    ) {
        made.reject(
            .init(
                raw: String(decoding: batch.text[batch.rowText(row)], as: UTF8.self), place: place, findings: findings))
    }
}

/// Converts rows of one table of a source to rows of one entity. Each row is converted to typed
/// values, or to a list of reasons for its rejection.
protocol RowConverter: AnyObject {
    /// An empty batch for the converted rows.
    var empty: ImportedBatch { get }

    /// Appends the result for a row to a batch created from `empty`.
    func convert(_ batch: borrowing ForeignBatch, _ row: Int, into made: inout ImportedBatch) throws -> RowOutcome
}

/// The outcome of a source's row for one entity.
enum RowOutcome {
    case row
    /// The row is left out on purpose.
    case filtered
    /// The row repeats the record of an earlier row.
    case repeated
    case rejected
}

/// States that a row has in addition to its fields, when it was copied from the replica of a
/// device. The replica stores them in its state columns.
enum RowStateName {
    case sync, version, remoteUpdatedAt

    init?(_ name: String) {
        switch name {
        case "syncStatus", "sync_status", "syncState", "sync_state": self = .sync
        case "localVersion", "local_version": self = .version
        case "remoteUpdatedAt", "remote_updated_at": self = .remoteUpdatedAt
        default: return nil
        }
    }

    /// Sets a state from its text; false if the text is invalid.
    ///
    /// - Parameter zone: the time zone of times that name none; nil: such times are invalid.
    func set(_ text: String, in states: inout ImportedBatch.States, zone: TimeZone? = nil) -> Bool {
        switch self {
        case .sync:
            guard let state = SyncState(rawValue: text) else { return false }
            states.sync = state
        case .version:
            guard let version = Int64(text) ?? Double(text).flatMap(Int64.init(exactly:)), version >= 0 else {
                return false
            }
            states.version = version
        case .remoteUpdatedAt:
            guard let instant = Timestamp.normalized(text) ?? zone.flatMap({ Timestamp.instant(local: text, in: $0) })
            else { return false }
            states.remoteUpdatedAt = instant
        }
        return true
    }
}
