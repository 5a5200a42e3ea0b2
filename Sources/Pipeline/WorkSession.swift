package import Foundation
package import Importing
package import Logging
package import Model
package import Packs
import Photos
package import Replica
package import Validating

/// A replica with its pack, and the settings under which work is done in it.
package struct WorkSession {
    package let pack: Pack
    package let packSource: PackSource
    /// Parts of the pack that cannot be used because they contain mistakes.
    package var broken: [BrokenPart] = []
    /// The folder with the packs.
    package let templates: URL
    /// The folder with the core pack, if the folder with the packs has none.
    package var coreTemplates: URL?
    package var replicaPath: String
    /// The folder of the replica, to which stored paths are relative.
    package var replicaFolder: String { URL(fileURLWithPath: replicaPath).deletingLastPathComponent().path }
    /// Files that are not part of an imported folder; in a trial on a copy of the replica, the
    /// original replica's files.
    package var replicaFiles: ReplicaFiles
    package var language: Language
    package var timeZone: TimeZone
    package var environment: String
    package var asOf: Date
    /// Limits for reading files, so that no file can exhaust this machine's memory or disk.
    package var limits = TableLimits()
    /// The e-mail of the profile on whose behalf the work is done.
    package var email: String?
    /// The organisation of projects that have none.
    package var organisation: String?
    /// The folder for files, unless a request names another.
    package var outputFolder: String?
    /// The firm's look on its documents (`brand.yaml`), in place of the pack's.
    package var brandFile: String?
    package var syncing = SyncSetting()
    package let display: any RunDisplay
    package let log: Logger

    /// Makes a session with the pack's language, time zone and environment.
    ///
    /// - Parameter time: the time of the work.
    package init(
        _ pack: Pack, from source: PackSource, in templates: URL, replica: String, at time: Date,
        display: any RunDisplay = SilentDisplay(), log: Logger
    ) throws(SettingFailure) {
        guard let timeZone = TimeZone(identifier: pack.timeZone) else { throw .unknownTimeZone(pack.timeZone) }
        (self.pack, packSource, self.templates, replicaPath) = (pack, source, templates, replica)
        (self.timeZone, asOf, self.display, self.log) = (timeZone, time, display, log)
        replicaFiles = ReplicaFiles(of: replica, and: [])
        language = pack.languages.first ?? .english
        environment = pack.environments.first ?? "DEV"
    }

    /// Throws, with its mistakes, if a requested part of the pack is broken.
    package func ensureSound(_ kind: BrokenPart.Kind, _ name: String) throws {
        if let part = broken.first(where: { $0.kind == kind && $0.name == name }) { throw part.failure }
    }

    /// Reports the broken parts of the pack. Work that does not need them continues.
    package func reportBroken() {
        for part in broken {
            let line = part.failure.mistakes.first?.line(pack.texts, language) ?? ""
            display.warn(text("cli.pack.broken", ["part": part.path, "mistake": line]))
        }
    }

    /// The validator for the pack, with the replica's photos and the office's time zone.
    package var validator: Validator {
        Validator(pack: pack, photos: PhotoFolder(beside: replicaPath), timeZone: timeZone)
    }

    /// Validates everything that the actor sees; stored results of an earlier validation are reused
    /// for unchanged data.
    ///
    /// - Parameter replica: the store for the results; nil when they are not stored.
    package func validate(_ reading: ReadSession, keepingIn replica: Replica?, anew: Bool = false) throws
        -> ValidationSummary
    {
        let photos = PhotoFolder(beside: replicaPath)
        try reading.recallVerdicts(program: ProgramVersion.build, anew: anew) { photos.stamp(of: $0) }
        let summary = try validator.validate(reading, into: reading.findings, progress: { display.show($0.rows) })
        do {
            try replica?.keepVerdicts(reading)
        } catch {
            // Findings are reported even if the results cannot be stored.
            log.debug("the verdicts are not kept", metadata: ["code": "\((error as? any Failure)?.code ?? "INTERNAL")"])
        }
        return summary
    }

    /// The validation that a change runs before it is committed, for records that move to an
    /// approved state. Its results are not stored.
    var recordValidation: RecordValidation {
        RecordValidation(in: timeZone) { reading in
            _ = try validator.validate(reading, into: reading.findings, progress: { display.show($0.rows) })
        }
    }

    /// How CSV is written where nothing else is asked for.
    package var dialect: CSVDialect { CSVDialect(timeZone: timeZone.identifier, language: language) }

    package var hasRemote: Bool { syncing.remote != nil || syncing.packages != nil }

    /// Opens the replica for reading and writing.
    ///
    /// - Parameter seconds: the longest wait for another program's lock.
    package func openReplica(waiting seconds: Int = 5) throws -> Replica {
        try Replica.open(at: replicaPath, pack: pack, source: packSource, busyTimeout: Double(seconds))
    }

    /// The profile on whose behalf the work is done. Throws if there is no such active profile, or
    /// if the profile lacks this permission.
    package func actor(in replica: Replica, to permission: Permission) throws -> Actor {
        guard let email else { throw SettingFailure.noActor }
        let actor = try replica.actor(email: email)
        try actor.ensure(may: permission)
        return actor
    }

    package func context(_ actor: Actor) -> RunContext {
        RunContext(
            id: UUIDv7.make(at: Date()), asOf: asOf, timeZone: timeZone, language: language, environment: environment,
            actor: actor,
            programVersion: ProgramVersion.current)
    }

    /// Ids of the actor's projects, or of the given one, if it is one of the actor's.
    package func projectIDs(of actor: Actor, _ code: String?, _ replica: Replica) throws -> [String] {
        let projects = try replica.status(visibleTo: actor.id, as: actor.role, runs: 0).projects
        guard let code else { return projects.map(\.id) }
        guard let project = projects.first(where: { $0.code == code }) else {
            throw SelectionFailure.unknownProject(code, visible: projects.map(\.code))
        }
        return [project.id]
    }

    /// Ids of the projects in which the actor may change rows and decide conflicts, or of the given
    /// one. For administrators these are all projects.
    package func workProjectIDs(of actor: Actor, _ code: String?, _ replica: Replica) throws -> [String] {
        let all = try workProjects(of: actor, replica)
        guard let code else { return all.map(\.id) }
        guard let project = all.first(where: { $0.code == code }) else {
            throw SelectionFailure.unknownProject(code, visible: all.map(\.code))
        }
        return [project.id]
    }

    /// The projects in which the actor may work, with their codes.
    package func workProjects(of actor: Actor, _ replica: Replica) throws -> [(id: String, code: String)] {
        guard actor.role.permissions.contains(.administer) else {
            return try replica.status(visibleTo: actor.id, as: actor.role, runs: 0).projects.map { ($0.id, $0.code) }
        }
        let naming = pack.project
        return try replica.texts(of: naming.entity, fields: [naming.code]).map { ($0.id, $0.values[0] ?? $0.id) }
    }

    /// The SQL of an export's widest sheet, written over the replica's plain tables, for the
    /// actor's first project.
    package func plainQuery(of definition: ExportDefinition) throws -> String {
        let actor = try actor(in: openReplica(), to: .read)
        let reading = try ReadSession(
            path: replicaPath, pack: pack, actor: actor, projects: [], timeZone: timeZone, asOf: asOf)
        guard let kind = pack.record(definition.record), let project = reading.projects.first else { return "" }
        _ = try reading.select(kind, in: project, SelectionRequest(), hasRemote: false)
        return try reading.plainQuery(of: definition)
    }

    /// A finding as a row of a sheet: code, severity, record, message.
    func findingRow(_ finding: Finding) -> [String] {
        let text = findingText
        return [
            finding.code, text.severity(finding.severity), finding.place.key ?? finding.place.id ?? "",
            text.message(of: finding),
        ]
    }

    package func text(_ key: String, _ arguments: [String: String] = [:]) -> String {
        pack.texts.text(key, in: language, arguments)
    }

    package var findingText: FindingText { FindingText(pack.texts, of: pack, in: language, zone: timeZone) }

    func label(ofRole role: String) -> String { pack.texts.textIfAny("role." + role, in: language) ?? role }

    /// The values of a vocabulary as people read them.
    package func words(of vocabulary: Vocabulary) -> [String] {
        vocabulary.values.map { vocabulary.word(for: $0, pack.texts, in: language) }
    }

    /// The value that a person means: by itself, by its label in any language, or by another spelling.
    package func value(called word: String, in vocabulary: Vocabulary) -> String? {
        if vocabulary.values.contains(word) { return word }
        return vocabulary.valuesByWord(pack.texts, ColumnName.folded)[ColumnName.folded(word)]
    }

    /// The state of records that a person means; any other word is unchanged.
    package func state(called word: String) -> String {
        let known = recordStates
        return known.contains { $0.values.contains(word) }
            ? word : known.lazy.compactMap { value(called: word, in: $0) }.first ?? word
    }

    /// The labels of all states that records may have, by state.
    var stateLabels: [String: String] {
        recordStates.reduce(into: [:]) { labels, states in
            for (state, label) in zip(states.values, words(of: states)) where labels[state] == nil {
                labels[state] = label
            }
        }
    }

    /// The vocabularies of the states that records may have.
    private var recordStates: [Vocabulary] {
        pack.records.compactMap { pack.entity($0.root) }.compactMap { entity in
            let field = entity.states.flatMap { entity.field($0.field) }
            return field?.vocabulary.flatMap { pack.vocabulary($0) }
        }
    }

    /// What the details of records left out mean: states of records and of their sync.
    var leftOutLabels: [LeftOutReason: [String: String]] {
        let sync = SyncState.allCases.map { ($0.rawValue, text("vocabulary.sync_state." + $0.rawValue)) }
        return [.state: stateLabels, .syncState: Dictionary(uniqueKeysWithValues: sync)]
    }

    /// A field's translated label, preceded by its table's label.
    package func label(ofField field: String, in entity: String) -> String {
        guard let described = pack.entity(entity), let named = described.field(field) else {
            return "\(entity).\(field)"
        }
        return text(described.textKey) + ": " + text(described.textKey(of: named))
    }
}

/// What shows a person how far the work is. The door to the program implements it.
package protocol RunDisplay: Sendable {
    /// Whether a person watches the progress. If not, the log has a line for each file.
    var isWatched: Bool { get }

    func begin(_ title: String, total: Int?)

    /// Begins another part of the same step. The total is only computed if it is shown.
    func part(of total: @autoclosure () throws -> Int?) rethrows

    /// Reports how many units are done.
    func show(_ done: Int)

    /// - Parameter units: the translated name of the units.
    func show(_ done: Int, of units: String)

    func show(_ files: FileProgress)

    func end()

    /// Shows a message that is no part of the outcome.
    func warn(_ text: String)

    /// Asks the person for the password to the central database; nil if nobody answers.
    func password(_ question: String) -> String?
}

/// Shows nothing, as nobody watches.
package struct SilentDisplay: RunDisplay {
    package let isWatched = false

    package init() {}

    package func begin(_ title: String, total: Int?) {}
    package func part(of total: @autoclosure () throws -> Int?) rethrows {}
    package func show(_ done: Int) {}
    package func show(_ done: Int, of units: String) {}
    package func show(_ files: FileProgress) {}
    package func end() {}
    package func warn(_ text: String) {}
    package func password(_ question: String) -> String? { nil }
}

/// The program's version, as shown in files, runs and `--version`.
package enum ProgramVersion {
    package static let current = "0.1.0"

    /// Identifies the program in data stored between runs: another build of the same version may
    /// validate differently.
    package static let build: String = {
        // The executable's path is not used: another build may have replaced the file while this
        // one runs.
        var facts = stat()
        guard unsafe stat("/proc/self/exe", &facts) == 0 else { return current }
        return "\(current) \(facts.st_size) \(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec)"
    }()
}

/// Paths as the user gives them.
package enum FileName {
    /// The path with all symbolic links resolved, including those of folders.
    static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }

    /// The target, if the path is a symbolic link to a file. The files beside a replica (lock,
    /// photos) are beside the target, not beside the link.
    package static func real(_ path: String) -> String {
        guard (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil,
            FileManager.default.fileExists(atPath: path)
        else { return path }
        return URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }
}
