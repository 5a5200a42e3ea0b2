import Foundation
import Model

/// Converts rows to rows of an entity whose fields' names or aliases are the names of the columns.
/// Such rows come from JSON and packages, or were derived from events and drawings.
///
/// If a row has no column for a field, it does not change that field; a null clears the field.
/// `MappedConverter` reads tables whose columns are known before their rows, and whose blank cells
/// and nulls mean the same.
final class NamedConverter {
    /// What a column of the table stands for.
    private enum Role {
        /// A field, by its column in the batch.
        case field(Int, isFormerName: Bool)
        case state(RowStateName)
        case unknown
    }

    let empty: ImportedBatch
    private let entity: Entity
    private let pack: Pack
    /// Converters by the batch's columns; the last one is that of the id.
    private let converters: [CellConverter]
    /// Columns of the batch by the names of their fields.
    private var columns: [String: Int] = [:]
    private let formerNames: Set<String>
    private var names: [String] = []
    /// By the table's columns.
    private var roles: [Role] = []
    /// Names of unknown columns and former names already reported.
    private var noted: Set<String> = []
    private let roundings = RoundedValues()
    /// For each column of the batch, the row's cell with its value; -1: none.
    private var cells: [Int]
    /// The columns that the row sets. The array is shared while rows set the same columns, which
    /// makes comparison fast.
    private var stated: [Bool]

    init(_ entity: Entity, pack: Pack, file: String) {
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
            entity: entity.name, fields: fields, place: Place(table: entity.name, file: file),
            raw: RawCells(headings: [], isText: true))
    }

    /// - Parameter names: names of all columns found so far.
    func learn(_ names: [String]) {
        guard names.count > roles.count else { return }
        self.names = names
        for name in names[roles.count...] {
            roles.append(
                columns[name].map { .field($0, isFormerName: formerNames.contains(name)) }
                    ?? RowStateName(name).map(Role.state) ?? .unknown)
        }
    }

    /// Adds the columns of a table that are fields with numbers.
    func addNumbers(of columns: Range<Int>, to use: ColumnUse) {
        for column in columns {
            guard case .field(let own, _) = roles[column] else { continue }
            let field = converters[own].field
            guard field.type == .decimal || field.type == .integer else { continue }
            use.add(FieldUse(empty.place, field.name, column: column))
        }
    }

    /// Whether a column of the table is a field or a state.
    func reads(_ column: Int) -> Bool { if case .unknown = roles[column] { false } else { true } }

    /// Converts a row; `learn` must have received the names of all its columns before.
    func convert(_ batch: borrowing ForeignBatch, _ row: Int, into made: inout ImportedBatch) throws -> RowOutcome {
        let remark = batch.remarks.isEmpty ? nil : batch.remarks[row]
        if remark?.isLeftOut == true {
            made.filter()
            return .filtered
        }
        var faults: [MappingFault] = []
        let states = sort(batch, row, &faults, into: &made)
        var findings: [Finding] = []
        if let remark {
            let place = batch.place(row, in: made.place)
            if remark.isDeletion {
                delete(batch, row, place, into: &made)
                return .row
            }
            findings = said(by: remark, at: place)
            if findings.contains(where: { $0.severity == .error }) {
                made.reject(row, of: batch, findings)
                return .rejected
            }
        }
        roundings.removeAll()
        let misfits = appendValues(batch, row, into: &made)
        let id = made.rows.cells.last
        let hasID = id.map { $0.kind == .text && $0.length > 0 } ?? false
        guard hasID, misfits.isEmpty, faults.isEmpty else {
            let problems = RowProblems(faults: faults, misfits: misfits)
            let text = hasID ? id.map { String(decoding: made.rows.text[$0.range], as: UTF8.self) } : nil
            findings = self.findings(of: problems, batch, row, id: text, at: made.place)
            made.dropOpenRow()
            made.reject(row, of: batch, findings)
            return .rejected
        }
        if !findings.isEmpty { made.notes += findings }
        let number = batch.rows[row].number
        let line = number > 0 ? number : nil, pointer = batch.pointers.isEmpty ? nil : batch.pointers[row]
        if !roundings.isEmpty { roundings.report(at: line, pointer: pointer, into: &made) }
        made.raw.append(batch.text.span.extracting(batch.rowText(row)))
        made.endRow(line: line, pointer: pointer, shape: stated, states: states)
        return .row
    }

    /// Finds the cell of each field, and the states. If two names refer to one field, the later one
    /// wins. A former name yields to any other name, and is reported.
    ///
    /// - Parameter faults: receives texts that are not valid states for their columns.
    private func sort(
        _ batch: borrowing ForeignBatch, _ row: Int, _ faults: inout [MappingFault], into made: inout ImportedBatch
    ) -> ImportedBatch.States? {
        for column in cells.indices { cells[column] = -1 }
        var states: ImportedBatch.States?
        for index in 0..<batch.width(row) where batch.cell(row, index).kind != .empty {
            switch roles[index] {
            case .field(let column, let isFormerName):
                let other = cells[column]
                let loser = other >= 0 && isFormerName ? index : other
                if loser != index { cells[column] = index }
                if loser >= 0, case .field(_, isFormerName: true) = roles[loser] {
                    report(names[loser], batch, row, into: &made)
                }
            case .state(let name):
                guard batch.cell(row, index).kind != .null, let text = batch.string(row, index), !text.isEmpty else {
                    continue
                }
                var all = states ?? ImportedBatch.States()
                if !name.set(text, in: &all) { faults.append(name.fault(names[index], text)) }
                if all != ImportedBatch.States() { states = all }
            case .unknown: report(names[index], batch, row, into: &made)
            }
        }
        for column in cells.indices where stated[column] != (cells[column] >= 0) { stated[column].toggle() }
        return states
    }

    /// Reports a column once for each table: an unknown column in a thousand rows needs only one
    /// correction.
    private func report(_ name: String, _ batch: borrowing ForeignBatch, _ row: Int, into made: inout ImportedBatch) {
        guard noted.insert(name).inserted else { return }
        made.notes.append(
            Finding("IMPORT-UNKNOWN-FIELD", place: batch.place(row, in: made.place), arguments: ["name": name]))
    }

    private func appendValues(_ batch: borrowing ForeignBatch, _ row: Int, into made: inout ImportedBatch)
        -> [(field: Field, value: ValueConversion.Misfit)]
    {
        var misfits: [(field: Field, value: ValueConversion.Misfit)] = []
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
        if let last = misfits.last, last.field.name == "id", entity.fields.first?.name == "id" {
            misfits.insert(misfits.removeLast(), at: 0)
        }
        return misfits
    }

    /// The reasons for the rejection of a row.
    ///
    /// - Parameter id: nil if the row has no id, which is a further reason.
    private func findings(
        of problems: RowProblems, _ batch: borrowing ForeignBatch, _ row: Int, id: String?, at place: Place
    ) -> [Finding] {
        var place = batch.place(row, in: place)
        (place.id, place.key) = (id, ownName(batch, row))
        var findings = problems.misfits.map { field, misfit in misfit.finding(field, of: pack, at: place) }
        findings += problems.faults.map { Finding($0.code, place: place, arguments: $0.arguments) }
        if id == nil, !problems.misfits.contains(where: { $0.field.name == "id" }) {
            findings.append(Finding("IMPORT-NO-ID", place: place))
        }
        return findings
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

    /// The findings that the source attached to a row.
    private func said(by remark: ForeignBatch.Remark, at place: Place) -> [Finding] {
        if let fault = remark.fault {
            return [Finding("IMPORT-UNREADABLE", place: place, arguments: ["reason": fault])]
        }
        return remark.findings
    }

    private func delete(_ batch: borrowing ForeignBatch, _ row: Int, _ place: Place, into made: inout ImportedBatch) {
        var place = place
        let id = cells.last.flatMap { batch.string(row, $0) } ?? ""
        place.id = id
        made.delete(ImportedDeletion(entity: entity.name, id: id, remote: batch.sourceText(row), place: place))
    }
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

    /// The fault of a text that is not a valid state.
    func fault(_ column: String, _ text: String) -> MappingFault {
        MappingFault(code: "IMPORT-STATE", arguments: ["name": column, "value": String(text.prefix(80))])
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
