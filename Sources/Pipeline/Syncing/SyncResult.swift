import Foundation
package import Model
package import Replica

/// Result of a sync, or of its plan.
package struct SyncResult: Encodable, Sendable {
    /// Numbers of a table's rows that a sync would fetch and would remove.
    package struct Expected: Encodable, Sendable {
        package var project: String?
        package var entity: String
        package var rows: Int
        package var removed: Int
    }

    /// Comparison of one table of one project in the replica and on the server.
    package struct Proof: Encodable, Sendable {
        package var project: String?
        package var entity: String
        package var here: RowsProof
        package var there: RowsProof
        /// Ids of rows that only one side has, or that have different versions; at most twenty.
        package var differing: [String] = []
        /// Number of rows that differ from the server's, because a change of the row or of its
        /// record waits to be sent or decided.
        package var waiting = 0

        package var isEqual: Bool { here == there || (differing.isEmpty && waiting > 0) }

        private enum CodingKeys: String, CodingKey { case project, entity, here, there, differing, waiting }
    }

    package var remote: String
    package var environment: String
    package var isPlan: Bool
    /// Codes of the projects that the actor has offline.
    package var projects: [String] = []
    package var expected: [Expected]?
    /// The waiting changes, in a plan.
    package var waiting: PushSummary?
    package var sent = SentChanges()
    /// Whether the rows of projects were fetched too.
    package var isWithRecords = true
    package var pulled = PullAccount()
    package var files = SyncedFiles()
    package var proof: [Proof]?
    /// Whether the proof compared values too.
    package var isDeep = false
    /// Paths of the documents of the proof.
    package var documents: [String] = []
    /// Result of an exchange by packages; nil: the sync partner is a server.
    package var packages: PackageExchange?
    package var findings: [Finding] = []

    /// Whether both sides were compared and are equal; nil: they were not compared.
    package var isProven: Bool? { proof.map { $0.allSatisfy(\.isEqual) } }

    package var exitCode: ExitCode {
        isProven == false || findings.contains { $0.severity == .error } ? .findings : .done
    }
}

/// Calculates the replica's proofs, table after table, in a separate thread while the server
/// calculates its own.
final class ProofsAhead {
    private let proofs: BoundedQueue<RowsProof>

    private static let none = RowsProof(rows: 0, digest: "")

    /// Starts the calculation with the first table.
    init(_ replica: Replica, _ scopes: [(Entity, ProofScope)]) {
        proofs = BoundedQueue(Array(repeating: Self.none, count: 4))
        let thread = Thread { [proofs] in
            do {
                for (entity, scope) in scopes {
                    var proof = try replica.proof(of: entity, in: scope)
                    guard try proofs.give(&proof) else { break }
                }
                proofs.end()
            } catch {
                proofs.end(error)
            }
        }
        thread.name = "fichero.proof"
        thread.start()
    }

    deinit { proofs.stop() }

    /// Returns the proof of the next table. Throws the error that ended the calculation.
    func next() throws -> RowsProof {
        var proof = Self.none
        _ = try proofs.take(&proof)
        return proof
    }
}
