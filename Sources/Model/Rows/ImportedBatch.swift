/// Rows of one entity on their way from one table of a source into the replica, all with the same
/// columns and the replica's types. Rows that could not be converted, were left out, or were
/// deleted in the source are included, so that each row of the source is accounted for. A row
/// without faults needs no dictionary, and no `String` except for its JSON pointer.
package struct ImportedBatch: Sendable {
    /// A row that could not be converted, as it was in its source, with the findings that explain
    /// why.
    package struct Reject: Sendable {
        package var raw: String
        package var place: Place
        package var findings: [Finding]
        /// The values that it got from neighbouring rows, for a later conversion.
        package var around: String?

        package init(raw: String, place: Place, findings: [Finding], around: String? = nil) {
            (self.raw, self.place, self.findings, self.around) = (raw, place, findings, around)
        }
    }

    /// The local states of a row, if the source includes them (a replica copied from a device).
    package struct States: Sendable, Hashable {
        package var sync: SyncState?
        package var version: Int64?
        package var remoteUpdatedAt: String?

        package init(sync: SyncState? = nil, version: Int64? = nil, remoteUpdatedAt: String? = nil) {
            (self.sync, self.version, self.remoteUpdatedAt) = (sync, version, remoteUpdatedAt)
        }
    }

    /// The number of a field's values that lost digits, and the first such value.
    package struct Rounding: Sendable, Hashable {
        package var count: Int
        /// The first such value in the source, and as the replica stores it.
        package var text: String
        package var kept: String
        package var line: Int?
        package var pointer: String?

        package init(count: Int, text: String, kept: String, line: Int?, pointer: String?) {
            (self.count, self.text, self.kept, self.line, self.pointer) = (count, text, kept, line, pointer)
        }
    }

    /// Name of the entity; for a table that the pack does not know, the table's name.
    package let entity: String
    /// For each column of `rows`, the position of its field in the entity; the last column is `id`.
    package let fields: [Int]
    /// The common part of the places of all rows.
    package private(set) var place: Place
    package var rows: RowBatch
    /// Whether each row is a part of the record on its line of the file: a form's repeated group.
    package var isRepeat = false
    /// Whether a row comes in without a reference that leads nowhere, if it can lack it.
    package var isLenient = false
    /// The rows' effect on earlier rows. A row whose operation is not `add` is passed by itself, so
    /// that operations are applied in order.
    package var operation = RowOperation.add
    /// Fields by which `replace` finds the row; empty: by its id.
    package var match: [String] = []
    /// The line or sheet row of each row; nil if the source has none.
    package private(set) var lines: [Int?] = []
    /// The JSON pointer of each row; empty if the source has none.
    package private(set) var pointers: [String?] = []
    /// The rows as they were in the source.
    package var raw: RawCells
    /// The shapes of rows: the columns for which a row contains a value, since an absent value
    /// differs from an empty one. Most sources have only one shape.
    package private(set) var shapes: [[Bool]]
    private var shapeNumbers: [[Bool]: Int]
    private var lastShape = 0
    /// The shape of each row, if there are several; else all rows have the first shape.
    package private(set) var shapeOfRow: [Int] = []
    /// By the row's position.
    package private(set) var states: [Int: States] = [:]
    package private(set) var rejects: [Reject] = []
    package private(set) var deletions: [ImportedDeletion] = []
    /// Findings about rows that are imported nevertheless.
    package var notes: [Finding] = []
    /// By field: values with fewer digits in the replica than in the source.
    package private(set) var roundings: [String: Rounding] = [:]
    /// Rows that were read and left out on purpose.
    package private(set) var filtered = 0

    package init(entity: String, fields: [Int], place: Place, raw: RawCells) {
        (self.entity, self.fields, self.place, self.raw) = (entity, fields, place, raw)
        rows = RowBatch(columnCount: fields.count)
        shapes = [[Bool](repeating: true, count: fields.count)]
        shapeNumbers = [shapes[0]: 0]
    }

    /// The number of the source's rows in the batch.
    package var count: Int { rows.rowCount + rejects.count + deletions.count + filtered }
    package var isFull: Bool { rows.isFull || raw.bytes.count >= 1 << 17 || filtered >= 4096 || rejects.count >= 256 }
    package var isEmpty: Bool { count == 0 && notes.isEmpty }

    package mutating func removeAll() {
        rows.removeAll()
        raw.removeAll()
        lines.removeAll(keepingCapacity: true)
        pointers.removeAll(keepingCapacity: true)
        shapeOfRow.removeAll(keepingCapacity: true)
        states.removeAll()
        rejects.removeAll()
        deletions.removeAll()
        notes.removeAll()
        roundings.removeAll()
        filtered = 0
    }

    package mutating func round(_ rounding: Rounding, field: String) {
        if roundings[field] == nil { roundings[field] = rounding } else { roundings[field]?.count += rounding.count }
    }

    package mutating func filter() { filtered += 1 }
    package mutating func reject(_ reject: Reject) { rejects.append(reject) }

    /// Sets the id of the first import of all rows, for a retry of rejected rows.
    package mutating func setOrigin(_ importID: String) {
        place.origin = importID
        for index in rejects.indices { rejects[index].place.origin = importID }
    }

    package mutating func delete(_ deletion: ImportedDeletion) { deletions.append(deletion) }

    /// Ends the row whose cells were appended to `rows` and to `raw`.
    ///
    /// - Parameter shape: the columns for which the row contains a value; nil: all.
    package mutating func endRow(line: Int?, pointer: String? = nil, shape: [Bool]? = nil, states: States? = nil) {
        if let shape {
            // Most rows have the columns of the previous row, in the same array.
            if shapes[lastShape] != shape { lastShape = number(of: shape) }
            while shapeOfRow.count < rows.rowCount { shapeOfRow.append(0) }
            shapeOfRow.append(lastShape)
        }
        if let pointer {
            while pointers.count < rows.rowCount { pointers.append(nil) }
            pointers.append(pointer)
        }
        if let states { self.states[rows.rowCount] = states }
        rows.endRow()
        raw.endRow()
        lines.append(line)
    }

    private mutating func number(of shape: [Bool]) -> Int {
        if let known = shapeNumbers[shape] { return known }
        shapes.append(shape)
        shapeNumbers[shape] = shapes.count - 1
        return shapes.count - 1
    }

    /// Removes the cells of the unfinished row.
    package mutating func dropOpenRow() {
        rows.dropOpenRow()
        raw.dropOpenRow()
    }

    package func shape(of row: Int) -> Int { row < shapeOfRow.count ? shapeOfRow[row] : 0 }
    package func pointer(of row: Int) -> String? { row < pointers.count ? pointers[row] : nil }

    /// The column of a field of the entity, by the field's position.
    package func column(ofField position: Int) -> Int? { fields.firstIndex(of: position) }

    /// The place of a row in its source, with its id.
    package func place(of row: Int) -> Place {
        var place = place
        (place.line, place.pointer, place.id) = (lines[row], pointer(of: row), rows.string(row, fields.count - 1))
        return place
    }

    /// The batch with other values in some cells: by row, then by column. A cell with a new value
    /// is no longer absent.
    package func replacing(_ values: [Int: [Int: MemoryRows.Value]]) -> ImportedBatch {
        guard !values.isEmpty else { return self }
        var result = ImportedBatch(
            entity: entity, fields: fields, place: place, raw: RawCells(headings: raw.headings, isText: raw.isText))
        for row in 0..<rows.rowCount { result.append(row, of: self, replacing: values[row] ?? [:]) }
        (result.rejects, result.deletions, result.notes, result.filtered) = (rejects, deletions, notes, filtered)
        result.roundings = roundings
        (result.operation, result.match) = (operation, match)
        return result
    }

    /// Appends a row of another batch with the same columns, with other values in some of them.
    package mutating func append(_ row: Int, of other: ImportedBatch, replacing values: [Int: MemoryRows.Value] = [:]) {
        for column in 0..<fields.count { rows.append(values[column] ?? other.rows.value(row, column)) }
        raw.append(row, of: other.raw)
        var shape = other.shapes[other.shape(of: row)]
        for column in values.keys { shape[column] = true }
        endRow(line: other.lines[row], pointer: other.pointer(of: row), shape: shape, states: other.states[row])
    }

    /// Moves everything except rows from another batch.
    package mutating func takeRest(of other: ImportedBatch) {
        rejects += other.rejects
        deletions += other.deletions
        notes += other.notes
        for (field, rounding) in other.roundings { round(rounding, field: field) }
        filtered += other.filtered
    }
}

/// The result of reading consecutive rows (a stretch) of one table of a source: a batch for each
/// entity.
package struct ImportedStretch: Sendable {
    /// Rows of the table; each may feed several batches.
    package var read = 0
    package var batches: [ImportedBatch]

    package init(_ batches: [ImportedBatch], read: Int = 0) { (self.batches, self.read) = (batches, read) }

    /// Whether the stretch has enough rows to be passed on.
    package var isFull: Bool { read >= 4096 || batches.contains(where: \.isFull) }
    package var isEmpty: Bool { read == 0 && batches.allSatisfy(\.isEmpty) }

    package mutating func removeAll() {
        read = 0
        for index in batches.indices { batches[index].removeAll() }
    }
}

extension RowBatch {
    /// A cell as a separate value. Not for bulk work.
    package func value(_ row: Int, _ column: Int) -> MemoryRows.Value {
        let cell = cell(row, column)
        return switch cell.kind {
        case .null: .null
        case .integer: .integer(cell.integer)
        case .real: .real(cell.real)
        case .text: .text(string(row, column) ?? "")
        }
    }

    package mutating func append(_ value: MemoryRows.Value) {
        switch value {
        case .null: appendNull()
        case .integer(let integer): append(integer)
        case .real(let real): append(real)
        case .text(let text): append(text)
        }
    }
}

/// The effect of a source's row on the rows read before it.
package enum RowOperation: String, Sendable, Hashable, CaseIterable {
    /// No effect: it is a further row.
    case add
    /// Replaces the row with its id, or is a further row if there is none.
    case replace
    /// Deletes the row with its id.
    case delete
}

/// A record that was deleted at the source.
package struct ImportedDeletion: Sendable {
    package var entity: String
    package var id: String
    /// The source's message about the deletion, a JSON object with `"deleted": true`.
    package var remote: String
    package var place: Place

    package init(entity: String, id: String, remote: String, place: Place) {
        (self.entity, self.id, self.remote, self.place) = (entity, id, remote, place)
    }
}

/// The outcome of an imported row.
package enum ImportOutcome: String, Sendable, Codable, CaseIterable {
    case imported, updated, unchanged
    /// The replica's row differs, and remains unchanged by the import's policy.
    case skipped
    case conflict, rejected
    /// Stored until its rejected record is imported.
    case waiting
    /// Left out on purpose: a blank row, a row excluded by a mapping's filter, or a repetition of
    /// another row's result.
    case filtered
}

/// Receives imported rows. At the end, either all of them are in the replica or none.
package protocol ImportTarget: AnyObject {
    /// Begins the reading of a table, by its place in the source. Returns the number of rows at the
    /// table's start that an earlier, killed run already stored; the caller skips them.
    func begin(table: Int) throws -> Int
    /// Stores all of a stretch: rows, rejected rows, deletions and findings. The outcome of a row
    /// is known only after everything was read. The stretch is empty afterwards.
    func store(_ stretch: inout ImportedStretch) throws
}
