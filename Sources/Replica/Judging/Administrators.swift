import GRDB
import Model

/// Keeps at least one administrator: if there was one before a change, there must be one
/// afterwards, since nobody else can administer users.
struct Administrators {
    private let db: Database
    private let pack: Pack

    init(_ db: Database, pack: Pack) { (self.db, self.pack) = (db, pack) }

    /// The number of working profiles with the permission to administer, one profile excepted.
    func working(but id: String? = nil) throws -> Int {
        let roles = pack.roles.filter { $0.permissions.contains(.administer) }.map { SQLText.literal($0.name) }.joined(separator: ", ")
        return try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM main.profiles
                WHERE id IS NOT ? AND role IN (\(roles)) AND status = 'ACTIVO' AND cached_at IS NOT NULL AND cached_at <> ''
                """, arguments: [id]) ?? 0
    }

    /// Throws `ChangeFailure.lastAdministrator` if the body removes the last one.
    func keepOne<T>(_ body: () throws -> T) throws -> T {
        let before = try working()
        let result = try body()
        if before > 0, try working() == 0 { throw ChangeFailure.lastAdministrator }
        return result
    }
}
