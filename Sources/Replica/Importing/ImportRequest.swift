import Databases
package import Foundation
import GRDB
package import Model

/// What happens to an imported row when the replica has another version of it.
package enum ImportPolicy: String, Sendable, CaseIterable, Codable {
    /// Both sides are kept in `conflicts`, and the row waits in sync state `conflict`.
    case conflict
    /// The file's values replace the row's, unless the row is synced: then it is a conflict all the
    /// same.
    case update
    /// The row stays as it is.
    case skip
}

/// One import: the source of its rows, the actor, and the limits and policies.
package struct ImportRequest {
    package var runID: String?
    package var origin = ChangeOrigin.file
    /// What the actor's role must be allowed.
    package var permission = Permission.import
    /// The file or folder as the caller named it.
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
    /// Everything is tried and counted, and nothing is kept.
    package var isDryRun: Bool
    /// The reason for changing closed records; nil: they may not be changed.
    package var reason: String?
    /// Hexadecimal digits that identify the source's content and how it is read. With them a run
    /// resumes from the rows that a killed run staged. Nil: it starts afresh.
    package var resumeKey: String?
    /// The state of the replica's content that `resumeKey` refers to.
    package var state: String?
    /// How the source is read, stored for its rejected rows: a text that only the code that retries
    /// them interprets; nil: nothing to store.
    package var reading: String?
    /// The name for people of the record that a row refers to in one of its fields, if the row
    /// states its key; called with the row as it was in the source.
    package var parentName: ((_ field: String, _ raw: String, _ place: Place, _ around: String?) throws -> String?)?
    /// SHA-256 of a file that rows came from, by its path; nil if it is `sha256` or not known.
    package var digest: @Sendable (String) -> String? = { _ in nil }
    /// Validates the records that a person's change leads to a state by which somebody vouches for
    /// them; nil: they are not validated.
    package var validation: RecordValidation?
    /// Receives the outcome of each row, before anything is committed.
    package var records: ((ImportRecord) throws -> Void)?

    /// The source and the format of the change set that `init` makes.
    static let founding = "init"
    /// Whether the import makes an administrator, who stands in for a person whose own profile
    /// comes later.
    var isFounding: Bool { format == Self.founding }

    /// The rows are those of the other side of an exchange; nil: of any file.
    package var exchange: ExchangeTerms? {
        didSet { if exchange != nil { format = ExchangeTerms.format } }
    }

    /// Sync states stated by rows are not true of them any more.
    package var deniesStates = false
    /// The conflict that the change resolves, and how.
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
    package var filtered = 0

    package init() {}

    /// Whether any row of the replica was changed.
    package var changesSomething: Bool { imported > 0 || updated > 0 }
    /// Every row that was read is counted exactly once.
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

/// What an import did, or would have done in a dry run.
package struct ImportAccount: Sendable, Hashable, Codable {
    /// One table's counts; `entity` is empty for rows of no known table.
    package struct Line: Sendable, Hashable, Codable {
        package var entity: String
        package var counts: ImportCounts
    }

    /// Id of the import, by which its rejected rows are found.
    package var id: String
    package var source: String
    package var isDryRun: Bool
    /// In the pack's order.
    package var lines: [Line]
    package var photosAttached: Int
    /// Rows that a person removed, by entity; nil: none.
    package var removed: [String: Int]?
    /// True if a run that was interrupted had made this import, and this run only reports it.
    package var isCompleted: Bool?
    /// Sums of numeric fields, if they were requested.
    package var sums: [ImportSum] = []

    /// The account of a file that was refused before any row of it was read: it has no import.
    package static func refused(_ source: String, isDryRun: Bool) -> ImportAccount {
        ImportAccount(id: "", source: source, isDryRun: isDryRun, lines: [], photosAttached: 0)
    }

    /// Adds what another import of the same run did.
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

/// Why an import is refused as a whole; nothing of it is kept.
package enum ImportLimitFailure: Failure, Equatable {
    case tooMany(count: Int, limit: Int)

    package var code: String { "IMPORT-TOO-MANY" }
    package var exitCode: ExitCode { .badInput }
    package var arguments: [String: String] {
        switch self {
        case .tooMany(let count, let limit): ["count": String(count), "limit": String(limit)]
        }
    }
}

/// The outcome of a photo's file for its row.
package enum PhotoAttachment: Sendable, Hashable {
    case attached
    /// The row names this very file already.
    case unchanged
    case noSuchRow
    /// The row came in this import and is in the quarantine now, which is told with the row.
    case refusedRow
    /// The row names a file with other content; it stays as it is.
    case otherContent
}

/// A photo whose file is in the store beside the replica.
package struct ImportedPhoto: Sendable, Hashable {
    package var entity: String
    package var id: String
    /// The path that its row is to hold.
    package var localPath: String
    package var sha256: String
    package var bytes: Int64

    package init(entity: String, id: String, localPath: String, sha256: String, bytes: Int64) {
        (self.entity, self.id, self.localPath, self.sha256, self.bytes) = (entity, id, localPath, sha256, bytes)
    }
}

/// Writes the paths of photos' files in this replica's store into their rows. What a row already
/// states about its file is not changed.
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
        // A file's size is content; its path is not.
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
