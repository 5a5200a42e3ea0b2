import Importing
import Logging
package import Model
package import Replica

/// Imports the files of one command, one after the other. All of them are checked before the first
/// is imported, and imported files are reported even if a later one fails. In a tree of folders,
/// each file is imported with the mapping that fits, and files without one are listed.
package struct ImportRound {
    package private(set) var run: ImportRun
    package let files: [String]
    package let entity: String?
    package let mapping: String?

    package init(run: ImportRun, files: [String], entity: String?, mapping: String?) {
        (self.run, self.files, self.entity, self.mapping) = (run, files, entity, mapping)
    }

    private var scope: RunScope { run.scope }
    private var replica: Replica { run.scope.replica }

    /// Throws `PartialImport` if a file cannot be imported and earlier ones were.
    package mutating func importFiles() throws -> [ImportResult] {
        let trees = try files.map(tree)
        for (file, tree) in zip(files, trees) where files.count > 1 && tree == nil {
            guard try correction(file) == nil else { continue }
            try run.check(file, entity: entity, mapping: mapping)
        }
        var results: [ImportResult] = []
        var state = try replica.contentState()
        for (file, tree) in zip(files, trees) {
            do {
                if let tree {
                    try importFiles(of: tree, &state, into: &results)
                    continue
                }
                if !results.isEmpty { try run.renewActor() }
                let result = try importFile(file, state)
                results.append(result)
                // A file that was imported before changes no row, so the next file's rows that an
                // interrupted run staged remain valid.
                if result.report.total.changesSomething { state = try replica.contentState() }
            } catch where !results.isEmpty && !run.isDryRun {
                guard let failure = Interruption.answering(error) as? any Failure else { throw error }
                throw PartialImport(cause: failure, results: results)
            }
        }
        if results.count > 1, !run.isDryRun { try tellOrder(of: &results) }
        if !results.isEmpty { results[results.count - 1].findings += run.tableOptions.unusedExclusions(in: files) }
        return results
    }

    /// The files of a folder that is not one source as a whole, or whose subfolders contain further
    /// sources; nil for any other folder, and for a file.
    private func tree(_ folder: String) throws -> FolderSources? {
        guard entity == nil, mapping == nil else { return nil }
        let location = try SourceLocation(path: folder, options: run.options)
        guard location.isDirectory else { return nil }
        do {
            if try run.check(folder, entity: nil, mapping: nil) { return nil }
            // A source that the pack reads without a mapping may have its own subfolders.
            guard SourceFormats.name(of: location) == nil else { return nil }
            let tree = try FolderSources(folder, isSource: true, options: run.tableOptions)
            return tree.paths.count > 1 ? tree : nil
        } catch {
            let isUnfit = error is TableFailure || (error as? ImportFailure).map {
                $0.lacksMapping || ["IMPORT-KIND", "IMPORT-EMPTY"].contains($0.code)
            } == true
            guard isUnfit else { throw error }
            let tree = try FolderSources(folder, options: run.tableOptions)
            // If the folder contains one program's tables, the first error is more precise.
            guard tree.paths != [folder], !tree.paths.isEmpty || !tree.pictures.isEmpty else { throw error }
            return tree
        }
    }

    /// Imports the suitable files of a tree; each other file gets a result with the reason.
    private mutating func importFiles(
        of tree: FolderSources, _ state: inout String, into results: inout [ImportResult]
    ) throws {
        for file in tree.paths {
            if tree.isSet, let folder = tree.paths.first, file != folder {
                let finding = Finding(
                    "IMPORT-BELOW", place: Place(file: file), arguments: ["name": file, "folder": folder])
                results.append(.refused(file, format: "", isDryRun: run.isDryRun, [finding]))
                continue
            }
            do {
                if !results.isEmpty { try run.renewActor() }
                let result = try importFile(file, state)
                results.append(result)
                if result.report.total.changesSomething { state = try replica.contentState() }
            } catch let failure as any Failure
                where (failure is ImportFailure || failure is TableFailure)
                && [.badInput, .usage].contains(failure.exitCode)
            {
                results.append(.refused(file, format: "", isDryRun: run.isDryRun, [finding(failure, file)]))
            }
        }
        for (folder, count) in tree.pictures {
            let finding = Finding(
                "IMPORT-PICTURES-LEFT", place: Place(file: folder), arguments: ["name": folder, "count": String(count)])
            if results.isEmpty { results.append(.refused(folder, format: "", isDryRun: run.isDryRun, [])) }
            results[results.count - 1].findings.append(finding)
        }
        // These findings are added to the last result, if there is one.
        if !results.isEmpty { results[results.count - 1].findings += tree.leftOut.map(TableFolder.leftOut) }
    }

    private func finding(_ failure: any Failure, _ file: String) -> Finding {
        if let failure = failure as? ImportFailure, failure.lacksMapping {
            let (kind, known) = (failure.arguments["kind"] ?? "", failure.arguments["known"] ?? "—")
            return Finding(
                "IMPORT-FILE-PENDING", place: Place(file: file),
                arguments: ["name": file, "kind": kind, "known": known])
        }
        let reason = scope.session.pack.texts.message(of: failure, in: scope.session.language)
        return Finding(
            "IMPORT-FILE-REFUSED", place: failure.place ?? Place(file: file),
            arguments: ["name": file, "code": failure.code, "reason": reason])
    }

    /// What brings a corrected workbook back; nil for any other file.
    private func correction(_ file: String) throws -> CorrectionRun? {
        guard entity == nil, mapping == nil else { return nil }
        return try CorrectionRun(file, run)
    }

    private mutating func importFile(_ file: String, _ state: String) throws -> ImportResult {
        if let correction = try correction(file) { return try correction.perform() }
        guard run.answer == nil else { throw CorrectionFailure.noAnswer(file) }
        guard !run.isDryRun else { return try run.importSource(file, entity: entity, mapping: mapping, state: state) }
        let known = try replica.allProjectIDs()
        var result = try run.importSource(file, entity: entity, mapping: mapping, state: state)
        // The file is imported even if it made the actor's profile invalid; that is checked before
        // the next file.
        try? run.renewActor()
        var new = try replica.allProjectIDs().subtracting(known)
        if result.report.isCompleted == true {
            run.scope.session.log.info(
                "a run that was interrupted had brought this in; here is its account",
                metadata: ["import": "\(result.report.id)"])
            new = try replica.projectIDs(ofImport: result.report.id)
        }
        guard !new.isEmpty else { return result }
        let unseen = try new.subtracting(replica.status(visibleTo: scope.context.actor.id, runs: 0).projects.map(\.id))
        if !unseen.isEmpty { result.findings.append(try notMember(of: unseen, file)) }
        return result
    }

    /// Reports imported projects of which the actor is not a member. Without this finding, the user
    /// would only see that later checks find nothing.
    private func notMember(of projects: Set<String>, _ file: String) throws -> Finding {
        let naming = scope.session.pack.project
        let codes = try replica.texts(of: naming.entity, fields: [naming.code]).filter { projects.contains($0.id) }.map
        { $0.values[0] ?? $0.id }.sorted()
        return Finding(
            "IMPORT-NOT-MEMBER", place: Place(table: naming.entity, file: file),
            arguments: [
                "count": String(codes.count), "projects": codes.listed(),
                "actor": scope.context.actor.email,
            ])
    }

    /// Reports rows that were rejected because they refer to records which a later file imported.
    private func tellOrder(of results: inout [ImportResult]) throws {
        let (lookup, sources) = (replica.rowLookup(), results.map(\.source))
        for index in results.indices.dropLast() {
            let waiting = try results[index].findings.filter { finding in
                guard finding.code == "FIELD-REFERENCE", let target = finding.arguments["target"],
                    let id = finding.arguments["value"]
                else { return false }
                return try lookup.isKnown(target, id)
            }
            guard let first = waiting.first else { continue }
            results[index].findings.append(Finding(
                "IMPORT-ORDER", place: Place(table: first.place.table, file: sources[index]),
                    arguments: [
                        "count": String(waiting.count), "later": sources[(index + 1)...].joined(separator: " "),
                        "name": sources[index],
                    ]))
        }
    }
}

/// What became of one file or folder.
package struct ImportResult: Encodable, Sendable {
    package var source: String
    package var format: String
    package var dryRun: Bool
    package var report: ImportAccount
    package var photos: Int
    package var findings: [Finding]
    /// Whether the mapping refused the file; the findings give the reasons. Nil if the file was
    /// not refused.
    package var refused: Bool?
    /// What became of the cells of a corrected workbook; nil for any other file.
    package var corrected: CorrectionCounts?
    /// Rows that the reader counted, by entity.
    var readRows: [String: Int] = [:]
    /// A count of the file's cells by a second reader, with which the import is compared.
    var evidence: ImportEvidence?

    static func refused(_ source: String, format: String, isDryRun: Bool, _ reasons: [Finding]) -> ImportResult {
        ImportResult(
            source: source, format: format, dryRun: isDryRun, report: .refused(source, isDryRun: isDryRun),
            photos: 0, findings: reasons, refused: true)
    }
}

/// Failure of a file's import after other files of the command were imported.
package struct PartialImport: Failure {
    package let cause: any Failure
    package let results: [ImportResult]

    package var code: String { cause.code }
    package var exitCode: Model.ExitCode { cause.exitCode }
    package var place: Place? { cause.place }

    /// `imported`: the imported files.
    package var arguments: [String: String] {
        cause.arguments.merging(["imported": results.map(\.source).joined(separator: ", ")]) { own, _ in own }
    }
}
