import Databases
package import Foundation
import GRDB
package import Model

/// Handling of an imported row when the replica has another version of it.
package enum ImportPolicy: String, Sendable, CaseIterable, Codable {
    /// Both versions are stored in `conflicts`, and the row waits in sync state `conflict`.
    case conflict
    /// The file's values replace the row's, except for a synced row, which becomes a conflict.
    case update
    /// As `update`, and a row that the replica does not have is refused.
    case updateOnly = "update-only"
    /// The replica's row is not changed.
    case skip

    /// Whether the file's values replace those of the replica.
    var updates: Bool { self == .update || self == .updateOnly }
}

/// One import: the source of its rows, the actor, and the limits and policies.
package struct ImportRequest {
    package var runID: String?
    package var origin = ChangeOrigin.file
    /// The permission that the actor's role needs.
    package var permission = Permission.import
    /// The file or folder, as the caller specified it.
    package var source: String
    package var sha256: String?
    /// `json`, `ndjson`, `package`.
    package var format: String
    package var actor: Actor
    package var environment: String
    package var startedAt: Date
    package var policy: ImportPolicy
    /// If more rows than this are rejected, the import ends and is rolled back; nil: any number.
    package var maximumErrors: Int?
    /// Whether all rows are processed and counted, but nothing is stored.
    package var isDryRun: Bool
    /// The reason for changing closed records; nil: they must not be changed.
    package var reason: String?
    /// Hexadecimal digits that identify the source's content and the way in which it is read. With
    /// this key, a run resumes from the rows that a killed run staged. Nil: the run starts from the
    /// beginning.
    package var resumeKey: String?
    /// The state of the replica's content that `resumeKey` refers to.
    package var state: String?
    /// Description of how the source is read, stored for its rejected rows. Only the code that
    /// retries these rows interprets it. Nil: nothing to store.
    package var reading: String?
    /// Returns the readable name of the record that one of a row's fields refers to, if the row
    /// contains that record's key. The row is passed as it was in the source.
    package var parentName: ((_ field: String, _ raw: String, _ place: Place, _ around: String?) throws -> String?)?
    /// Returns the SHA-256 of a source file by its path; nil if it is `sha256` or unknown.
    package var digest: @Sendable (String) -> String? = { _ in nil }
    /// Validates the records that a person's change moves to a state that means approval; nil: they
    /// are not validated.
    package var validation: RecordValidation?
    /// Receives the outcome of each row before the commit.
    package var records: ((ImportRecord) throws -> Void)?

    /// The source and the format of the change set that `init` makes.
    static let founding = "init"
    /// Whether the import creates an administrator as a stand-in for a person whose real profile
    /// arrives later.
    var isFounding: Bool { format == Self.founding }

    /// Terms of an exchange, if the rows come from a sync partner; nil for an ordinary file.
    package var exchange: ExchangeTerms? {
        didSet { if exchange != nil { format = ExchangeTerms.format } }
    }

    /// Whether sync states in the rows are ignored because they are no longer true.
    package var deniesStates = false
    /// The conflict that the change resolves, and the chosen side.
    package var decision: ConflictDecision?
    /// Whether the actor becomes a member of the projects that the change creates.
    package var joins = false
    /// Whether sums of the source are compared with those of the replica.
    package var wantsSums = false
    var wantsRecords: Bool { records != nil }

    package init(
        runID: String? = nil, source: String, sha256: String? = nil, format: String, actor: Actor, environment: String,
        startedAt: Date, policy: ImportPolicy = .conflict, maximumErrors: Int? = nil, isDryRun: Bool = false,
        reason: String? = nil, resumeKey: String? = nil
    ) {
        self.reason = reason
        self.resumeKey = resumeKey
        self.runID = runID
        self.source = source
        self.sha256 = sha256
        self.format = format
        self.actor = actor
        self.environment = environment
        self.startedAt = startedAt
        self.policy = policy
        self.maximumErrors = maximumErrors
        self.isDryRun = isDryRun
    }
}

/// Outcomes of the rows of one table.
package struct ImportCounts: Sendable, Hashable, Codable {
    package var imported = 0
    package var updated = 0
    package var unchanged = 0
    package var skipped = 0
    package var conflict = 0
    package var rejected = 0
    package var waiting = 0
    /// Rows that were read but left out, or that later rows of the source replaced.
    package var filtered = 0

    package init() {}

    /// Whether any row of the replica was changed.
    package var changesSomething: Bool { imported > 0 || updated > 0 }
    /// The number of rows that were read; each has exactly one outcome.
    package var read: Int { ImportOutcome.allCases.reduce(0) { $0 + self[$1] } }

    package private(set) subscript(outcome: ImportOutcome) -> Int {
        get { self[keyPath: Self.path(outcome)] }
        set { self[keyPath: Self.path(outcome)] = newValue }
    }

    private static func path(_ outcome: ImportOutcome) -> WritableKeyPath<Self, Int> {
        switch outcome {
        case .imported: \.imported
        case .updated: \.updated
        case .unchanged: \.unchanged
        case .skipped: \.skipped
        case .conflict: \.conflict
        case .rejected: \.rejected
        case .waiting: \.waiting
        case .filtered: \.filtered
        }
    }

    mutating func add(_ outcome: ImportOutcome, _ number: Int = 1) { self[outcome] += number }
}

/// Result of an import, or the expected result in a dry run.
package struct ImportAccount: Sendable, Hashable, Codable {
    /// One table's counts; `entity` is empty for rows that belong to no known table.
    package struct Line: Sendable, Hashable, Codable {
        package var entity: String
        package var counts: ImportCounts
    }

    /// Id of the import, by which its rejected rows can be found.
    package var id: String
    package var source: String
    package var isDryRun: Bool
    /// In the pack's order.
    package var lines: [Line]
    package var photosAttached: Int
    /// Rows that a person removed, by entity; nil if there are none.
    package var removed: [String: Int]?
    /// True if a run that was interrupted had made this import, and this run only reports it.
    package var isCompleted: Bool?
    /// Sums of numeric fields, if they were requested.
    package var sums: [ImportSum] = []

    /// Report on a file that was refused before any row was read; no import exists for it.
    package static func refused(_ source: String, isDryRun: Bool) -> ImportAccount {
        ImportAccount(id: "", source: source, isDryRun: isDryRun, lines: [], photosAttached: 0)
    }

    /// Adds the counts of another import of the same run.
    package mutating func add(_ other: ImportAccount) {
        for line in other.lines {
            guard let index = lines.firstIndex(where: { $0.entity == line.entity }) else {
                lines.append(line)
                continue
            }
            for outcome in ImportOutcome.allCases { lines[index].counts.add(outcome, line.counts[outcome]) }
        }
        photosAttached += other.photosAttached
    }

    /// Whether the change had any effect, including the resolution of a conflict.
    package var changesSomething: Bool { isDecision || total.changesSomething || removed != nil }
    /// Whether a conflict was resolved.
    var isDecision: Bool { decision != nil }
    package var decision: String?

    package var total: ImportCounts {
        lines.reduce(into: ImportCounts()) { total, line in
            for outcome in ImportOutcome.allCases { total.add(outcome, line.counts[outcome]) }
        }
    }
}

/// Reason why an import is refused as a whole; nothing of it is stored.
package typealias ImportLimitFailure = DeclaredFailure<ImportRequest>

extension ImportLimitFailure {
    package static func tooMany(count: Int, limit: Int) -> Self {
        Self("IMPORT-TOO-MANY", .badInput, ["count": count, "limit": limit])
    }
}

/// The outcome of adding a photo's file to its row.
package enum PhotoAttachment: Sendable, Hashable {
    case attached
    /// The row already contains this file's details.
    case unchanged
    case noSuchRow
    /// This import quarantined the photo's row, and reports the photo with that row.
    case refusedRow
    /// The row describes a file with other content; the row is not changed.
    case otherContent
}

/// A photo whose file is in the photo store beside the replica.
package struct ImportedPhoto: Sendable, Hashable {
    package var entity: String
    package var id: String
    /// The path to store in the photo's row.
    package var localPath: String
    package var sha256: String
    package var bytes: Int64

    package init(entity: String, id: String, localPath: String, sha256: String, bytes: Int64) {
        (self.entity, self.id, self.localPath, self.sha256, self.bytes) = (entity, id, localPath, sha256, bytes)
    }
}

/// Writes the paths of photo files in this replica's store into the photos' rows. Other details of
/// a file that a row already contains are not changed.
final class PhotoAttacher {
    private let db: Database
    private let stamp: Int64
    private var updates: [String: PreparedStatement] = [:]
    /// Photos attached so far.
    private(set) var count = 0

    init(_ db: Database, stamp: Int64) {
        self.db = db
        self.stamp = stamp
    }

    func attach(
        _ importer: EntityImporter, id: String, to row: [MemoryRows.Value], localPath: String, sha256: String,
        bytes: Int64
    ) throws -> PhotoAttachment {
        let columns = importer.photo
        guard let path = columns.path else { return .noSuchRow }
        let given: [(index: Int, value: MemoryRows.Value)] = [
            columns.sha256.map { ($0, .text(sha256)) }, columns.bytes.map { ($0, .integer(bytes)) },
        ].compactMap(\.self)
        guard given.allSatisfy({ row[$0.index] == .null || row[$0.index] == $0.value }) else { return .otherContent }
        let missing = given.filter { row[$0.index] == .null }
        guard !missing.isEmpty || row[path] != .text(localPath) else { return .unchanged }
        // A file's size and checksum are content, so they get a new stamp; its path does not.
        let sets =
            [(path, MemoryRows.Value.text(localPath))] + missing + (missing.isEmpty ? [] : [(-1, .integer(stamp))])
        let update = try update(importer.entity, sets.map(\.0))
        for (position, set) in sets.enumerated() { try update.bind(set.1, at: position + 1) }
        try update.bind(id, at: sets.count + 1)
        try update.run()
        count += 1
        return .attached
    }

    private func update(_ entity: Entity, _ columns: [Int]) throws -> PreparedStatement {
        let names = columns.map { $0 < 0 ? SystemColumn.contentStamp.rawValue : entity.fields[$0].name }
        let key = ([entity.name] + names).joined(separator: " ")
        if let update = updates[key] { return update }
        let update = try PreparedStatement(
            db,
            """
            UPDATE \(SQLText.name(entity.name)) SET \
            \(names.map { SQLText.name($0) + " = ?" }.joined(separator: ", ")) WHERE id = ?
            """
        )
        updates[key] = update
        return update
    }
}
