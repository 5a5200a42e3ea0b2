import GRDB
import Model

/// Where there is one who may administer, there is one afterwards: else nobody could decide who works.
struct Administrators {
    private let db: Database
    private let pack: Pack

    init(_ db: Database, pack: Pack) { (self.db, self.pack) = (db, pack) }

    /// How many profiles may administer and work, leaving one out.
    func working(but id: String? = nil) throws -> Int {
        let roles = pack.roles.filter { $0.permissions.contains(.administer) }.map { SQLText.literal($0.name) }.joined(separator: ", ")
        return try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM main.profiles
                WHERE id IS NOT ? AND role IN (\(roles)) AND status = 'ACTIVO' AND cached_at IS NOT NULL AND cached_at <> ''
                """, arguments: [id]) ?? 0
    }

    /// Throws `ChangeFailure.lastAdministrator` where a change takes away the last one.
    func keepOne<T>(_ body: () throws -> T) throws -> T {
        let before = try working()
        let result = try body()
        if before > 0, try working() == 0 { throw ChangeFailure.lastAdministrator }
        return result
    }
}
