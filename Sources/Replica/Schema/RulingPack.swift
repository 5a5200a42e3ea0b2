import Foundation
import GRDB
import Model

/// Where a pack's files lie.
package enum PackSource: String, Sendable {
    /// With the program: a new release brings another content.
    case program
    /// In a folder of the office, beside the program's core.
    case office
    /// In a folder of the office with a core of its own.
    case officeWithCore
}

/// The pack that rules in a replica, by its content: whoever states another folder has other rules, roles and
/// visibility. The replica pins the content; another one is taken by an administrator under the pinned pack, or comes
/// with a new release of the program where the pinned one came with the program too.
struct RulingPack {
    /// The version of the program's tables that has it first.
    static let firstVersion = 14
    /// The packs that ruled here, the last one now: its content, that of its own folder without the core, where it
    /// came from, and the roles that may take another pack.
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
    /// The roles that may administer under it.
    private let administrators: [String]

    /// Nil in a replica that was made before packs were pinned, until it is brought up to date.
    static func current(_ db: Database) throws -> RulingPack? {
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
            RulingPack(
                number: row[0], fingerprint: row[1], folder: row[2], source: PackSource(rawValue: row[3]),
                version: row[4],
                administrators: (row[5] as String).split(separator: " ").map(String.init))
        }
    }

    /// Pins the content of a pack; returns its number.
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

    /// Whether the content only differs as a new release of the program brings it.
    func isRelease(_ pack: Pack, from source: PackSource) -> Bool {
        switch source {
        case .program: self.source == .program
        case .office: folder == pack.ruling.folder
        case .officeWithCore: false
        }
    }

    /// Takes a pack of other content and logs it, with both contents. The log's chain is watched under the new number
    /// from then on.
    ///
    /// - Parameter email: who takes it; a release needs nobody.
    /// - Returns: the number of the pack that rules now.
    func take(_ pack: Pack, from source: PackSource, by email: String?, path: String, _ db: Database) throws -> Int64 {
        var actorID: String?
        let isRelease = isRelease(pack, from: source)
        if !isRelease {
            // Whoever makes the first profile needs nobody's leave.
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

    /// The id of a person with this address who may administer under the pinned pack.
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
