import Foundation
import Model
import Replica

/// The replica's side of a proof, table after table, worked out on a thread of its own while the
/// server works out its own side.
final class ProofsAhead {
    private let proofs: BoundedQueue<RowsProof>

    private static let none = RowsProof(rows: 0, digest: "")

    /// Begins with the first table.
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

    /// The proof of the next table. Throws what its reading threw.
    func next() throws -> RowsProof {
        var proof = Self.none
        _ = try proofs.take(&proof)
        return proof
    }
}
