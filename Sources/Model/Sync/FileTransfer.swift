/// A file that the central Storage is to have, or that this replica is to have from there.
package struct FileTransfer: Sendable, Hashable {
    package var entity: String
    /// The row that the file belongs to. The central database has it.
    package var rowID: String
    package var projectID: String?
    /// The queue item that asks for it; nil: the row itself does, by a field without a value.
    package var itemID: String?
    /// Where the file is here: beside the replica, or anywhere if a queue item asks for it; nil: it
    /// is not here yet.
    package var localPath: String?
    /// Bucket and path; nil: it has no place there yet.
    package var storagePath: String?
    /// What the row says of it.
    package var bytes: Int64?
    package var sha256: String?
    /// What people call the file.
    package var name: String
    /// The row's values as texts, for the place in Storage.
    package var values: [String: String]

    package init(
        entity: String, rowID: String, projectID: String?, itemID: String? = nil, localPath: String?, storagePath: String?, bytes: Int64?, sha256: String?,
        name: String? = nil, values: [String: String] = [:]
    ) {
        let place = storagePath ?? localPath ?? rowID
        self.name = name ?? String(place[(place.lastIndex(of: "/").map { place.index(after: $0) } ?? place.startIndex)...])
        (self.entity, self.rowID, self.projectID, self.itemID) = (entity, rowID, projectID, itemID)
        (self.localPath, self.storagePath, self.bytes, self.sha256, self.values) = (localPath, storagePath, bytes, sha256, values)
    }
}
