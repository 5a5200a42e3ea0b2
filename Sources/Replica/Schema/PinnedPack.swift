import Foundation
import GRDB
import Model

/// Location of a pack's files.
package enum PackSource: String, Sendable {
    /// Installed with the program: a new release contains other content.
    case program
    /// In a folder of the office, beside the program's core.
    case office
    /// In a folder of the office that includes a core.
    case officeWithCore
}

/// The replica's accepted pack. Its content is pinned, since a pack in another folder has other
/// rules, roles and access rights. A person who is an administrator under the pinned pack may
/// accept another pack. A new release of the program is accepted if the pinned pack came with the
/// program too.
struct PinnedPack {
    /// The first version of the program's tables that includes `ruling_packs`.
    static let firstVersion = 14
    /// The packs accepted in this replica, the current one last. Columns: fingerprints of the
    /// content and of the pack's folder without the core, the source, and the roles that may accept
    /// another pack.
    static let table = """
        CREATE TABLE ruling_packs (
          number INTEGER PRIMARY KEY,
          fingerprint TEXT NOT NULL,
          folder TEXT NOT NULL,
          source TEXT NOT NULL,
          version TEXT NOT NULL,
          administrators TEXT NOT NULL,
          ruling_since TEXT NOT NULL
        ) STRICT
        """

    let number: Int64
    let fingerprint: String
    private let folder: String
    private let source: PackSource?
    private let version: String
    /// The roles that may administer under this pack.
    private let administrators: [String]

    /// Nil in a replica created before packs were pinned, until it is updated.
    static func current(_ db: Database) throws -> PinnedPack? {
        guard try db.tableExists("ruling_packs") else { return nil }
        let row = try Row.fetchOne(
            db,
            sql:
                """
                SELECT number, fingerprint, folder, source, version, administrators FROM ruling_packs \
                ORDER BY number DESC LIMIT 1
                """
        )
        return row.map { row in
            PinnedPack(
                number: row[0], fingerprint: row[1], folder: row[2], source: PackSource(rawValue: row[3]),
                version: row[4],
                administrators: (row[5] as String).split(separator: " ").map(String.init))
        }
    }

    /// Stores a pack as the accepted one; returns its number.
    static func pin(_ pack: Pack, from source: PackSource, at time: String, _ db: Database) throws -> Int64 {
        let administrators = pack.roles.filter { $0.permissions.contains(.administer) }.map(\.name).joined(
            separator: " ")
        try db.execute(
            sql:
                """
                INSERT INTO ruling_packs (fingerprint, folder, source, version, administrators, ruling_since) \
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [pack.ruling.whole, pack.ruling.folder, source.rawValue, pack.version, administrators, time])
        return db.lastInsertedRowID
    }

    /// Whether the content differs only because of a new release of the program.
    func isRelease(_ pack: Pack, from source: PackSource) -> Bool {
        switch source {
        case .program: self.source == .program
        case .office: folder == pack.ruling.folder
        case .officeWithCore: false
        }
    }

    /// Accepts a pack with other content and logs the former and the new content. From then on, the
    /// log's chain uses the new number.
    ///
    /// - Parameter email: the person who accepts it; not needed for a release.
    /// - Returns: the number of the pack that is accepted now.
    func take(_ pack: Pack, from source: PackSource, by email: String?, path: String, _ db: Database) throws -> Int64 {
        var actorID: String?
        let isRelease = isRelease(pack, from: source)
        if !isRelease {
            // The creator of the first profile needs no permission.
            let hasPeople = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM profiles)") ?? false
            actorID = try administrator(email, db)
            guard actorID != nil || !hasPeople else { throw refusal(of: pack, path: path) }
        }
        let number = try Self.pin(pack, from: source, at: Timestamp.format(Date()), db)
        try LogChain.watch(db, pack: pack.ruling.whole, number: number)
        let changes = try ChangeLog(
            db, pack: pack, actorID: actorID, environment: pack.environments.first ?? "DEV", now: Date())
        func described(_ fingerprint: String, _ version: String) -> String {
            RowJSON.object(["fingerprint": fingerprint, "version": version])
        }
        let (before, after) = (described(fingerprint, self.version), described(pack.ruling.whole, pack.version))
        try changes.logEntry(
            isRelease ? "pack_released" : "pack_taken", of: nil, id: nil, project: nil,
            details: "{\"after\":\(after),\"before\":\(before)}")
        return number
    }

    /// The id of the person with this address, if allowed to administer under the pinned pack.
    private func administrator(_ email: String?, _ db: Database) throws -> String? {
        guard let email else { return nil }
        let profiles = try Row.fetchAll(
            db,
            sql: "SELECT id, role, status, coalesce(cached_at, '') <> '' FROM profiles WHERE lower(email) = lower(?)",
            arguments: [email])
        guard profiles.count == 1, let profile = profiles.first, profile[2] == "ACTIVO", profile[3] as Bool else {
            return nil
        }
        return administrators.contains(profile[1] ?? "") ? profile[0] : nil
    }

    func refusal(of pack: Pack, path: String) -> ReplicaFailure {
        .packRefused(
            path: path, pack: pack.name, pinned: String(fingerprint.prefix(12)),
            found: String(pack.ruling.whole.prefix(12)),
            roles: administrators.joined(separator: ", "))
    }
}
