import Foundation
import Importing
import Model
import Pipeline
import Postgres
import Remotes
import Replica
import Workbench

/// A replica that follows a simulated server, and the people who work on it.
final class SimulatedOffice {
    private let place: TemporaryFolder
    private let server: SimulatedServer
    /// The first of them does most of the work; the last may decide conflicts.
    let people: [String]
    private(set) var replica: Replica
    /// Seconds by which the office's clock is wrong.
    var lag = 0.0
    private var files: [String: Data] = [:]
    /// What was done, refused and failed, for the sums of a test.
    private(set) var counts: [String: Int] = [:]
    /// Why the last change was refused.
    private var refusals: [String] = []

    init(_ server: SimulatedServer, _ people: [String]) throws {
        (place, self.server, self.people) = (try TemporaryFolder(), server, people)
        try Replica.create(at: place.file("fichero.db"), pack: server.pack, now: Date())
        replica = try Replica.open(at: place.file("fichero.db"), pack: server.pack)
    }

    var path: String { place.file("fichero.db") }
    private var now: Date { Date().addingTimeInterval(lag) }
    private var chance: Chance { server.chance }

    private func count(_ what: String) { counts[what, default: 0] += 1 }

    // MARK: Kills

    private static let parts = ["", "-wal"]

    private func keepFiles() throws {
        files = try Self.parts.reduce(into: [:]) { files, part in
            if FileManager.default.fileExists(atPath: path + part) { files[part] = try Data(contentsOf: URL(fileURLWithPath: path + part)) }
        }
    }

    /// Goes on with the files as they were when the program was killed.
    private func rise() throws {
        let grave = try TemporaryFolder()
        // The dead program's connection closes its own files, and not the ones that are left.
        for part in Self.parts + ["-shm"] where FileManager.default.fileExists(atPath: path + part) { try FileManager.default.moveItem(atPath: path + part, toPath: grave.file("old" + part)) }
        for (part, data) in files { try data.write(to: URL(fileURLWithPath: path + part)) }
        replica = try Replica.open(at: path, pack: server.pack)
    }

    // MARK: Sync

    /// Syncs as a person. Returns false if the connection broke, the program was killed, or the
    /// person may not work.
    ///
    /// - Parameter proving: also compares the replica with the server.
    @discardableResult
    func sync(as email: String, _ faults: Set<Fault> = [], retrying: Bool = true, proving: Bool = false) throws -> Bool {
        do {
            let remote = TroubledRemote(try PostgresRemote(server.settings, pack: server.pack, email: email), faults, server) { try self.keepFiles() }
            let engine = SyncEngine(pack: server.pack, replica: replica, remote: remote, environment: "DEV", display: SilentDisplay())
            let findings = FindingList()
            let sent = try engine.send(at: now, retrying: retrying, findings: findings)
            let pulled = try engine.pull(runID: nil, at: now, sent: sent.count, proving: proving, findings: findings)
            if sent.failures > 0 { count("refused by the server") }
            if sent.contested > 0 { count("contested") }
            if let differing = pulled.proof?.first(where: { !$0.isEqual }) { throw SimulatedServer.Trouble("\(email): not proven: \(differing)") }
            count("synced")
            server.note("sync \(email)")
            return true
        } catch is Killed {
            try rise()
            count("killed")
            server.note("sync \(email): killed")
        } catch let failure as PostgresFailure where failure.code == "REMOTE-BROKEN" {
            count("cut")
            server.note("sync \(email): cut")
        } catch let failure as RemoteFailure {
            count("refused \(failure.code)")
        }
        return false
    }

    /// Everybody keeps both projects offline.
    func follow() throws {
        for email in people {
            try sync(as: email)
            let actor = try replica.actor(email: email)
            let rows = SimulatedServer.projects.map { project in
                EnteredRows.Row(
                    entity: "file_sync_states", id: chance.id(),
                    values: [("sync_mode", "available_offline"), ("profile_id", actor.id), ("project_id", project), ("sync_status", SyncState.pendingDownload.rawValue)])
            }
            try change(rows, as: email, permission: .read)
            try sync(as: email)
        }
    }

    // MARK: Work

    private func change(
        _ rows: [EnteredRows.Row], as email: String, permission: Permission = .edit,
        from origin: ChangeOrigin = .person, ending decision: ConflictDecision? = nil
    ) throws {
        var request = ImportRequest(
            runID: nil, source: "edit", format: "command", actor: try replica.actor(email: email), environment: "DEV", startedAt: now,
            policy: origin == .file ? .conflict : .update, reason: "simulated")
        (request.origin, request.permission, request.decision) = (origin, permission, decision)
        let findings = FindingList()
        let lookup = replica.rowLookup()
        defer { lookup.close() }
        defer { refusals = findings.findings.filter { $0.severity == .error }.map { "\($0.code) \($0.place.table ?? "") \($0.place.key ?? "") \($0.arguments)" } }
        _ = try replica.importRows(request, findings: findings, finishedAt: { now }) { target in
            server.note("\(email): \(rows.map { "\($0.isDeletion ? "delete " : "")\($0.entity) \($0.id) \($0.values.map { $0.field + "=" + ($0.value ?? "") })" })\(decision.map { " decides \($0.side)" } ?? "")")
            _ = try Importer(pack: server.pack, parent: lookup.parent).run(
                EnteredRows(rows, named: "edit", pack: server.pack), into: target, findings: findings,
                progress: { _ in })
            lookup.close()
        }
    }

    private func row(_ entity: String, _ field: String) throws -> (id: String, value: String?)? {
        try chance.pick(replica.texts(of: entity, fields: [field])).map { ($0.id, $0.values[0]) }
    }

    /// One change by a person, of some kind or of any. What the rules refuse does not happen.
    func act(_ kind: String? = nil) throws {
        let email = chance.isOne(in: 4) ? people.last ?? "" : people[0]
        let word =
            kind
            ?? chance.pick([
                ("rename", 6), ("describe", 4), ("move state", 2), ("add pit", 2), ("add part", 3), ("delete", 1),
                ("undo", 2), ("decide", 2), ("mark", 2), ("copy", 1),
            ])
        do {
            try perform(word, as: email)
            count(word)
        } catch let failure as any Failure where failure.exitCode != .internalError {
            count("refused \(word) \(failure.code)")
        }
    }

    private func perform(_ word: String, as email: String) throws {
        switch word {
        case "rename":
            guard let (id, _) = try row("calicatas", "title") else { return }
            var values: [(field: String, value: String?)] = [("title", server.newText())]
            if chance.isOne(in: 3) { values.append(("observations", server.newText())) }
            try change([EnteredRows.Row(entity: "calicatas", id: id, values: values)], as: email)
        case "describe":
            guard let (id, _) = try row("calicata_cortes", "description") else { return }
            try change(
                [EnteredRows.Row(entity: "calicata_cortes", id: id, values: [("description", server.newText())])],
                as: email)
        case "move state":
            guard let (id, state) = try row("calicatas", "status") else { return }
            try change(
                [
                    EnteredRows.Row(
                        entity: "calicatas", id: id,
                        values: [("status", state == "BORRADOR" ? "EN_REVISION" : "BORRADOR")])
                ], as: email)
        case "add pit":
            let pit = chance.id()
            let values: [(field: String, value: String?)] = [
                ("project_id", chance.pick(SimulatedServer.projects)), ("code", server.newText()), ("title", server.newText()), ("depth_m", "2.5"), ("status", "BORRADOR"),
            ]
            try change(
                [EnteredRows.Row(entity: "calicatas", id: pit, values: values)]
                    + (0..<chance.number(0..<3)).map { part($0 + 1, of: pit) }, as: email)
        case "add part":
            guard let (id, _) = try row("calicatas", "title") else { return }
            try change([part(chance.number(100..<1_000_000), of: id)], as: email)
        case "delete":
            let entity = chance.isOne(in: 3) ? "calicatas" : "calicata_cortes"
            guard let (id, _) = try row(entity, "id") else { return }
            try change([EnteredRows.Row(entity: entity, id: id, isDeletion: true)], as: email)
        case "undo":
            let before = try ask("SELECT id, code, title FROM calicatas UNION SELECT id, number, description FROM calicata_cortes")
            _ = try replica.undoImport("last", context: context(of: email))
            let after = try ask("SELECT id, code, title FROM calicatas UNION SELECT id, number, description FROM calicata_cortes")
            server.note("\(email): undo: \(Set(before).symmetricDifference(after).sorted())")
        case "mark":
            let approved = try replica.texts(of: "calicatas", fields: ["status"]).filter { $0.values[0] == "APROBADO" }.map(\.id)
            guard let id = chance.pick(approved) else { return }
            server.note("\(email): mark \(id)")
            _ = try replica.mark(ExportRegistration.Marks(entity: "calicatas", ids: [id]), context(of: email), at: now)
        case "copy": try bringCopy()
        default: try decide(one: true)
        }
    }

    private func context(of email: String) throws -> RunContext {
        RunContext(
            id: UUIDv7.make(at: Date()), asOf: now, timeZone: .gmt, language: .english, environment: "DEV", actor: try replica.actor(email: email), programVersion: "1")
    }

    /// An administrator brings in a copy of a device. Its rows say that the server has them, which
    /// may be true, or have been true, or not.
    private func bringCopy() throws {
        guard let email = people.last, try replica.actor(email: email).role.permissions.contains(.administer) else { return }
        let known = try server.pitForFile()
        let claim: [(field: String, value: String?)] = [("syncStatus", "synced"), ("remoteUpdatedAt", "2026-01-02T03:04:05Z")]
        let pit = known?.id ?? chance.id()
        var rows = [
            EnteredRows.Row(
                entity: "calicatas", id: pit,
                values: [
                    ("project_id", known?.project ?? chance.pick(SimulatedServer.projects)), ("code", known?.code ?? server.newText()), ("title", server.newText()),
                    ("depth_m", "2.5"), ("status", "BORRADOR"),
                ] + claim)
        ]
        for _ in 0..<chance.number(0..<3) {
            var part = part(chance.number(1_000_000..<2_000_000_000), of: pit)
            part.values += claim
            rows.append(part)
        }
        try change(rows, as: email, permission: .import, from: .file)
    }

    private func part(_ number: Int, of pit: String) -> EnteredRows.Row {
        EnteredRows.Row(
            entity: "calicata_cortes", id: chance.id(),
            values: [("calicata_id", pit), ("number", String(number)), ("description", server.newText())])
    }

    // MARK: Conflicts

    /// Decides conflicts as they come: for one side, or for both where each changed its own.
    /// Returns how many were open.
    @discardableResult
    func decide(one: Bool = false) throws -> Int {
        guard let email = people.last else { return 0 }
        let open = try openConflicts(of: email)
        // The decision about a record may be its parts' own too.
        for conflict in one ? chance.pick(open).map({ [$0] }) ?? [] : open where try openConflicts(of: email).contains(where: { $0.id == conflict.id }) {
            do {
                try decide(
                    conflict, isRefusedForGood(conflict) ? .remote : chance.pick([.local, .remote, .merged]) ?? .local,
                    as: email)
            } catch let failure as any Failure where failure.exitCode != .internalError {
                // One of the sides cannot be: it is not known what was before, or the rules do not
                // let a person do it.
                if one { throw failure }
                count("refused decide \(failure.code)")
                do { try decide(conflict, .local, as: email) } catch is any Failure {
                    let local = refusals
                    do { try decide(conflict, .remote, as: email) } catch let failure as any Failure {
                        throw SimulatedServer.Trouble("\(email) may decide for neither side: \(conflict), here \(local), there \(refusals): \(failure)")
                    }
                }
            }
        }
        return open.count
    }

    /// A record that has parts there, of which nobody knew who removed it here, is refused again and again:
    /// people see it at last.
    private func isRefusedForGood(_ conflict: RowConflict) throws -> Bool {
        guard conflict.isRemovedHere else { return false }
        return try ask("SELECT 1 FROM conflicts WHERE entity_id = '\(conflict.rowID)' AND resolution_status = 'local'")
            .count > 2
    }

    private func openConflicts(of email: String) throws -> [RowConflict] {
        try replica.conflicts(projectIDs: SimulatedServer.projects, reader: replica.actor(email: email)).sorted { $0.rowID < $1.rowID }
    }

    /// Does what `conflicts keep` and `conflicts merge` do.
    private func decide(_ conflict: RowConflict, _ side: ConflictDecision.Side, as email: String) throws {
        var row = EnteredRows.Row(
            entity: conflict.entity, id: conflict.rowID, isDeletion: side == .remote && conflict.isDeletion)
        switch side {
        case .local: break
        case .remote: row.values = conflict.isDeletion ? [] : try replica.remoteValues(of: conflict)
        case .merged:
            let merged = try replica.merge(of: conflict)
            guard merged.both.isEmpty else { throw ConflictFailure.bothChanged(conflict.id, fields: merged.both) }
            row.values = merged.theirs
        }
        let isHere = try replica.hasRow(of: conflict)
        try change(side == .local && !isHere ? [] : [row], as: email, permission: .resolve, ending: ConflictDecision(conflictID: conflict.id, side: side))
        count("decided")
    }

    // MARK: What is here

    /// Runs a query by SQLite's own program.
    func ask(_ sql: String) throws -> [String] {
        let run = try OtherProgram.run("/usr/bin/sqlite3", ["-readonly", path, sql])
        guard run.status == 0 else { throw SimulatedServer.Trouble(run.text) }
        return run.text.split(separator: "\n").map(String.init)
    }
}
