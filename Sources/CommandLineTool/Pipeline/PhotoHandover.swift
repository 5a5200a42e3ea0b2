import Importing
import Model
import Replica

/// Copies the pictures of a source into the store, passes their paths to the replica's import, and
/// records the outcome of each.
final class PhotoHandover {
    /// Pictures that were attached to rows.
    private(set) var attached = 0

    private let session: CommandSession
    private let findings: any FindingSink
    private var handed: [SourcePhoto] = []
    private var answered = 0

    init(_ session: CommandSession, findings: any FindingSink) {
        (self.session, self.findings) = (session, findings)
    }

    /// - Parameter isDryRun: nothing is written; only the paths are determined.
    func hand(_ photos: [SourcePhoto], to target: ImportStaging, in replica: Replica, isDryRun: Bool = false) throws {
        handed = photos
        let store = PhotoStore(beside: session.replicaPath)
        let intake = isDryRun || photos.isEmpty ? nil : try store.intake(importsBefore: replica.importCount())
        for photo in photos {
            let entity = session.pack.entities.first { $0.name == photo.entity || $0.aliases.contains(photo.entity) }?.name ?? photo.entity
            let kept = try intake?.keep(photo) ?? store.place(of: photo)
            try target.attachPhoto(
                ImportedPhoto(entity: entity, id: photo.id, localPath: kept.relativePath, sha256: kept.sha256, bytes: kept.bytes))
        }
        try intake?.finish()
    }

    /// Keeps the pictures, since their rows have been imported.
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
