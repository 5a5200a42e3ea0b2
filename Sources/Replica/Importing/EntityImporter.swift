import GRDB
import Model

/// The statements by which rows of one entity come in, and how such rows are compared.
final class EntityImporter {
    /// A row as the replica has it.
    struct Existing {
        var values: [MemoryRows.Value]
        var syncState: SyncState
        var isOwnMark: Bool
        var stamp: Int64

        /// A file never changes what the remote has confirmed, nor what waits for a decision.
        var isProtected: Bool {
            isOwnMark || syncState == .synced || syncState == .pendingDownload || syncState == .conflict
        }
    }

    let entity: Entity
    let reader: RowReader
    let photo: PhotoColumns
    var counts = ImportCounts()
    /// Position of the entity's id in `seen`.
    let number: Int64
    /// When this replica itself saw a profile validated: no file knows that.
    private let ownTime: Int?
    private let insert: PreparedStatement
    private let select: PreparedStatement
    private let update: PreparedStatement
    private let markConflict: PreparedStatement
    private let references: [(field: Int, target: String, exists: PreparedStatement)]

    init(_ db: Database, pack: Pack, entity: Entity, number: Int64, reader: RowReader) throws {
        self.entity = entity
        self.number = number
        self.reader = reader
        photo = PhotoColumns(entity)
        ownTime = entity.name == "profiles" ? entity.fields.firstIndex { $0.name == "cached_at" } : nil
        let table = SQLText.name(entity.name)
        let names = entity.fields.map(\.name)
        let marks = Array(repeating: "?", count: names.count + 4).joined(separator: ", ")
        insert = try PreparedStatement(
            db,
            """
            INSERT INTO \(table) (\(SQLText.names(names)), sync_state, local_version, remote_updated_at, content_stamp) VALUES (\(marks))
            ON CONFLICT (id) DO NOTHING
            """)
        select = try PreparedStatement(
            db, "SELECT sync_state, own_mark, content_stamp, \(SQLText.names(names)) FROM \(table) WHERE id = ?")
        update = try PreparedStatement(
            db,
            """
            UPDATE \(table) SET \(names.dropFirst().map { SQLText.name($0) + " = ?" }.joined(separator: ", ")), sync_state = ?, \
            content_stamp = ?, own_mark = 0, local_version = local_version + 1 WHERE id = ?
            """)
        markConflict = try PreparedStatement(db, "UPDATE \(table) SET sync_state = 'conflict' WHERE id = ?")
        references = try entity.fields.enumerated().compactMap { index, field in
            guard let target = field.references, field.type != .list else { return nil }
            return (index, target, try PreparedStatement(db, "SELECT 1 FROM \(SQLText.name(target)) WHERE id = ?"))
        }
    }

    /// Inserts a row with an id that is new; false when there is a row with this id.
    func insert(_ values: [MemoryRows.Value?], of row: ImportedRow, stamp: Int64) throws -> Bool {
        for (index, value) in values.enumerated() { try insert.bind(value ?? .null, at: index + 1) }
        try insert.bind((row.syncState ?? .localOnly).rawValue, at: values.count + 1)
        try insert.bind(.integer(row.localVersion ?? 1), at: values.count + 2)
        try insert.bind(row.remoteUpdatedAt, at: values.count + 3)
        try insert.bind(.integer(stamp), at: values.count + 4)
        return try insert.run() == 1
    }

    func existing(_ id: String) throws -> Existing? {
        try select.bind(id, at: 1)
        defer { select.reset() }
        guard try select.step() else { return nil }
        return Existing(
            values: (3..<select.columnCount).map(select.value), syncState: select.text(0).flatMap(SyncState.init) ?? .error,
            isOwnMark: select.integer(1) == 1, stamp: select.integer(2))
    }

    /// Whether a file's row says nothing that differs from the replica's row.
    func isSame(_ values: [MemoryRows.Value?], as existing: [MemoryRows.Value]) -> Bool {
        for (index, value) in values.enumerated() {
            guard let value, value != existing[index] else { continue }
            if index == photo.path || index == ownTime || (value == .null && (index == photo.sha256 || index == photo.bytes)) { continue }
            // The file is from before Fichero's own mark.
            if let states = entity.states, entity.fields[index].name == states.field, let exported = states.exported,
                value == .text(exported.from), existing[index] == .text(exported.to)
            {
                continue
            }
            return false
        }
        return true
    }

    /// The row as it is with the file's values over it; where a photo's file lies is the replica's own matter.
    func merged(_ values: [MemoryRows.Value?], over existing: [MemoryRows.Value]) -> [MemoryRows.Value] {
        existing.enumerated().map { index, old in (index == photo.path || index == ownTime) && old != .null ? old : values[index] ?? old }
    }

    func update(_ id: String, to values: [MemoryRows.Value], from state: SyncState, stamp: Int64) throws {
        for (index, value) in values.enumerated().dropFirst() { try update.bind(value, at: index) }
        try update.bind((state == .error ? SyncState.pendingUpload : state).rawValue, at: values.count)
        try update.bind(.integer(stamp), at: values.count + 1)
        try update.bind(id, at: values.count + 2)
        try update.run()
    }

    func markConflict(_ id: String) throws {
        try markConflict.bind(id, at: 1)
        try markConflict.run()
    }

    /// Whether some reference leads to a row that is not there, or that may yet be taken out again.
    func hasUnresolvedReference(_ values: [MemoryRows.Value], _ pending: PendingRows) throws -> Bool {
        for reference in references where values[reference.field] != .null {
            try reference.exists.bind(values[reference.field], at: 1)
            let exists = try reference.exists.step()
            reference.exists.reset()
            if try !exists || pending.contains(reference.target, values[reference.field]) { return true }
        }
        return false
    }

    /// What the file says of the row, as JSON in the order of the fields.
    func json(_ values: [MemoryRows.Value?]) -> String {
        var json = RowJSON()
        for (field, value) in zip(entity.fields, values) {
            if let value { json.add(field.name, value) }
        }
        return json.text
    }

    /// A value as its column stores it; nil when it is of another kind.
    static func stored(_ value: MemoryRows.Value, as type: FieldType) -> MemoryRows.Value? {
        switch (value, type) {
        case (.null, _): value
        case (.integer(let integer), .boolean): integer == 0 || integer == 1 ? value : nil
        case (.integer, .integer): value
        case (.real(let real), .integer): Int64(exactly: real).map(MemoryRows.Value.integer)
        case (.real(let real), .decimal): real.isFinite ? value : nil
        case (.integer(let integer), .decimal): .real(Double(integer))
        case (.text, .integer), (.text, .boolean), (.text, .decimal): nil
        case (.text, _): value
        default: nil
        }
    }
}

/// Which fields of an entity tell about a photo's file; positions in its fields.
struct PhotoColumns {
    let path: Int?
    let sha256: Int?
    let bytes: Int?

    /// Where the file lies in this replica's photo store, which no file from elsewhere can know.
    init(_ entity: Entity) {
        func position(_ names: [String]) -> Int? {
            names.lazy.compactMap { name in entity.fields.firstIndex { $0.name == name } }.first
        }
        let isLog = IndexPlan.logs.contains(entity.name)
        path = isLog ? nil : position(["local_path", "filepath"])
        sha256 = path == nil ? nil : position(["sha256"])
        bytes = path == nil ? nil : position(["bytes", "size", "size_bytes", "file_size"])
    }

    var isPhoto: Bool { path != nil }
}
