import Exporting
import Foundation
import Replica

/// The files of photos beside the replica, for a package.
struct StoredPhotos {
    private let folder: String

    init(_ session: CommandSession) { folder = session.replicaFolder }

    /// Only files in a store beside the replica are opened, because stored paths come from outside.
    func packaged(_ photo: ReadSession.PackagedPhoto) -> PackagePhoto {
        let parts = (photo.path ?? "").split(separator: "/", omittingEmptySubsequences: false)
        let isStored = parts.count > 1 && parts[0].hasSuffix(".files") && !parts.contains("..")
        return PackagePhoto(
            entity: photo.entity, id: photo.id, name: photo.name, path: isStored ? photo.path.map { folder + "/" + $0 } : nil, sha256: photo.sha256)
    }
}
