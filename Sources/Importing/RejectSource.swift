import JSONReading
package import Model

/// Rejected rows as a source: rows in the quarantine are converted and stored like any other rows.
package final class RejectSource: Source {
    package struct Row: Sendable {
        package var id: String
        package var entity: String
        package var raw: String
        package var place: Place
        /// The values that the rows around it supplied when it was rejected.
        package var around: String?
        /// The source that the row came from; nil where it is unknown.
        package var origin: RejectOrigin?
        /// The id of its record, if it was known when the row was rejected.
        package var record: String?
        package var cause: Cause?

        package init(
            id: String, entity: String, raw: String, place: Place, around: String? = nil, origin: RejectOrigin? = nil, record: String? = nil,
            cause: Cause? = nil
        ) {
            (self.record, self.cause) = (record, cause)
            self.around = around
            self.origin = origin
            self.id = id
            self.entity = entity
            self.raw = raw
            self.place = place
        }
    }

    /// Another rejected row that a row depends on.
    package struct Cause: Sendable {
        package var entity: String
        package var record: String?
        package var place: Place
        /// Its present contents; nil where it is not retried.
        package var raw: String?

        package init(entity: String, record: String?, place: Place, raw: String?) {
            (self.entity, self.record, self.place, self.raw) = (entity, record, place, raw)
        }
    }

    package let tables: [SourceTable]
    /// Photos of the rows that have been read so far.
    package var photos: [SourcePhoto] { pictures.photos }
    package let findings: [Finding] = []
    package var lastFindings: [Finding] { sources.findings }
    private let sources: MappedReject.Sources
    private let pack: Pack
    private let origins: [String: RejectOrigin]
    private let pictures: RejectPhotos

    /// Parents come before children, as in the pack; rows of one entity keep the order of their
    /// source.
    ///
    /// - Parameters:
    ///   - own: files in a folder of tables that do not belong to it.
    ///   - begin: called with each row's id before the row is passed on; not called for rows that
    ///     stay rejected unchanged.
    package init(
        _ rows: [Row], pack: Pack, keys: any RecordKeys, pictures: RejectPhotos, limits: TableLimits = TableLimits(), own: ReplicaFiles = ReplicaFiles(),
        begin: @escaping (String) throws -> Void
    ) {
        self.pictures = pictures
        let entities = pack.entities.map(\.name)
        let sources = MappedReject.Sources(pack: pack, keys: keys, limits: limits, own: own)
        (self.sources, self.pack) = (sources, pack)
        origins = Dictionary(rows.compactMap { row in row.origin.map { ($0.importID, $0) } }, uniquingKeysWith: { first, _ in first })
        let known = Set(entities)
        let unknown = Set(rows.map(\.entity)).subtracting(known).sorted()
        tables = (entities + unknown).compactMap { entity in
            let own = rows.filter { $0.entity == entity }.enumerated()
                .sorted { ($0.element.place.line ?? 0, $0.offset) < ($1.element.place.line ?? 0, $1.offset) }.map(\.element)
            guard !own.isEmpty else { return nil }
            return SourceTable(name: entity, file: own[0].place.file ?? "") { _, take in
                for row in own {
                    let reject = MappedReject(row, pack: pack, sources: sources)
                    if let reject, reject.isHeld(sources) { continue }
                    try begin(row.id)
                    let mapped = try reject?.converted()
                    var stretch = try mapped?.stretch ?? Self.converted(row, entity, pack)
                    for index in stretch.batches.indices {
                        guard let description = pack.entity(entity) else { continue }
                        try pictures.complete(&stretch.batches[index], of: description, mapped: mapped?.photo)
                    }
                    try take(&stretch)
                }
            }
        }
    }

    /// The human-readable key of the record that one of the row's fields refers to; nil where the
    /// row does not state it.
    package func parentName(_ field: String, raw: String, place: Place, around: String?) -> String? {
        let row = Row(id: "", entity: place.table ?? "", raw: raw, place: place, around: around, origin: place.origin.flatMap { origins[$0] })
        return (try? MappedReject(row, pack: pack, sources: sources)?.parentKey(field)) ?? nil
    }

    /// Converts a row whose values are stored by field name.
    private static func converted(_ row: Row, _ entity: String, _ pack: Pack) throws -> ImportedStretch {
        let made = RowFaults.taken(from: sourceRow(row))
        var stretch = ImportedStretch([], read: 1)
        try SourceTable(made: [made], of: entity, file: made.file, pack: pack).read(0) { stretch = $0 }
        return stretch
    }

    private static func sourceRow(_ row: Row) -> SourceRow {
        let (file, line, pointer) = (row.place.file ?? "", row.place.line, row.place.pointer)
        guard let value = try? JSONValue.parse(row.raw), case .object = value else {
            // The line was not a JSON object: its text is stored as a JSON string.
            let text = (try? JSONValue.parse(row.raw))?.text ?? row.raw
            if let value = try? JSONValue.parse(text), case .object = value {
                return SourceRow(value: value, file: file, line: line, pointer: pointer)
            }
            return SourceRow(value: .string(text), fault: "no JSON object", file: file, line: line, pointer: pointer)
        }
        return SourceRow(value: value, file: file, line: line, pointer: pointer)
    }
}
