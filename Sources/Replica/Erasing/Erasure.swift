import GRDB
package import Model

/// Erases one person from records and bookkeeping tables, within the caller's transaction. It
/// stores marks by which the person is recognised later.
struct Erasure {
    private let db: Database
    private let pack: Pack
    private let rows: ErasedRows
    private let people: ErasedPeople
    private let changes: ChangeLog
    private let person: Entity

    struct Result {
        var account: ErasureAccount
        var traces: ErasureTraces
        /// Paths of files that no row contains any more.
        var files: [String]
    }

    init(_ db: Database, pack: Pack, context: RunContext) throws {
        guard let subject = pack.subjects, let person = pack.entity(subject.entity) else {
            throw ErasureFailure.noSubjects(pack: pack.name)
        }
        (self.db, self.pack, self.person) = (db, pack, person)
        rows = try ErasedRows(db, pack: pack, subject, person)
        people = try ErasedPeople.begin(db)
        changes = try ChangeLog(
            db, pack: pack, actorID: context.actor.id, environment: context.environment, now: context.asOf)
    }

    func run(_ given: String) throws -> Result {
        let (ids, identity) = try rows.people(known: given)
        var account = ErasureAccount()
        guard ids.count <= 1 else { throw ErasureFailure.ambiguous(ids: ids) }
        guard !ids.isEmpty else {
            // The person was erased before. But the file's free pages may remain, and that run may
            // have ended before it listed the files to check. The person's projects are no longer
            // known, so the files of all projects are listed.
            guard people.has(given) else { throw ErasureFailure.unknown }
            account.exports = try exports(of: [])
            return Result(account: account, traces: ErasureTraces(ids: [given], words: [given]), files: [])
        }
        let projects = try RowProject(of: person, in: pack).ids(
            where: "t.id IN (SELECT value FROM json_each(?))", [Quarantine.json(ids)], db)
        let mentions = try rows.mentions(of: ids)
        try rows.findGoing(with: ids)
        let going = try rows.ids(in: "erased_rows")
        let traces = ErasureTraces(ids: going, words: Array(identity) + mentions)
        traces.register(on: db)
        let shared = try rows.shared(mentions, but: ids)
        ErasureTraces(ids: going, words: identity.union(mentions).filter { !shared.contains(ErasedPeople.normal($0)) })
            .registerAlone(on: db)
        let files = try rows.files()
        let stamp = try changes.number()
        try LogChain.erasing(db) {
            account.lines = try rows.erase(stamp: stamp)
            account.books = try BookkeepingErasure(db, pack: pack).erase()
        }
        let forgotten = try rows.forgotten(files)
        account.photos = forgotten.count
        account.others = try BookkeepingErasure(db, pack: pack).others()
        account.exports = try exports(of: projects)
        try people.add(identity.union(going), db)
        try people.add(
            mentions.filter { ErasedPeople.normal($0).count >= ErasureTraces.leastLength }.map(ErasedPeople.word), db)
        try changes.logEntry(
            "person_erased", of: person.name, id: nil, project: projects.count == 1 ? projects.first : nil,
            details: Quarantine.json(account.lines))
        try db.execute(sql: "DELETE FROM temp.erased_rows; DELETE FROM temp.erased_references")
        return Result(account: account, traces: traces, files: forgotten)
    }

    /// Registered files that may name the person: whoever made them knows who received them.
    private func exports(of projects: Set<String>) throws -> [ErasureAccount.File] {
        let anonymous = pack.exports.filter(\.isAnonymous).map(\.name)
        let found = try Row.fetchAll(
            db,
            sql: """
                SELECT coalesce(local_path, file_name), coalesce(finished_at, started_at) FROM main.exports
                WHERE (project_id IS NULL OR project_id IN (SELECT value FROM json_each(?1)) \
                OR json_array_length(?1) = 0)
                  AND export_name NOT IN (SELECT value FROM json_each(?2)) ORDER BY 2, 1
                """, arguments: [try Quarantine.json(projects.sorted()), try Quarantine.json(anonymous)])
        return found.map { ErasureAccount.File(path: $0[0], time: $0[1]) }
    }
}

/// Result of an erasure, without names: counts, and the files that may still name the person.
package struct ErasureAccount: Sendable, Hashable, Codable {
    package struct Line: Sendable, Hashable, Codable {
        package var entity: String
        /// Number of deleted rows.
        package var removed = 0
        /// Number of rows that stay without their references to the person.
        package var anonymised = 0
    }

    /// A file that a person must check.
    package struct File: Sendable, Hashable, Codable {
        package var path: String
        /// When the file's export ended or began; nil for other files.
        package var time: String?
    }

    package var isDryRun = false
    package var lines: [Line] = []
    /// Numbers of log entries, rejected rows, stored changes and findings that were emptied or
    /// removed, by table.
    package var books: [String: Int] = [:]
    /// Number of photo files that are deleted.
    package var photos = 0
    /// Numbers of rows about other people that still name the person in a text, by table. A human
    /// must decide about each.
    package var others: [String: Int] = [:]
    /// Registered files of the person's projects.
    package var exports: [File] = []
    /// Other files beside the replica whose bytes still name the person.
    package var copies: [File] = []

    package init() {}
}

/// Reason why nobody was erased, or what remains to be erased.
package typealias ErasureFailure = DeclaredFailure<ErasureAccount>

extension ErasureFailure {
    /// The pack does not define which rows are people.
    package static func noSubjects(pack: String) -> Self { Self("ERASE-NO-SUBJECTS", .usage, ["pack": pack]) }
    /// Nobody has this id, address or number.
    package static var unknown: Self { Self("ERASE-UNKNOWN", .noInput) }
    /// Several people have this value.
    package static func ambiguous(ids: [String]) -> Self {
        Self("ERASE-AMBIGUOUS", .noInput, ["ids": ids, "count": ids.count])
    }
    /// The erasure was not confirmed.
    package static var unconfirmed: Self { Self("ERASE-UNCONFIRMED", .usage) }
    /// The person is erased, but the replica's file may still contain the freed pages of the erased
    /// rows.
    package static func uncleared(path: String, reason: String) -> Self {
        Self("ERASE-UNCLEARED", .inputOutput, ["path": path, "reason": reason])
    }
}
