import Foundation
import GRDB
package import Model

/// One check of `fichero doctor`. Its message has the text key `doctor.CODE.STATE`, with
/// placeholders from `arguments`.
package struct DoctorCheck: Sendable, Hashable, Codable {
    package enum State: String, Sendable, Codable {
        case ok, warning, error
    }

    /// Stable identifier, such as `REPLICA-INTEGRITY`.
    package var code: String
    package var state: State
    package var arguments: [String: String]

    package init(_ code: String, _ state: State, _ arguments: [String: String] = [:]) {
        self.code = code
        self.state = state
        self.arguments = arguments
    }
}

extension Replica {
    /// Examines a replica in any condition. Reads every page, so it is slow on a large replica.
    /// Changes nothing.
    package static func doctor(at path: String, pack: Pack, source: PackSource = .program, busyTimeout: Double = 5)
        -> [DoctorCheck]
    {
        var checks: [DoctorCheck] = []
        do {
            _ = try FileInspection.header(at: path)
            checks.append(DoctorCheck("REPLICA-FILE", .ok, ["path": path]))
            if let fileSystem = FileInspection.networkFileSystem(at: path) {
                return checks + [DoctorCheck("REPLICA-DRIVE", .error, ["path": path, "fileSystem": fileSystem])]
            }
            checks.append(DoctorCheck("REPLICA-DRIVE", .ok))
            checks.append(permissions(of: path))
            checks.append(names(of: path))
            let queue = try openAnyPack(at: path, busyTimeout: busyTimeout)
            checks.append(DoctorCheck("REPLICA-VERSION", .ok, ["version": String(ProgramTables.version)]))
            try queue.writeWithoutTransaction { db in
                try db.inTransaction(.deferred) {
                    let examination = ReplicaExamination(db: db, pack: pack, source: source, path: path)
                    checks += try examination.packChecks()
                    checks += try examination.fileChecks()
                    checks += try examination.workChecks()
                    checks += [try examination.photoCheck()]
                    checks += Self.stagingChecks(at: path)
                    return .commit
                }
            }
        } catch let failure as ReplicaFailure {
            checks.append(DoctorCheck(failure.code, .error, failure.arguments))
        } catch let error as DatabaseError {
            let failure = ReplicaFailure(error, path: path)
            checks.append(DoctorCheck(failure.code, .error, failure.arguments))
        } catch {
            checks.append(
                DoctorCheck("REPLICA-INTERNAL", .error, ["path": path, "code": String(describing: type(of: error))]))
        }
        return checks
    }

    /// Killed imports, each with its source and the progress it had made.
    private static func stagingChecks(at path: String) -> [DoctorCheck] {
        let unfinished = UnfinishedImport.all(besideReplica: path)
        guard !unfinished.isEmpty else { return [DoctorCheck("REPLICA-STAGING", .ok)] }
        return unfinished.map { left in
            DoctorCheck(
                left.isResumable && left.source != nil ? "REPLICA-STAGING" : "REPLICA-STAGING-LOST", .warning,
                [
                    "source": left.source ?? "—", "started": left.startedAt ?? "—", "batches": String(left.batches),
                    "rows": String(left.rows),
                    "path": left.path,
                ])
        }
    }

    /// Warns about other names (hard links) of the same file: SQLite keeps separate logs for each
    /// name, so opening the file by another name damages it.
    private static func names(of path: String) -> DoctorCheck {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
        let count = (attributes?[.referenceCount] as? NSNumber)?.intValue ?? 1
        return DoctorCheck("REPLICA-NAMES", count == 1 ? .ok : .warning, ["path": path, "count": String(count)])
    }

    /// Checks the file's permissions, which are a replica's only protection.
    private static func permissions(of path: String) -> DoctorCheck {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        return DoctorCheck(
            "REPLICA-PERMISSIONS", mode & 0o007 == 0 ? .ok : .warning, ["path": path, "mode": String(mode, radix: 8)])
    }
}

/// The checks inside an open replica.
private struct ReplicaExamination {
    let db: Database
    let pack: Pack
    let source: PackSource
    let path: String

    func packChecks() throws -> [DoctorCheck] {
        let found = try ReplicaKey.value(of: .packName, db) ?? ""
        guard found == pack.name else {
            return [DoctorCheck("REPLICA-PACK", .error, ["found": found, "expected": pack.name])]
        }
        if let older = try Replica.olderPack(pack, db, path: path) {
            return [DoctorCheck(older.code, .error, older.arguments)]
        }
        if let ruling = try PinnedPack.current(db), ruling.fingerprint != pack.ruling.whole,
            !ruling.isRelease(pack, from: source)
        {
            let refusal = ruling.refusal(of: pack, path: path)
            return [DoctorCheck(refusal.code, .error, refusal.arguments)]
        }
        let migration = try ReplicaMigration(of: db, to: pack, ReplicaSchema(pack: pack))
        let version = try ReplicaKey.value(of: .packVersion, db) ?? ""
        // These parts belong to the stored schema; `init` adds the parts that only the pack needs.
        let missing = try ReplicaDamage.missing(db)
        let state: DoctorCheck.State =
            if !migration.obstacles.isEmpty || !missing.isEmpty {
                .error
            } else if !migration.isEmpty || !migration.leftovers.isEmpty { .warning } else { .ok }
        return [
            DoctorCheck("REPLICA-PACK", .ok, ["found": found, "expected": pack.name, "version": version]),
            DoctorCheck(
                "REPLICA-SCHEMA", state,
                [
                    "missing": (migration.renames.map(\.text) + migration.additions).joined(separator: ", "),
                    "leftovers": migration.leftovers.joined(separator: ", "),
                    "obstacles": (migration.obstacles + missing.filter { !migration.obstacles.contains($0) }).joined(
                        separator: ", "),
                ]),
        ]
    }

    func fileChecks() throws -> [DoctorCheck] {
        // Messages of the integrity check name tables, indexes and pages, never values.
        let problems = try String.fetchAll(db, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
        let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode") ?? ""
        let hasForeignKeys = try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") ?? false
        return try [
            DoctorCheck(
                "REPLICA-INTEGRITY", problems.isEmpty ? .ok : .error, ["problems": problems.joined(separator: "; ")])
        ] + references() + [
            DoctorCheck("REPLICA-FOREIGN-WRITES", .ok, ["count": String(ForeignWrites.count(db))]),
            DoctorCheck("REPLICA-WAL", mode == "wal" ? .ok : .error, ["mode": mode]),
            DoctorCheck("REPLICA-FOREIGN-KEYS", hasForeignKeys ? .ok : .error),
        ]
    }

    /// Dangling references. In a row that a central database has confirmed, the missing record may
    /// be one that only other people see. Such a reference is reported, but is not an error.
    private func references() throws -> [DoctorCheck] {
        var (lost, unseen): ([String], [String]) = ([], [])
        for row in try Row.fetchAll(
            db, sql: "SELECT \"table\", count(*) FROM pragma_foreign_key_check GROUP BY 1 ORDER BY 1")
        {
            let (table, all): (String, Int) = (row[0], row[1])
            let confirmed = try pack.entity(table) == nil ? 0 : confirmed(in: table)
            if confirmed > 0 { unseen.append("\(table): \(confirmed)") }
            if confirmed < all { lost.append("\(table): \(all - confirmed)") }
        }
        let check = DoctorCheck(
            "REPLICA-REFERENCES", lost.isEmpty ? .ok : .error, ["tables": lost.joined(separator: ", ")])
        return unseen.isEmpty
            ? [check]
            : [check, DoctorCheck("REPLICA-REFERENCES-UNSEEN", .ok, ["tables": unseen.joined(separator: ", ")])]
    }

    /// Number of dangling references in confirmed rows of a table.
    private func confirmed(in table: String) throws -> Int {
        try count(
            """
            SELECT count(*) FROM pragma_foreign_key_check(\(SQLText.literal(table))) AS f \
            JOIN \(SQLText.name(table)) AS t ON t.rowid = f.rowid
            WHERE t.\(SystemColumn.remoteUpdatedAt.rawValue) IS NOT NULL
            """)
    }

    func workChecks() throws -> [DoctorCheck] {
        let leftover = try RunJournal.interrupted(db).count
        let queued = try count("SELECT count(*) FROM sync_queue")
        let isPinned = try db.tableExists("log_chain") && PinnedPack.current(db) != nil
        let missing = DoctorCheck("REPLICA-LOG-PACK", .error, ["count": "1", "entries": "ruling_packs"])
        let log = try isPinned ? LogVerification(db).checks : [missing]
        let conflicts = try count("SELECT count(*) FROM conflicts WHERE resolution_status = 'open'")
        let rejects = try count("SELECT count(*) FROM rejects AS r WHERE \(Replica.isUndecided("r"))")
        return [
            DoctorCheck("REPLICA-RUNS", leftover == 0 ? .ok : .warning, ["count": String(leftover)]),
            try DoubledKeys(db: db, pack: pack).check(),
            DoctorCheck("REPLICA-QUEUE", .ok, ["count": String(queued)]),
            DoctorCheck("REPLICA-CONFLICTS", conflicts == 0 ? .ok : .warning, ["count": String(conflicts)]),
            DoctorCheck("REPLICA-REJECTS", rejects == 0 ? .ok : .warning, ["count": String(rejects)]),
        ] + log
    }

    /// Checks for photo files that were stored beside the replica and are missing. Other paths are
    /// those of a device or of cloud storage.
    func photoCheck() throws -> DoctorCheck {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var (missing, all, first) = (0, 0, "")
        for entity in pack.entities {
            guard let field = entity.field(of: .path)?.name, try db.tableExists(entity.name),
                try db.columns(in: entity.name).contains(where: { $0.name == field })
            else { continue }
            let stored =
                """
                SELECT DISTINCT \(SQLText.name(field)) FROM \(SQLText.name(entity.name)) \
                WHERE \(SQLText.name(field)) LIKE '%.files/%' ORDER BY 1
                """
            let paths = try String.fetchCursor(db, sql: stored)
            while let path = try paths.next() {
                all += 1
                guard !FileManager.default.fileExists(atPath: folder + "/" + path) else { continue }
                missing += 1
                if first.isEmpty { first = path }
            }
        }
        return DoctorCheck(
            "REPLICA-PHOTOS", missing == 0 ? .ok : .error,
            ["count": String(missing), "all": String(all), "first": first])
    }

    private func count(_ sql: String) throws -> Int {
        try Int.fetchOne(db, sql: sql) ?? 0
    }
}

/// Looks for several people with one address, who could not work, and several projects with one
/// key. No command creates them, but another program may have written them.
struct DoubledKeys {
    let db: Database
    let pack: Pack

    func check() throws -> DoctorCheck {
        let people = pack.entity("profiles").map { ($0, ["email"]) }
        let projects = pack.entity(pack.project.entity).map { ($0, $0.key) }
        let found = try [people, projects].compactMap(\.self).filter { !$0.1.isEmpty }.flatMap { try doubled($0, $1) }
        let arguments = ["count": String(found.count), "rows": found.prefix(5).joined(separator: "; ")]
        return DoctorCheck("REPLICA-KEYS", found.isEmpty ? .ok : .error, arguments)
    }

    /// The ids of the rows with each duplicate key, never the key's values: an address is personal.
    private func doubled(_ entity: Entity, _ key: [String]) throws -> [String] {
        guard try db.tableExists(entity.name) else { return [] }
        // Mail addresses are compared without regard to case, names in their normalized form.
        let forms = key.map { field -> String in
            let name = SQLText.name(field)
            if field == "email" { return "lower(\(name))" }
            return field == entity.keyText?.name ? "coalesce(\(KeyText.column), \(name))" : name
        }
        return try String.fetchAll(
            db,
            sql: """
                SELECT group_concat(id, ', ') FROM main.\(SQLText.name(entity.name))
                WHERE \(forms.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))
                GROUP BY \(forms.joined(separator: ", ")) HAVING count(*) > 1 ORDER BY 1
                """
        ).map { "\(entity.name) \($0)" }
    }
}
