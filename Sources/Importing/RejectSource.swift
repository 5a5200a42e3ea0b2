import Foundation
import JSONReading
package import Model

/// Rejected rows as a source: rows in the quarantine are converted and stored like any other rows.
package final class RejectSource: Source {
    package struct Row: Sendable {
        package var id: String
        package var entity: String
        package var raw: String
        package var place: Place
        /// Values that neighbouring rows supplied when the row was rejected.
        package var around: String?
        /// The source that the row came from; nil if it is unknown.
        package var origin: RejectOrigin?
        /// The id of its record, if it was known when the row was rejected.
        package var record: String?
        package var cause: Cause?

        package init(
            id: String, entity: String, raw: String, place: Place, around: String? = nil, origin: RejectOrigin? = nil,
            record: String? = nil,
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
        /// Present contents of that row; nil if that row is not retried.
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

    /// Rows of parent entities precede those of children, as in the pack; rows of one entity keep
    /// the order of their source.
    ///
    /// - Parameters:
    /// - own: the replica's files, which are skipped if they are in a folder of tables.
    ///   - begin: called with each row's id before the row is passed on; not called for rows that
    ///     stay rejected unchanged.
    package init(
        _ rows: [Row], pack: Pack, keys: any RecordKeys, pictures: RejectPhotos, limits: TableLimits = TableLimits(),
        own: ReplicaFiles = ReplicaFiles(),
        begin: @escaping (String) throws -> Void
    ) {
        self.pictures = pictures
        let entities = pack.entities.map(\.name)
        let sources = MappedReject.Sources(pack: pack, keys: keys, limits: limits, own: own)
        (self.sources, self.pack) = (sources, pack)
        origins = Dictionary(
            rows.compactMap { row in row.origin.map { ($0.importID, $0) } }, uniquingKeysWith: { first, _ in first })
        let known = Set(entities)
        let unknown = Set(rows.map(\.entity)).subtracting(known).sorted()
        tables = (entities + unknown).compactMap { entity in
            let own = rows.filter { $0.entity == entity }.enumerated()
                .sorted { ($0.element.place.line ?? 0, $0.offset) < ($1.element.place.line ?? 0, $1.offset) }.map(
                    \.element)
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

    /// The human-readable key of the record that one of the row's fields refers to; nil if the row
    /// does not contain it.
    package func parentName(_ field: String, raw: String, place: Place, around: String?) -> String? {
        let row = Row(
            id: "", entity: place.table ?? "", raw: raw, place: place, around: around,
            origin: place.origin.flatMap { origins[$0] })
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

/// The source from which rejected rows were imported, and the settings for reading it.
package struct RejectOrigin: Sendable {
    /// The import that first read the rows.
    package var importID: String
    package var reading: SourceReadOptions
    /// SHA-256 of the source as it was imported; nil if it was not recorded.
    package var sha256: String?

    package init(importID: String, reading: SourceReadOptions, sha256: String?) {
        (self.importID, self.reading, self.sha256) = (importID, reading, sha256)
    }

    enum Trouble: String {
        case gone = "IMPORT-SOURCE-GONE"
        case changed = "IMPORT-SOURCE-CHANGED"
    }

    /// Opens the source, if its content has not changed since the import.
    func open(_ limits: TableLimits, leavingOut own: ReplicaFiles) -> Result<any TableFile, Trouble> {
        guard var location = try? SourceLocation(path: reading.path) else { return .failure(.gone) }
        location.own = own
        guard let digest = try? location.digest() else { return .failure(.gone) }
        guard sha256 == nil || digest == sha256 else { return .failure(.changed) }
        var options = reading.options(limits)
        options.own = own
        guard let file = try? TableFiles.openFileOrFolder(path: reading.path, options: options) else {
            return .failure(.gone)
        }
        return .success(file)
    }
}

extension RejectOrigin.Trouble: Error {}

/// Valid names in a rejected row: those of its file's columns, or of its table's fields.
package struct RejectNames {
    /// Names to display: those that the row has, or the fields that may be set.
    package let names: [String]
    private let accepted: Set<String>
    private let isOfColumns: Bool

    /// Nil if the names are unknown, as for rows of a mapping that the pack does not contain.
    package init?(in keys: [String], entity: String?, mapping address: String?, pack: Pack) {
        if let address, !address.hasPrefix("entity ") {
            guard let mapping = pack.mapping(MappingIdentity(ofAddress: address).name) else { return nil }
            // A row may end before its table's last column.
            let others = mapping.tables.flatMap(\.allHeadings) + mapping.forms.flatMap { form in
                    form.values.map(\.name) + form.tables.flatMap { $0.columns.map(\.name) }
                        + ImportMapping.FormTarget.photoColumns
            }
            (names, isOfColumns) = (keys, true)
            accepted = Set((keys + others).map(ColumnName.normal))
        } else {
            guard let entity = pack.entities.first(where: { $0.name == entity || $0.aliases.contains(entity ?? "") })
            else { return nil }
            (names, isOfColumns) = (entity.fields.map(\.name), false)
            accepted = Set(keys + entity.fields.flatMap { [$0.name] + $0.otherNames })
        }
    }

    package func contains(_ name: String) -> Bool {
        isOfColumns ? accepted.contains(ColumnName.normal(name)) : accepted.contains(name) || RowStateName(name) != nil
    }
}

/// The fields for which a rejected row's values are meant, found by the names of its columns. A
/// value in the quarantine is hidden from the same actors as its field.
package struct RejectColumns {
    /// Fields by the name of their column, or by a pattern of names with `*`.
    private var known: [(name: String, field: Field)] = []

    /// - Parameters:
    ///   - address: the mapping that read the row; nil if it was read by names of fields.
    ///   - pack: the pack with that mapping; if the mapping is missing, no column is known.
    package init(entity: String?, mapping address: String?, in pack: Pack) {
        if let address, !address.hasPrefix("entity ") {
            let identity = MappingIdentity(ofAddress: address)
            guard let mapping = pack.mapping(identity.text) ?? pack.mapping(identity.name) else { return }
            for target in mapping.tables.flatMap(\.targets) + mapping.forms.flatMap(\.rows).map(\.target) {
                for field in target.fields { add(field, of: pack.entity(target.entity), pack) }
            }
        } else {
            let entity = pack.entities.first { $0.name == entity || $0.aliases.contains(entity ?? "") }
            for field in entity?.fields ?? [] {
                known += ([field.name] + field.otherNames + field.synonyms).map { ($0, field) }
            }
        }
    }

    private mutating func add(_ read: ImportMapping.Field, of entity: Entity?, _ pack: Pack) {
        // A parent record is found by the values of its fields.
        if case .parent(let owner, let by) = read.value { by.forEach { add($0, of: pack.entity(owner), pack) } }
        guard let field = entity?.field(read.name) else { return }
        known += read.headings.map { ($0.replacing("{n}", with: "*"), field) }
    }

    /// Empty if the column is not imported, or its field is unknown.
    package func fields(of column: String) -> [Field] {
        known.filter { ColumnName.matches(column, $0.name) }.map(\.field)
    }
}
