import Foundation
import GRDB
package import Model

/// A photo whose file lies in the store beside the replica.
package struct ImportedPhoto: Sendable, Hashable {
    package var entity: String
    package var id: String
    /// Where it lies, as its row is to say.
    package var localPath: String
    package var sha256: String
    package var bytes: Int64

    package init(entity: String, id: String, localPath: String, sha256: String, bytes: Int64) {
        (self.entity, self.id, self.localPath, self.sha256, self.bytes) = (entity, id, localPath, sha256, bytes)
    }
}

/// Takes the rows of one import into its staging area. Lives within `Replica.importRows`.
package final class ImportSession: ImportTarget {
    private let staging: ImportStaging
    private let request: ImportRequest
    private var rejected: Int

    init(_ staging: ImportStaging, request: ImportRequest) throws {
        self.staging = staging
        self.request = request
        rejected = try staging.faultCount
        try staging.forgetPhotos()
        try ensureFew()
    }

    /// Whether rows that a killed run had taken are here.
    package var isResumed: Bool { staging.isResumed }

    package func begin(table: Int) -> Int { staging.begin(table: table) }

    package func store(_ stretch: inout ImportedStretch) throws {
        for batch in stretch.batches { rejected += batch.rejects.count }
        try staging.store(&stretch)
        try ensureFew()
    }

    /// Where a photo's file lies, its hash and its size: set in those of these columns that its entity has and that are empty.
    package func attachPhoto(_ photo: ImportedPhoto) throws {
        try staging.photo(photo)
    }

    /// Before a rejected row is tried again: it no longer waits. If it cannot go in, the quarantine keeps it anew.
    package func closeReject(_ id: String) throws {
        try staging.retried(id)
    }

    private func ensureFew() throws {
        if let limit = request.maximumErrors, rejected > limit { throw ImportFailure.tooMany(count: rejected, limit: limit) }
    }
}

extension MemoryRows.Value {
    /// As people would write it; nil for nothing.
    var shown: String? {
        switch self {
        case .null: nil
        case .integer(let integer): String(integer)
        case .real(let real): real.description
        case .text(let text): text
        }
    }
}
