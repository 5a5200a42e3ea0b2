import Foundation
import Model

/// States that a replica copied from a device has in addition to the fields; they become the
/// replica's own columns.
enum RowStateName {
    case sync, version, remoteUpdatedAt

    init?(_ name: String) {
        switch name {
        case "syncStatus", "sync_status", "syncState", "sync_state": self = .sync
        case "localVersion", "local_version": self = .version
        case "remoteUpdatedAt", "remote_updated_at": self = .remoteUpdatedAt
        default: return nil
        }
    }

    /// Sets the text of a state; false where it is invalid.
    ///
    /// - Parameter zone: the time zone for times that state none; nil: such times are invalid.
    func set(_ text: String, in states: inout ImportedBatch.States, zone: TimeZone? = nil) -> Bool {
        switch self {
        case .sync:
            guard let state = SyncState(rawValue: text) else { return false }
            states.sync = state
        case .version:
            guard let version = Int64(text) ?? Double(text).flatMap(Int64.init(exactly:)), version >= 0 else { return false }
            states.version = version
        case .remoteUpdatedAt:
            guard let instant = Timestamp.normalized(text) ?? zone.flatMap({ Timestamp.instant(local: text, in: $0) }) else { return false }
            states.remoteUpdatedAt = instant
        }
        return true
    }
}
