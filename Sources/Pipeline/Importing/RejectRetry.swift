import Importing
import JSONReading
package import Model
package import Replica

/// Retries rejected rows, in one transaction: each leaves the quarantine first and returns to it if
/// it is rejected again. Rows of the sync partner are imported as received rows, in one transaction
/// for each package.
package struct RejectRetry {
    package let scope: RunScope
    package let policy: ImportPolicy
    /// The reason for changing closed records; nil when they may not be changed.
    package let reason: String?
    /// Folders in which pictures of rows are searched first.
    package let photoFolders: [String]

    package init(scope: RunScope, policy: ImportPolicy, reason: String?, photoFolders: [String]) {
        (self.scope, self.policy, self.reason, self.photoFolders) = (scope, policy, reason, photoFolders)
    }

    package func run(_ rows: [RejectedRow]) throws -> ImportResult {
        let (sources, received) = (try scope.replica.sources(of: rows), try scope.replica.receivedRejects(among: rows))
        let groups = Dictionary(grouping: rows) { row in
            let version = sources[row.firstImportID]?.reading.flatMap(SourceReadOptions.init(json:))?.exchangeVersion
            return version.map { received.contains(row.id) ? .received($0) : .edited } ?? Group.file
        }
        // Rows from other files come first, then edited rows, then packages, the oldest first.
        let order = groups.keys.sorted { $0.rank < $1.rank }
        guard let first = order.first else { return try run(rows, of: .file, sources) }
        var result = try run(groups[first] ?? [], of: first, sources)
        for group in order.dropFirst() {
            let next = try run(groups[group] ?? [], of: group, sources)
            result.report.add(next.report)
            result.photos += next.photos
            result.findings += next.findings
        }
        return result
    }

    /// The origin of rows.
    private enum Group: Hashable {
        case file
        /// A package of the sync partner, and a person has edited the rows since.
        case edited
        /// A package of the sync partner, with its creation time.
        case received(String)

        var rank: String {
            switch self {
            case .file: ""
            case .edited: "-"
            case .received(let version): version
            }
        }
    }

    private func run(_ rows: [RejectedRow], of group: Group, _ sources: [String: RejectedRow.Source]) throws
        -> ImportResult
    {
        let session = scope.session
        let findings = FindingList()
        var request = ImportRequest(
            runID: scope.context.id, source: "rejects", sha256: nil, format: "rejects", actor: scope.context.actor,
            environment: scope.context.environment, startedAt: scope.context.asOf, policy: policy, maximumErrors: nil,
            isDryRun: false,
            reason: reason)
        if case .received(let version) = group {
            request.exchange = ExchangeTerms(version: version)
            request.reading = try SourceReadOptions(path: request.source, ofExchange: version).json
        }
        // The sync partner's states apply only to the unedited row.
        request.deniesStates = group == .edited
        let keys = try scope.replica.naturalKeys(for: scope.context.actor)
        let photos = PhotoHandover(session, findings: findings)
        let pictures = RejectPhotos(
            folders: photoFolders, store: PhotoStore(beside: session.replicaPath), limits: session.limits.packages)
        let pack = try MappingFile.pack(for: rows.compactMap(\.place.mapping), session, findings: findings) { code in
            try session.projectIDs(of: scope.context.actor, code, scope.replica).first
        }
        let causes = causes(of: rows)
        var tried: RejectSource?
        request.parentName = { tried?.parentName($0, raw: $1, place: $2, around: $3) }
        let report = try scope.replica.importRows(
            request, findings: findings, finishedAt: { scope.context.asOf }, photos: photos.note
        ) { target in
            let source = RejectSource(
                rows.map {
                    RejectSource.Row(
                        id: $0.id, entity: $0.entity ?? $0.place.table ?? "", raw: $0.raw, place: $0.place,
                        around: $0.around, origin: origin(of: $0, sources),
                        record: $0.record, cause: $0.waitsFor.flatMap { causes[$0] })
                }, pack: pack, keys: keys, pictures: pictures, limits: session.limits, own: session.replicaFiles
            ) { try target.closeReject($0) }
            tried = source
            let lookup = scope.replica.rowLookup()
            defer { lookup.close() }
            _ = try Importer(pack: session.pack, parent: lookup.parent).run(
                source, into: target, findings: findings, progress: session.display.show)
            try photos.hand(source.photos, to: target, in: scope.replica)
        }
        photos.confirm()
        return ImportResult(
            source: request.source, format: request.format, dryRun: false, report: report, photos: photos.attached,
            findings: findings.findings)
    }

    /// The rejected rows for which other rows wait, by row id.
    private func causes(of rows: [RejectedRow]) -> [String: RejectSource.Cause] {
        let tried = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var causes: [String: RejectSource.Cause] = [:]
        for id in Set(rows.compactMap(\.waitsFor)) {
            guard let row = tried[id] ?? (try? scope.replica.reject(id, seenBy: scope.context.actor)) else { continue }
            causes[id] = RejectSource.Cause(
                entity: row.entity ?? row.place.table ?? "", record: row.record, place: row.place,
                raw: tried[id] == nil ? nil : row.raw)
        }
        return causes
    }

    /// The row's origin. Older versions of Fichero did not record it in a retry: then only the
    /// row's file is known.
    private func origin(of row: RejectedRow, _ sources: [String: RejectedRow.Source]) -> RejectOrigin? {
        guard let source = sources[row.firstImportID] else { return nil }
        if let reading = source.reading.flatMap(SourceReadOptions.init(json:)) {
            return RejectOrigin(importID: row.firstImportID, reading: reading, sha256: source.sha256)
        }
        return source.sha256.map {
            RejectOrigin(importID: row.firstImportID, reading: SourceReadOptions(path: source.path), sha256: $0)
        }
    }
}

/// A person's edit of a rejected row.
package struct RejectEdit {
    /// `name=value`, the value as JSON or as plain text.
    package let set: [String]
    /// The whole row, replaced.
    package let raw: String?

    package init(set: [String], raw: String?) { (self.set, self.raw) = (set, raw) }

    /// The row's text after the edit: a JSON object.
    ///
    /// - Parameter entity: the row's new table; nil when it does not change.
    package func applied(to row: RejectedRow, entity: String?, pack: Pack) throws -> String {
        let text = raw ?? row.raw
        guard var members = (try? JSONValue.parse(text))?.members else {
            throw raw == nil ? RejectFailure.noObject(row.id) : RejectFailure.badEdit(text)
        }
        guard !set.isEmpty || raw != nil else { throw RejectFailure.badEdit("") }
        let names = RejectNames(
            in: members.map(\.key), entity: entity ?? row.entity ?? row.place.table, mapping: row.place.mapping,
            pack: pack)
        for change in set {
            guard let equals = change.firstIndex(of: "="), equals != change.startIndex else {
                throw RejectFailure.badEdit(change)
            }
            let (name, value) = (String(change[..<equals]), String(change[change.index(after: equals)...]))
            if let names, !names.contains(name) { throw RejectFailure.unknownName(name, known: names.names) }
            members.removeAll { $0.key == name }
            if !value.isEmpty {
                members.append(JSONValue.Member(key: name, value: (try? JSONValue.parse(value)) ?? .string(value)))
            }
        }
        return JSONValue.object(members).description
    }
}

/// Copies the pictures of a source into the photo store, passes their paths to the replica's
/// import, and records the outcome of each.
final class PhotoHandover {
    /// Number of pictures that were attached to rows.
    private(set) var attached = 0

    private let session: WorkSession
    private let findings: any FindingSink
    private var handed: [SourcePhoto] = []
    private var answered = 0

    init(_ session: WorkSession, findings: any FindingSink) {
        (self.session, self.findings) = (session, findings)
    }

    /// - Parameter isDryRun: nothing is written; only the paths are determined.
    func hand(_ photos: [SourcePhoto], to target: ImportStaging, in replica: Replica, isDryRun: Bool = false) throws {
        handed = photos
        let store = PhotoStore(beside: session.replicaPath)
        let intake = isDryRun || photos.isEmpty ? nil : try store.intake(importsBefore: replica.importCount())
        for photo in photos {
            let entity =
                session.pack.entities.first { $0.name == photo.entity || $0.aliases.contains(photo.entity) }?.name
                ?? photo.entity
            let kept = try intake?.keep(photo) ?? store.place(of: photo)
            try target.attachPhoto(
                ImportedPhoto(
                    entity: entity, id: photo.id, localPath: kept.relativePath, sha256: kept.sha256, bytes: kept.bytes))
        }
        try intake?.finish()
    }

    /// Confirms the pictures, after their rows have been imported.
    func confirm() { PhotoStore(beside: session.replicaPath).pending.forget() }

    /// Records the outcome of the next picture, in the order in which they were handed over.
    func note(_ photo: ImportedPhoto, _ outcome: PhotoAttachment) throws {
        defer { answered += 1 }
        switch outcome {
        case .attached: attached += 1
        case .unchanged, .refusedRow: break
        case .noSuchRow: try findings.add(finding("IMPORT-EXTRA-FILE", handed[answered], photo.entity))
        case .otherContent: try findings.add(finding("PHOTO-CHANGED", handed[answered], photo.entity))
        }
    }

    private func finding(_ code: String, _ photo: SourcePhoto, _ entity: String) -> Finding {
        Finding(code, place: Place(table: entity, id: photo.id, file: photo.path), arguments: ["name": photo.name])
    }
}
