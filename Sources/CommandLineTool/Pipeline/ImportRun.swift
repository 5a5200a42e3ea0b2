import Foundation
import Importing
import Logging
import Model
import Replica

/// Brings one file or folder in: opens the source, hands its rows to the replica's import session, keeps its photos.
struct ImportRun {
    let scope: RunScope
    let policy: ImportPolicy
    let isDryRun: Bool
    let maximumErrors: Int?
    /// Why closed records may be changed; nil: they may not.
    var reason: String?
    /// Told of each row what becomes of it.
    var records: ((ImportRecord) throws -> Void)?

    private var session: CommandSession { scope.session }

    func bringIn(_ path: String, entity: String?) throws -> ImportCommand.Result {
        let location = try SourceLocation(path: path, entity: entity)
        let source = try SourceFormats.open(location, pack: session.pack)
        let findings = FindingList()
        let store = PhotoStore(beside: session.replicaPath)
        session.progress.begin(session.text("word.importing"), total: nil)
        defer { session.progress.end() }
        var photos = 0
        let digest = try location.digest()
        var request = ImportRequest(
            runID: scope.context.id, source: path, sha256: digest, format: SourceFormats.name(of: location) ?? "",
            actor: scope.context.actor, environment: scope.context.environment, startedAt: scope.context.asOf, policy: policy,
            maximumErrors: maximumErrors, isDryRun: isDryRun, reason: reason,
            resumeKey: digest.flatMap { resumeKey(location, digest: $0, entity: entity) })
        request.records = records
        // The whole source's own digest is known; a folder's files have theirs.
        request.digest = { file in file == location.url.path || file == path ? digest : try? FileDigest.sha256(ofFile: file) }
        let handed = source.photos
        var told = 0
        let report = try scope.replica.importRows(
            request, findings: findings, finishedAt: { scope.context.asOf },
            photos: { photo, outcome in
                defer { told += 1 }
                switch outcome {
                case .attached: photos += 1
                case .unchanged: break
                case .noSuchRow: findings.report(finding("IMPORT-EXTRA-FILE", .warning, handed[told], photo.entity))
                case .otherContent: findings.report(finding("PHOTO-CHANGED", .error, handed[told], photo.entity))
                }
            }
        ) { target in
            if target.isResumed { session.log.info("goes on with what an interrupted import had staged", metadata: ["source": "\(path)"]) }
            _ = try Importer(pack: session.pack).run(source, into: target, findings: findings, progress: session.progress.report)
            let intake = isDryRun || handed.isEmpty ? nil : try store.intake()
            for photo in handed {
                let entity = session.pack.entities.first { $0.name == photo.entity || $0.aliases.contains(photo.entity) }?.name ?? photo.entity
                let kept = try intake?.keep(photo) ?? store.place(of: photo)
                try target.attachPhoto(
                    ImportedPhoto(entity: entity, id: photo.id, localPath: kept.relativePath, sha256: kept.sha256, bytes: kept.bytes))
            }
            try intake?.finish()
        }
        return ImportCommand.Result(
            source: path, format: request.format, dryRun: isDryRun, report: report, photos: photos,
            findings: findings.findings)
    }

    /// What a later run must find the same to go on with what this one staged, were it killed: content, and how it is read. A folder's files
    /// beside its manifest are told by size and time of change.
    private func resumeKey(_ location: SourceLocation, digest: String, entity: String?) -> String? {
        var facts = [ProgramVersion.current, session.pack.name, session.pack.fingerprint, location.url.path, digest, entity ?? ""]
        if location.isDirectory {
            let root = location.url.path
            guard let names = try? FileManager.default.subpathsOfDirectory(atPath: root).sorted() else { return nil }
            for name in names {
                guard let attributes = try? FileManager.default.attributesOfItem(atPath: root + "/" + name) else { return nil }
                let changed = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
                facts.append("\(name) \(attributes[.size] as? NSNumber ?? 0) \(changed)")
            }
        }
        return FileDigest.sha256(of: Array(facts.joined(separator: "\n").utf8))
    }

    private func finding(_ code: String, _ severity: Severity, _ photo: SourcePhoto, _ entity: String) -> Finding {
        Finding(code: code, severity: severity, place: Place(table: entity, id: photo.id, file: photo.path), arguments: ["name": photo.name])
    }
}
