import Foundation
package import Importing
import Logging
import Model
package import Replica

/// Imports one file or folder: opens the source, passes its rows to the replica's import, and
/// stores its photos.
package struct ImportRun {
    /// The run's scope. It changes during the run, as an imported profile may replace the actor's.
    package private(set) var scope: RunScope
    package let policy: ImportPolicy
    package let isDryRun: Bool
    /// The number of rejected rows above which nothing is imported.
    package var maximumErrors: Int?
    package var options = SourceOptions()
    /// The project for rows without one.
    package var project: (id: String, code: String)?
    /// The values of the mapping's options.
    package var given: [String: String] = [:]
    /// The options for tables in text files.
    package var reading = TableOptions()
    /// A person's decisions about new rows that are similar to existing rows.
    package var decisions = Decisions()
    /// The reason for changing closed records; nil when they may not be changed.
    package var reason: String?
    /// Where the answer to a corrected workbook goes; nil: there is none.
    package var answer: String?
    /// Receives the outcome of each row.
    package var records: ((ImportRecord) throws -> Void)?

    /// Whether the source is a package of the sync partner.
    var isExchange = false
    /// Whether the actor becomes a member of new projects.
    package var joins = false
    /// Whether sums of the source are compared with those of the replica.
    package var wantsSums = false

    package init(scope: RunScope, policy: ImportPolicy, isDryRun: Bool = false) {
        (self.scope, self.policy, self.isDryRun) = (scope, policy, isDryRun)
    }

    private var session: WorkSession { scope.session }

    /// Reloads the actor after an import, by the e-mail address.
    mutating func renewActor() throws {
        var context = scope.context
        context.actor = try scope.replica.actor(email: context.actor.email)
        scope = RunScope(session: scope.session, replica: scope.replica, context: context, startedAt: scope.startedAt)
    }

    /// Opens a file and closes it again, so that a missing or unusable file fails before another
    /// one is imported. Returns whether the path is a folder that contains only pictures.
    @discardableResult
    package func check(_ path: String, entity: String?, mapping: String?) throws -> Bool {
        let location = try location(path, entity: entity, mapping: mapping, scope.replica.rowLookup())
        return try open(location, path: path, entity: entity, mapping: mapping).picturePaths != nil
    }

    private func location(_ path: String, entity: String?, mapping: String?, _ lookup: RowLookup) throws
        -> SourceLocation
    {
        var location = try SourceLocation(path: path, entity: entity, options: options)
        // Rows read through a mapping are identified by natural key, not by id, so they need no id
        // lookup.
        if mapping == nil, SourceFormats.name(of: location) != nil { location.options.isKnown = lookup.isKnown }
        location.limits = session.limits
        location.own = session.replicaFiles
        location.options.limits = session.limits.packages
        location.options.isPart = isExchange
        return location
    }

    /// - Parameter state: the state of the replica's content, on which the ids of rows depend.
    func importSource(_ path: String, entity: String?, mapping: String? = nil, state: String) throws
        -> ImportResult
    {
        // Take the stamp before the first read, so that stamp and digest describe the same content.
        let now = { SourceStamp(path, leavingOut: session.replicaFiles) }
        let stamp = now()
        var isRead = false
        do {
            return try importUnchanged(path, entity: entity, mapping: mapping, state: state) {
                guard now() == stamp else { throw ImportFailure.changed(path: path) }
                isRead = true
            }
        } catch where !isRead && now() != stamp {
            // A file that changed while it was read may cause any error in the reader.
            throw ImportFailure.changed(path: path)
        }
    }

    private func importUnchanged(
        _ path: String, entity: String?, mapping: String?, state: String, _ ensureUnchanged: () throws -> Void
    ) throws -> ImportResult {
        let lookup = scope.replica.rowLookup()
        let location = try location(path, entity: entity, mapping: mapping, lookup)
        let opened = try open(location, path: path, entity: entity, mapping: mapping)
        let reasons = try refusals(of: opened.source, path)
        guard reasons.isEmpty else { return .refused(path, format: opened.format, isDryRun: isDryRun, reasons) }
        session.display.begin(session.text("word.importing"), total: nil)
        defer { session.display.end() }
        let digest = try location.digest(of: opened.picturePaths)
        let key = try resumeKey(location, digest: digest, format: opened.format, entity: entity, state: state)
        var request = try request(path, opened, at: location, digest: digest)
        (request.resumeKey, request.state) = (key, state)
        let passage = Passage(opened.source, lookup, session)
        defer { passage.count.cancel() }
        return try apply(request, passage, ensureUnchanged)
    }

    /// Reasons of a mapping to refuse the file, which are asked for before anything is read.
    private func refusals(of source: any Source, _ path: String) throws -> [Finding] {
        guard let mapping = (source as? MappedSource)?.mapping else { return [] }
        return try RefusalCheck(session: session, actor: scope.context.actor).reasons(
            mapping, path: path, projectID: project?.id)
    }

    private func request(_ path: String, _ opened: Opened, at location: SourceLocation, digest: String?) throws
        -> ImportRequest
    {
        var request = ImportRequest(
            runID: scope.context.id, source: path, sha256: digest, format: opened.format,
            actor: scope.context.actor, environment: scope.context.environment, startedAt: scope.context.asOf,
            policy: policy, maximumErrors: maximumErrors, isDryRun: isDryRun, reason: reason)
        request.records = records
        if isExchange { try setExchange(of: &request, opened.source, at: location) }
        if let source = opened.source as? MappedSource {
            request.reading = try SourceReadOptions(path: location.url.path, tableOptions).json
            request.parentName = source.parentName
        }
        request.wantsSums = wantsSums
        request.joins = joins
        // The digest of the whole source is known; files in a folder have their own.
        let whole = location.url.path
        request.digest = { file in file == whole || file == path ? digest : try? FileDigest.sha256(ofFile: file) }
        return request
    }

    /// A package of the sync partner is imported under the terms of the exchange, not those of a file.
    private func setExchange(of request: inout ImportRequest, _ source: any Source, at location: SourceLocation) throws
    {
        request.permission = .sync
        // A wrong clock of the partner must not block later packages.
        let latest = Timestamp.format(scope.context.asOf)
        let version = min((source as? PackageSource)?.createdAt ?? latest, latest)
        request.exchange = ExchangeTerms(version: version)
        request.reading = try SourceReadOptions(path: location.url.path, ofExchange: version).json
    }

    /// Passes all rows of the source to the replica, which then applies them in one transaction.
    private func apply(_ request: ImportRequest, _ passage: Passage, _ ensureUnchanged: () throws -> Void) throws
        -> ImportResult
    {
        let (source, photos) = (passage.source, passage.photos)
        var read: [String: Int] = [:]
        var evidence: ImportEvidence?
        var report = try scope.replica.importRows(
            request, findings: passage.findings, finishedAt: { scope.context.asOf },
            photos: photos.note
        ) { target in
            if target.isResumed {
                session.log.info(
                    "goes on with what an interrupted import had staged", metadata: ["source": "\(request.source)"])
            }
            read = try stage(passage, to: target)
            try ensureUnchanged()
            evidence = try compareWithCount(passage)
            try photos.hand(source.photos, to: target, in: scope.replica, isDryRun: isDryRun)
        }
        photos.confirm()
        // Rows that a person merged into others have no separate sums.
        if wantsSums, decisions.isEmpty, (source as? MappedSource)?.hasOperations != true {
            evidence?.cover(&report.sums)
        }
        return ImportResult(
            source: request.source, format: request.format, dryRun: isDryRun, report: report, photos: photos.attached,
            findings: passage.findings.findings, readRows: read, evidence: evidence)
    }

    /// Reads the source to its end. Returns the number of rows by entity; the name is empty for unknown ones.
    private func stage(_ passage: Passage, to target: ImportStaging) throws -> [String: Int] {
        let counted = try Importer(pack: session.pack, parent: passage.lookup.parent).run(
            passage.source, into: merging(target, passage.findings), findings: passage.findings,
            progress: session.display.show)
        // If no other connection has the replica open, writing is faster.
        (passage.source as? MappedSource)?.closeKeys()
        passage.lookup.close()
        return counted.reduce(into: [:]) {
            $0[session.pack.entity($1.entity) == nil ? "" : $1.entity, default: 0] += $1.read
        }
    }

    /// Compares with the independent count before the import, since an incompletely read source is not imported.
    private func compareWithCount(_ passage: Passage) throws -> ImportEvidence {
        let evidence = try ImportEvidence(passage.count.outcomes(of: passage.source.countable), passage.source.uses)
        for finding in evidence.findings { passage.findings.add(finding) }
        return evidence
    }

    /// Opens a source that the pack can read directly; any other table needs a mapping, or columns
    /// named like an entity's fields.
    private func open(_ location: SourceLocation, path: String, entity: String?, mapping: String?) throws -> Opened {
        if mapping == nil, let format = SourceFormats.name(of: location) {
            do {
                // Only mappings have options.
                if let name = given.keys.min() { throw OptionFailure.unknown(path: path, name: name, known: []) }
                return Opened(source: try SourceFormats.open(location, pack: session.pack), format: format)
            } catch let failure as ImportFailure
                where failure.code == "IMPORT-ENTITY" && entity == nil
                && session.pack.imports.contains(where: { $0.accepts.contains(JSONTables.kind) })
            {
                // The document's name is not that of an entity; a mapping may fit it.
            }
        }
        let table = tableOptions
        let keys = try scope.replica.naturalKeys(for: scope.context.actor)
        let choice = MappingChoice(pack: session.pack, keys: keys, project: project, given: given) {
            try session.workProjects(of: scope.context.actor, scope.replica).map(\.code)
        }
        if mapping == nil, let entity {
            guard let known = session.pack.entities.first(where: { $0.name == entity || $0.aliases.contains(entity) })
            else {
                throw ImportFailure.unknownEntity(
                    path: path, name: entity, known: session.pack.entities.filter { !$0.isCore }.map(\.name))
            }
            let source = try choice.open(location.url.path, options: table, fieldsOf: known)
            return Opened(source: source, format: source.format)
        }
        if let file = try mapping.flatMap({ try MappingFile.load($0, session) }) {
            let source = try choice.open(location.url.path, options: table, mapping: file)
            return Opened(source: source, format: source.format)
        }
        let source = try choice.open(location.url.path, options: table, mapping: mapping)
        return Opened(source: source, format: source.format)
    }

    var tableOptions: TableOptions {
        var options = reading
        options.limits = session.limits
        options.own = session.replicaFiles
        return options
    }

    private struct Opened {
        var source: any Source
        var format: String
        var picturePaths: [String]? { (source as? MappedSource)?.picturePaths }
    }

    /// A source on its way into the replica, with the helpers that the steps of its import share.
    private struct Passage {
        let source: any Source
        let lookup: RowLookup
        let findings = FindingList()
        /// Some sources know their pictures only after they have been read.
        let photos: PhotoHandover
        /// The independent count runs on another core while the source is read.
        let count: IndependentCount

        init(_ source: any Source, _ lookup: RowLookup, _ session: WorkSession) {
            (self.source, self.lookup) = (source, lookup)
            photos = PhotoHandover(session, findings: findings)
            count = IndependentCount(source.countable, limits: session.limits)
        }
    }

    /// Reports new rows that are similar to other rows, or merges them if a person decided so.
    private func merging(_ target: any ImportTarget, _ findings: any FindingSink) -> any ImportTarget {
        guard session.pack.entities.contains(where: { $0.alike != nil }) else { return target }
        return MergingTarget(target, pack: session.pack, decisions: decisions) { [replica = scope.replica] entity in
            guard let alike = entity.alike else { return [] }
            let fields = [alike.name, alike.parameters ?? alike.name, alike.within ?? alike.name]
            return try replica.texts(of: entity.name, fields: fields).map { row in
                MergingTarget.Known(
                    id: row.id, name: row.values[0] ?? "", parameters: alike.parameters == nil ? nil : row.values[1],
                    scope: alike.within == nil ? nil : row.values[2])
            }
        } likeness: { first, second, least in
            RowSimilarity.of((first.name, first.parameters), (second.name, second.parameters), least: least)
        }
    }

    /// A key that identifies the content and the way of reading it. If this run is killed, a later
    /// one resumes from its staged rows only with the same key. Files of a folder besides its
    /// manifest are identified by size and time of change.
    private func resumeKey(_ location: SourceLocation, digest: String?, format: String, entity: String?, state: String)
        throws -> String?
    {
        // Decisions change rows before they are staged, so rows staged without them are of no use.
        guard !isExchange, decisions.isEmpty, let digest else { return nil }
        // Natural keys are looked up in the replica while a file is read; another state of the
        // replica may give other ids.
        var facts = [
            ProgramVersion.current, session.pack.name, session.pack.fingerprint, location.url.path, digest, format,
            entity ?? "", "\(session.limits)",
            "\(options)", "\(reading)", state,
        ]
        if location.isDirectory { facts.append(SourceStamp(location.url.path, leavingOut: session.replicaFiles).text) }
        return FileDigest.sha256(of: Array(facts.joined(separator: "\n").utf8))
    }
}
