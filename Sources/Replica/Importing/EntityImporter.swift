import Databases
import GRDB
import Model

/// The statements that import rows of one entity, and the comparison of its rows.
final class EntityImporter {
    /// A row of the replica.
    struct Existing {
        var values: [MemoryRows.Value]
        var syncState: SyncState
        /// Whether the only change since the last sync is a mark that Fichero set.
        var isOwnMark: Bool
        var stamp: Int64
        /// The replica's system columns as JSON, from which an undo restores them.
        var states: String

        static let stateColumns: [SystemColumn] = [
            .syncState, .ownMark, .contentStamp, .localVersion, .importSource, .importRow, .remoteUpdatedAt,
        ]

        /// - Parameter column: the first of `stateColumns` in the statement.
        static func states(_ row: PreparedStatement, from column: Int) -> String {
            var json = RowJSON()
            for (index, name) in stateColumns.enumerated() { json.add(name.rawValue, row.value(column + index)) }
            return json.text
        }
    }

    let entity: Entity
    let reader: RowReader
    let photo: PhotoColumns
    var counts = ImportCounts()
    /// Position of the time at which a profile was last validated. A file may supply the first
    /// value, but never change it.
    private let ownTime: Int?
    /// Position of the time at which a row was last changed.
    private let changedAt: Int?
    /// Position of the text field by which people refer to a row.
    private let name: Int?
    /// Positions of the client's numbers that an export gave and a file without them leaves alone.
    private let keptNumbers: Set<Int>
    private let select: PreparedStatement
    private let update: PreparedStatement
    private let markConflict: PreparedStatement
    private let owners: [(machine: StateMachine, state: PreparedStatement)]
    private let origin: ChangeOrigin

    init(
        _ db: Database, pack: Pack, entity: Entity, reader: RowReader, origin: ChangeOrigin, isExchange: Bool = false
    ) throws {
        self.origin = origin
        self.entity = entity
        self.reader = reader
        photo = PhotoColumns(entity)
        ownTime = entity.name == "profiles" ? entity.fields.firstIndex { $0.name == "cached_at" } : nil
        changedAt = entity.position(ofField: "updated_at")
        name = entity.keyText.flatMap { entity.position(ofField: $0.name) }
        let numbers = pack.numberings.filter { $0.entity == entity.name }.compactMap(\.field)
        keptNumbers = origin == .file && !isExchange ? Set(numbers.compactMap { entity.position(ofField: $0) }) : []
        let table = SQLText.name(entity.name)
        let names = entity.fields.map(\.name)
        select = try PreparedStatement(
            db, "SELECT \(SQLText.names(Existing.stateColumns.map(\.rawValue) + names)) FROM \(table) WHERE id = ?")
        update = try PreparedStatement(
            db,
            """
            UPDATE \(table) SET \(names.dropFirst().map { SQLText.name($0) + " = ?" }.joined(separator: ", ")), \
            sync_state = 'pending_upload', key_text = ?, content_stamp = ?, own_mark = CASE WHEN ? \
            THEN sync_state = 'synced' OR own_mark = 1 ELSE 0 END, local_version = local_version + 1 WHERE id = ?
            """)
        markConflict = try PreparedStatement(db, "UPDATE \(table) SET sync_state = 'conflict' WHERE id = ?")
        owners = try Self.owners(db, pack: pack, entity: entity)
    }

    /// The state machines that apply to a row, from the row's up to its project's, each with the
    /// statement that reads the state.
    private static func owners(_ db: Database, pack: Pack, entity: Entity) throws -> [(
        machine: StateMachine, state: PreparedStatement
    )] {
        var steps: [(machine: StateMachine, state: PreparedStatement)] = []
        var owner: Entity? = entity
        var id = "?1"
        let parts = entity.projectPath?.parts.filter { $0 != "id" } ?? []
        for part in parts.map(Optional.some) + [nil] {
            guard let current = owner else { break }
            let table = "main." + SQLText.name(current.name)
            if let states = current.states {
                steps.append(
                    (
                        states,
                        try PreparedStatement(db, "SELECT \(SQLText.name(states.field)) FROM \(table) WHERE id = \(id)")
                    ))
            }
            guard let part else { break }
            id = "(SELECT \(SQLText.name(part)) FROM \(table) WHERE id = \(id))"
            owner = current.field(part)?.references.flatMap { pack.entity($0) }
        }
        return steps
    }

    func existing(_ id: String) throws -> Existing? {
        try select.bind(id, at: 1)
        defer { select.reset() }
        guard try select.step() else { return nil }
        return Existing(
            values: (Existing.stateColumns.count..<select.columnCount).map(select.value),
            syncState: select.text(0).flatMap(SyncState.init) ?? .error, isOwnMark: select.integer(1) == 1,
            stamp: select.integer(2),
            states: Existing.states(select, from: 0))
    }

    /// Whether a file's row contains no value that differs from the replica's row.
    func isSame(_ values: [MemoryRows.Value?], as existing: [MemoryRows.Value]) -> Bool {
        for (index, value) in values.enumerated() {
            guard let value, value != existing[index] else { continue }
            // A file that differs only in the time of the last change contains nothing new.
            if origin != .person, index == changedAt { continue }
            if (index == photo.path && origin != .person) || (index == ownTime && existing[index] != .null)
                || (value == .null && (index == photo.sha256 || index == photo.bytes || keptNumbers.contains(index)))
            {
                continue
            }
            if !isBeforeOwnMark(value, existing[index], index), !isSameName(value, existing[index], index) {
                return false
            }
        }
        return true
    }

    /// The existing row overlaid with the file's values. The path of a photo's file in this replica
    /// is not overwritten, unless a person gives the row another file.
    func merged(_ values: [MemoryRows.Value?], over existing: [MemoryRows.Value]) -> [MemoryRows.Value] {
        existing.enumerated().map { index, old in
            ((index == photo.path && origin != .person) || index == ownTime) && old != .null
                || isBeforeOwnMark(values[index], old, index) || isSameName(values[index], old, index)
                || (values[index] == .null && keptNumbers.contains(index))
                ? old : values[index] ?? old
        }
    }

    /// Whether two texts are one name in different spellings. In a file this is not a change; from
    /// a person it is.
    private func isSameName(_ value: MemoryRows.Value?, _ old: MemoryRows.Value, _ index: Int) -> Bool {
        guard index == name, origin != .person, case .text(let new)? = value, case .text(let old) = old else {
            return false
        }
        return KeyText.form(of: new) == KeyText.form(of: old)
    }

    /// Whether a file's value is the state from before Fichero marked the record as exported. A
    /// value that a person sets always counts as a change.
    private func isBeforeOwnMark(_ value: MemoryRows.Value?, _ old: MemoryRows.Value, _ index: Int) -> Bool {
        guard origin != .person, let states = entity.states, entity.fields[index].name == states.field,
            let exported = states.exported
        else { return false }
        return value == .text(exported.from) && old == .text(exported.to)
    }

    /// - Parameter isCorrection: whether a person corrects the row. A row that the server had
    ///   confirmed can still be delivered after the correction; the person is responsible for it.
    func update(_ id: String, to values: [MemoryRows.Value], stamp: Int64, isCorrection: Bool = false) throws {
        for (index, value) in values.enumerated().dropFirst() { try update.bind(value, at: index) }
        let name = name.flatMap { values[$0] == .null ? nil : values[$0].shown }
        try update.bind(name.flatMap { KeyText.stored(of: $0) }, at: values.count)
        try update.bind(.integer(stamp), at: values.count + 1)
        try update.bind(.integer(isCorrection ? 1 : 0), at: values.count + 2)
        try update.bind(id, at: values.count + 3)
        try update.run()
    }

    func markConflict(_ id: String) throws {
        try markConflict.bind(id, at: 1)
        try markConflict.run()
    }

    /// Fields that differ between two states of a row.
    func differences(_ after: [MemoryRows.Value], from before: [MemoryRows.Value]) -> [RowDifference] {
        zip(entity.fields, zip(before, after)).compactMap { field, values in
            values.0 == values.1 ? nil : RowDifference(field: field.name, before: values.0.shown, after: values.1.shown)
        }
    }

    /// The values that were replaced, as JSON; they are decoded according to the fields' types.
    func before(_ differences: [RowDifference]) -> String {
        var json = RowJSON()
        for difference in differences {
            json.add(difference.field, difference.before.map(MemoryRows.Value.text) ?? .null)
        }
        return json.text
    }

    /// Values before and after a change to a closed record, for the activity log.
    func trail(of differences: [RowDifference], reason: String?) -> String {
        var after = RowJSON()
        for difference in differences {
            after.add(difference.field, difference.after.map(MemoryRows.Value.text) ?? .null)
        }
        return "{\"after\":\(after.text),\"before\":\(before(differences))"
            + (reason.map { ",\"reason\":" + RowJSON.quoted($0) } ?? "") + "}"
    }

    /// The states of a row and of its owners, beginning with the row's.
    ///
    /// - Parameter own: a state to use instead of the row's state in the replica.
    func states(of id: String, own: String? = nil) throws -> [Judge.RowState] {
        try owners.enumerated().compactMap { number, owner in
            if number == 0, entity.states != nil, let own { return (owner.machine, own) }
            try owner.state.bind(id, at: 1)
            defer { owner.state.reset() }
            return try owner.state.step() ? owner.state.text(0).map { (owner.machine, $0) } : nil
        }
    }

    /// The values that the file contains for the row, as JSON in the order of the fields.
    ///
    /// - Parameter version: version of a remote row whose table has no field for it.
    func json(_ values: [MemoryRows.Value?], version: String? = nil) -> String {
        var json = RowJSON()
        for (field, value) in zip(entity.fields, values) {
            if let value { json.add(field.name, value) }
        }
        if let version, changedAt == nil { json.add("updated_at", .text(version)) }
        return json.text
    }
}

/// Positions of an entity's fields that describe a photo's file.
struct PhotoColumns {
    let path: Int?
    let sha256: Int?
    let bytes: Int?

    /// `path` is the file's path in this replica's photo store, which an external file cannot know.
    init(_ entity: Entity) {
        func position(_ fact: Entity.FileFact) -> Int? { entity.file[fact].flatMap { entity.position(ofField: $0) } }
        (path, sha256, bytes) = (position(.path), position(.sha256), position(.bytes))
    }

    var isPhoto: Bool { path != nil }
}

extension MemoryRows.Value {
    /// The value formatted for display; nil for null.
    var shown: String? {
        switch self {
        case .null: nil
        case .integer(let integer): String(integer)
        case .real(let real): real.description
        case .text(let text): text
        }
    }
}
