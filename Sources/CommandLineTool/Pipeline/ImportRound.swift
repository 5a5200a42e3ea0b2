import Importing
import Logging
import Model
import Replica

/// The files of one command, one after the other. All of them are checked before the first is
/// imported, and imported files are reported even if a later one fails.
struct ImportRound {
    private(set) var run: ImportRun
    let files: [String]
    let entity: String?
    let mapping: String?

    private var scope: RunScope { run.scope }
    private var replica: Replica { run.scope.replica }

    /// Throws `PartialImport` if a file cannot be imported and earlier ones were.
    mutating func bringIn() throws -> [ImportCommand.Result] {
        if files.count > 1 { for file in files { try run.check(file, entity: entity, mapping: mapping) } }
        var results: [ImportCommand.Result] = []
        var state = try replica.contentState()
        for (index, file) in files.enumerated() {
            do {
                if index > 0 { try run.renewActor() }
                let result = try bringIn(file, state)
                results.append(result)
                // A file that was imported before changes no row, so the rows that an interrupted
                // run staged of the next file remain valid.
                if result.report.total.changesSomething { state = try replica.contentState() }
            } catch where !results.isEmpty && !run.isDryRun {
                guard let failure = Interruption.answering(error) as? any Failure else { throw error }
                throw PartialImport(cause: failure, results: results)
            }
        }
        if files.count > 1, !run.isDryRun { try tellOrder(of: &results) }
        return results
    }

    private mutating func bringIn(_ file: String, _ state: String) throws -> ImportCommand.Result {
        guard !run.isDryRun else { return try run.bringIn(file, entity: entity, mapping: mapping, state: state) }
        let known = try replica.allProjectIDs()
        var result = try run.bringIn(file, entity: entity, mapping: mapping, state: state)
        // This file is imported, even if it made the actor's own profile invalid; that is checked
        // again before the next file.
        try? run.renewActor()
        var new = try replica.allProjectIDs().subtracting(known)
        if result.report.isCompleted == true {
            run.scope.session.log.info("a run that was interrupted had brought this in; here is its account", metadata: ["import": "\(result.report.id)"])
            new = try replica.projectIDs(ofImport: result.report.id)
        }
        guard !new.isEmpty else { return result }
        let unseen = try new.subtracting(replica.status(visibleTo: scope.context.actor.id, runs: 0).projects.map(\.id))
        if !unseen.isEmpty { result.findings.append(try notMember(of: unseen, file)) }
        return result
    }

    /// Reports imported projects of which the actor is no member at once; otherwise only checks
    /// without findings would hint at it.
    private func notMember(of projects: Set<String>, _ file: String) throws -> Finding {
        let naming = scope.session.pack.project
        let codes = try replica.texts(of: naming.entity, fields: [naming.code]).filter { projects.contains($0.id) }.map { $0.values[0] ?? $0.id }.sorted()
        return Finding(
            "IMPORT-NOT-MEMBER", place: Place(table: naming.entity, file: file),
            arguments: [
                "count": String(codes.count), "projects": codes.listed(),
                "actor": scope.context.actor.email,
            ])
    }

    /// Reports rows that were rejected because they refer to records which a later file imported.
    private func tellOrder(of results: inout [ImportCommand.Result]) throws {
        let lookup = replica.rowLookup()
        for index in results.indices.dropLast() {
            let waiting = try results[index].findings.filter { finding in
                guard finding.code == "FIELD-REFERENCE", let target = finding.arguments["target"], let id = finding.arguments["value"] else { return false }
                return try lookup.isKnown(target, id)
            }
            guard let first = waiting.first else { continue }
            results[index].findings.append(Finding(
                "IMPORT-ORDER", place: Place(table: first.place.table, file: files[index]),
                arguments: ["count": String(waiting.count), "later": files[(index + 1)...].joined(separator: " "), "name": files[index]]))
        }
    }
}
