package import Foundation
package import Model

/// What happens to an imported row when the replica has another version of it.
package enum ImportPolicy: String, Sendable, CaseIterable, Codable {
    /// Both sides are kept in `conflicts`, and the row waits in sync state `conflict`.
    case conflict
    /// The file's values replace the row's, unless the row is synced: then it is a conflict all the same.
    case update
    /// The row stays as it is.
    case skip
}

/// One import: where the rows come from, on whose behalf, and how careful.
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
    /// More rejected rows than this end the import, and nothing of it stays; nil: any number.
    package var maximumErrors: Int?
    /// Everything is tried and counted, and nothing stays.
    package var isDryRun: Bool
    /// Why records that are closed may be changed all the same; nil: they may not.
    package var reason: String?
    /// Hexadecimal digits that stand for the source's content and for how it is read: by them a run goes on with what a killed one staged.
    /// Nil: it begins anew.
    package var resumeKey: String?
    /// The state of the replica's content that `resumeKey` speaks of.
    package var state: String?
    /// How the source is read, for its rejected rows: a text that only whoever tries them again understands; nil: there is nothing to it.
    package var reading: String?
    /// What people know the record by that a row refers to in one of its fields, where the row says its key; called with the row as it stood.
    package var parentName: ((_ field: String, _ raw: String, _ place: Place, _ around: String?) throws -> String?)?
    /// SHA-256 of a file that rows came from, by its path; nil where it is `sha256` or not known.
    package var digest: @Sendable (String) -> String? = { _ in nil }
    /// Told of each row what becomes of it, before anything is committed.
    package var records: ((ImportRecord) throws -> Void)?

    /// The source and the format of what `init` makes.
    static let founding = "init"
    /// Whether it makes an administrator, who stands in for a person whose own profile comes later.
    var isFounding: Bool { format == Self.founding }

    /// The conflict that the change ends, and how.
    package var decision: ConflictDecision?
    /// Whether the actor becomes a member of the projects that come in.
    package var joins = false
    /// Whether sums of the source are held against those of the replica.
    package var wantsSums = false
    var wantsRecords: Bool { records != nil }

    package init(
        runID: String? = nil, source: String, sha256: String? = nil, format: String, actor: Actor, environment: String,
        startedAt: Date, policy: ImportPolicy = .conflict, maximumErrors: Int? = nil, isDryRun: Bool = false, reason: String? = nil, resumeKey: String? = nil
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

/// What became of the rows of one table.
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

    /// Whether any row of the replica is other than before.
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

/// What an import did, or would have done.
package struct ImportReport: Sendable, Hashable, Codable {
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
    /// Rows that a person took away, by entity; nil: none.
    package var removed: [String: Int]?
    /// True where a run that was interrupted had brought it in, and this one only tells of it.
    package var isCompleted: Bool?
    /// Sums of numeric fields, where they were asked for.
    package var sums: [ImportSum] = []

    /// Whether any row of the replica is other than before, by a person's word.
    package var changesSomething: Bool { isDecision || total.changesSomething || removed != nil }
    /// Whether a conflict was ended.
    var isDecision: Bool { decision != nil }
    package var decision: String?

    package var total: ImportCounts {
        lines.reduce(into: ImportCounts()) { total, line in
            for outcome in ImportOutcome.allCases { total.add(outcome, line.counts[outcome]) }
        }
    }
}

/// Why an import as a whole is refused; nothing of it stays.
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

/// What became of a photo's file for its row.
package enum PhotoAttachment: Sendable, Hashable {
    case attached
    /// The row names this very file already.
    case unchanged
    case noSuchRow
    /// The row speaks of a file with other content; it stays as it is.
    case otherContent
}
