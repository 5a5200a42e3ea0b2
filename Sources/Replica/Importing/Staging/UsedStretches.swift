import Model
import Synchronization

/// Stretches whose rows are done with, so that the room that they have is used again.
final class UsedStretches: Sendable {
    private let stretches = Mutex<[ImportedStretch]>([])

    func add(_ stretch: consuming ImportedStretch) {
        var stretch = stretch
        stretch.removeAll()
        let empty = stretch
        stretches.withLock { $0.append(empty) }
    }

    /// An empty stretch for rows of the same table.
    func empty(like stretch: borrowing ImportedStretch) -> ImportedStretch {
        let kinds = stretch.batches.map { ($0.entity, $0.fields, $0.place) }
        let known = stretches.withLock { stretches -> ImportedStretch? in
            let index = stretches.firstIndex { known in
                known.batches.count == kinds.count && zip(known.batches, kinds).allSatisfy { $0.entity == $1.0 && $0.fields == $1.1 && $0.place == $1.2 }
            }
            if let index { return stretches.remove(at: index) }
            stretches.removeAll()
            return nil
        }
        return known ?? ImportedStretch(stretch.batches.map { batch in
            ImportedBatch(
                entity: batch.entity, fields: batch.fields, place: batch.place, raw: RawCells(headings: batch.raw.headings, isText: batch.raw.isText))
        })
    }
}
