import Foundation
import Model

/// The source of rejected rows in its present state.
package struct RejectOrigin: Sendable {
    /// The import that first brought the rows.
    package var importID: String
    package var reading: SourceReadOptions
    /// SHA-256 of the source as it was imported; nil where it was not recorded.
    package var sha256: String?

    package init(importID: String, reading: SourceReadOptions, sha256: String?) {
        (self.importID, self.reading, self.sha256) = (importID, reading, sha256)
    }

    enum Trouble: String {
        case gone = "IMPORT-SOURCE-GONE"
        case changed = "IMPORT-SOURCE-CHANGED"
    }

    /// Opens the source, if it is still the one that was imported.
    func open(_ limits: TableLimits, leavingOut own: ReplicaFiles) -> Result<any TableFile, Trouble> {
        guard var location = try? SourceLocation(path: reading.path) else { return .failure(.gone) }
        location.own = own
        guard let digest = try? location.digest() else { return .failure(.gone) }
        guard sha256 == nil || digest == sha256 else { return .failure(.changed) }
        var options = reading.options(limits)
        options.own = own
        guard let file = try? TableFiles.openFileOrFolder(path: reading.path, options: options) else { return .failure(.gone) }
        return .success(file)
    }
}

extension RejectOrigin.Trouble: Error {}
