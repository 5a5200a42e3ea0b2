import Foundation
import Importing
import Model
import Replica

/// Brings one file or folder in: opens the source, hands its rows to the replica's import session, keeps its photos.
struct ImportRun {
    let scope: RunScope
    let policy: ImportPolicy
    let isDryRun: Bool
    let maximumErrors: Int?
    var options = SourceOptions()

    private var session: CommandSession { scope.session }

    func bringIn(_ path: String, entity: String?, mapping: String? = nil) throws -> ImportCommand.Result {
        var location = try SourceLocation(path: path, entity: entity, options: options)
        location.options.isKnown = try scope.replica.rowLookup()
        location.limits = session.limits
        location.options.limits = session.limits.packages
        let (source, format) = try open(location, mapping: mapping)
        let findings = FindingList()
        let store = PhotoStore(beside: session.replicaPath)
        session.progress.begin(session.text("word.importing"), total: nil)
        defer { session.progress.end() }
        var photos = 0
        let request = ImportRequest(
            runID: scope.context.id, source: path, sha256: try location.digest(), format: format,
            actor: scope.context.actor, environment: scope.context.environment, startedAt: scope.context.asOf, policy: policy,
            maximumErrors: maximumErrors, isDryRun: isDryRun)
        let report = try scope.replica.importRows(request, findings: findings, finishedAt: { scope.context.asOf }) { target in
            _ = try Importer(pack: session.pack).run(source, into: target, findings: findings, progress: session.progress.report)
            for photo in source.photos {
                let entity = session.pack.entities.first { $0.name == photo.entity || $0.aliases.contains(photo.entity) }?.name ?? photo.entity
                let kept = try isDryRun ? store.place(of: photo) : store.keep(photo)
                switch try target.attachPhoto(
                    entity: entity, id: photo.id, localPath: kept.relativePath, sha256: kept.sha256, bytes: kept.bytes)
                {
                case .attached: photos += 1
                case .unchanged: break
                case .noSuchRow: findings.report(finding("IMPORT-EXTRA-FILE", .warning, photo, entity))
                case .otherContent: findings.report(finding("PHOTO-CHANGED", .error, photo, entity))
                }
            }
        }
        return ImportCommand.Result(
            source: path, format: request.format, dryRun: isDryRun, report: report, photos: photos,
            findings: findings.findings)
    }

    /// What the pack itself knows is read as it is; any other table goes through a mapping.
    private func open(_ location: SourceLocation, mapping: String?) throws -> (any Source, format: String) {
        if mapping == nil, let format = SourceFormats.name(of: location) {
            return (try SourceFormats.open(location, pack: session.pack), format)
        }
        let choice = MappingChoice(pack: session.pack, keys: try scope.replica.naturalKeys())
        let source = try choice.open(location.url.path, mapping: mapping)
        return (source, source.format)
    }

    private func finding(_ code: String, _ severity: Severity, _ photo: SourcePhoto, _ entity: String) -> Finding {
        Finding(code: code, severity: severity, place: Place(table: entity, id: photo.id, file: photo.path), arguments: ["name": photo.name])
    }
}
