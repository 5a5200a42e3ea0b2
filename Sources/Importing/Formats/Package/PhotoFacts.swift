import Foundation
import Model
import Photos

/// Facts that photo files tell of themselves: what kind they are, pixels, and the position that the
/// camera wrote. They fill gaps in the rows.
struct PhotoFacts {
    private var files: [String: [(Entity.FileFact, MemoryRows.Value)]] = [:]

    /// Stores the facts of a photo by the id of its row; a file that is no picture, or larger than
    /// any photo, has none.
    mutating func add(_ bytes: [UInt8], id: String) {
        guard bytes.count <= PhotoFolder.maximumBytes, let kind = PictureKind(bytes) else { return }
        files[id] = Self.facts(of: kind, PhotoFile(bytes: bytes).picture)
    }

    var isEmpty: Bool { files.isEmpty }

    /// The rows with their gaps filled.
    func completed(_ batch: ImportedBatch, _ entity: Entity) -> ImportedBatch {
        var changes: [Int: [Int: MemoryRows.Value]] = [:]
        for row in 0..<batch.rows.rowCount {
            guard let id = batch.rows.string(row, batch.fields.count - 1), let facts = files[id] else { continue }
            for (fact, value) in facts {
                guard let field = entity.file[fact].flatMap({ entity.position(ofField: $0) }), let column = batch.column(ofField: field), batch.rows.cell(row, column).kind == .null
                else { continue }
                changes[row, default: [:]][column] = value
            }
        }
        return batch.replacing(changes)
    }

    /// A time is used only if the camera states the offset of its clock from UTC.
    ///
    /// - Parameter picture: what was read of a JPEG; of other kinds nothing more is known.
    static func facts(of kind: PictureKind, _ picture: JPEGPicture?) -> [(Entity.FileFact, MemoryRows.Value)] {
        var facts: [(Entity.FileFact, MemoryRows.Value)] = [(.type, .text(kind.type))]
        guard let picture else { return facts }
        facts += [(.width, .integer(Int64(picture.width))), (.height, .integer(Int64(picture.height)))]
        if let latitude = picture.camera.latitude, let longitude = picture.camera.longitude {
            facts += [(.latitude, .real(latitude)), (.longitude, .real(longitude))]
        }
        if let taken = picture.camera.taken, taken.offset != nil {
            facts.append((.taken, .text(Timestamp.format(taken.instant(in: .gmt)))))
        }
        return facts
    }
}
