import Model
import Replica

/// What a sync did, or would do.
struct SyncResult: Encodable, Sendable {
    /// Rows of a table that would come.
    struct Expected: Encodable, Sendable {
        var project: String?
        var entity: String
        var rows: Int
    }

    /// One table of one project, here and there.
    struct Proof: Encodable, Sendable {
        var project: String?
        var entity: String
        var here: RowsProof
        var there: RowsProof
        /// Ids that only one side has, or in another version; at most twenty.
        var differing: [String] = []

        var isEqual: Bool { here == there }

        private enum CodingKeys: String, CodingKey { case project, entity, here, there, differing }
    }

    var remote: String
    var environment: String
    var isPlan: Bool
    /// Codes of the projects that are kept offline.
    var projects: [String] = []
    var expected: [Expected]?
    /// What waits here, of a plan.
    var waiting: PushSummary?
    var sent = SentChanges()
    var pulled = PullAccount()
    var files = ExchangedFiles()
    var proof: [Proof]?
    var findings: [Finding] = []
}
