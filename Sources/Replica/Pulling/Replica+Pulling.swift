import Foundation
import GRDB
package import Model

extension Replica {
    /// Takes over what a central database brings: `body` hands its rows to the staging area, while
    /// nobody else has to wait; then one transaction applies them all and moves the cursors on.
    /// When `body` throws, nothing is changed. No queue items and no log entry for each row are
    /// written, and there is nothing to undo: what the remote says is so. Only rows whose values
    /// differ in the same version are logged one by one.
    ///
    /// - Parameters:
    ///   - position: the moment that the rows show.
    ///   - visible: the projects that the actor sees there; nil: not known.
    /// - Returns: what was changed. Findings about contested rows go to `findings`.
    package func pull(
        _ request: PullRequest, at position: RemotePosition, visible: [String]? = nil, findings: any FindingSink,
        _ body: (PullStaging) throws -> Void
    ) throws -> PullAccount {
        do {
            let file = try StagingFile(replica: path, key: nil)
            defer { file.remove() }
            let identity = "pull " + UUID().uuidString
            let staged = try file.open(identity: identity).writeWithoutTransaction { db in
                let staging = try PullStaging(db)
                try db.inTransaction(.immediate) {
                    try body(staging)
                    return .commit
                }
                return staging
            }
            return try queue.writeWithoutTransaction { db in
                // The server may hide a parent, so references are not checked.
                try db.execute(sql: "PRAGMA foreign_keys = OFF")
                defer { try? db.execute(sql: "PRAGMA foreign_keys = ON") }
                try db.execute(sql: "ATTACH DATABASE ? AS staging", arguments: [file.path])
                defer { try? db.execute(sql: "DETACH DATABASE staging") }
                var account: PullAccount?
                try db.inTransaction(.immediate) {
                    account = try PullApplication(db, pack: pack, request: request, findings: findings).apply(staged, at: position, visible: visible)
                    return .commit
                }
                guard let account else { throw ReplicaFailure.internal(path: path, code: "no account") }
                return account
            }
        } catch {
            throw ReplicaFailure.translated(error, path: path)
        }
    }
}
