import Model
import Synchronization

/// Batches whose rows are done with, so that the room that they have is used again.
final class UsedBatches: Sendable {
    private let batches = Mutex<[ImportedBatch]>([])

    func add(_ batch: consuming ImportedBatch) {
        var batch = batch
        batch.removeAll()
        let empty = batch
        batches.withLock { $0.append(empty) }
    }

    /// An empty batch for rows of the same kind.
    func empty(like batch: borrowing ImportedBatch) -> ImportedBatch {
        let (entity, fields, place, headings) = (batch.entity, batch.fields, batch.place, batch.raw.headings)
        return batches.withLock { batches in
            if let index = batches.firstIndex(where: { $0.entity == entity && $0.fields == fields && $0.place == place }) {
                return batches.remove(at: index)
            }
            batches.removeAll()
            return ImportedBatch(entity: entity, fields: fields, place: place, headings: headings)
        }
    }
}
