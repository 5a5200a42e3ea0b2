import Model
import Photos

/// What the files of a package's photos say of themselves: pixels, and the place that the camera wrote. Rows take it over where they
/// say nothing.
struct PhotoFacts {
    private var pictures: [String: JPEGPicture] = [:]

    /// Remembers a photo by the id of its row; what is no JPEG, or larger than any photo, says nothing.
    mutating func add(_ bytes: [UInt8], id: String) {
        guard bytes.count <= PhotoFolder.maximumBytes else { return }
        pictures[id] = PhotoFile(bytes: bytes).picture
    }

    var isEmpty: Bool { pictures.isEmpty }

    /// The rows with what they lack.
    func completed(_ batch: ImportedBatch, _ entity: Entity) -> ImportedBatch {
        var changes: [Int: [Int: MemoryRows.Value]] = [:]
        for row in 0..<batch.rows.rowCount {
            guard let id = batch.rows.string(row, batch.fields.count - 1), let picture = pictures[id] else { continue }
            for (fact, value) in Self.facts(of: picture) {
                guard let field = entity.file[fact].flatMap({ entity.position(ofField: $0) }), let column = batch.column(ofField: field), batch.rows.cell(row, column).kind == .null
                else { continue }
                changes[row, default: [:]][column] = value
            }
        }
        return batch.replacing(changes)
    }

    /// A time is taken only from a camera that says how far its clock is from UTC.
    static func facts(of picture: JPEGPicture) -> [(Entity.FileFact, MemoryRows.Value)] {
        var facts: [(Entity.FileFact, MemoryRows.Value)] = [(.width, .integer(Int64(picture.width))), (.height, .integer(Int64(picture.height)))]
        if let latitude = picture.camera.latitude, let longitude = picture.camera.longitude {
            facts += [(.latitude, .real(latitude)), (.longitude, .real(longitude))]
        }
        if let taken = picture.camera.taken, let offset = taken.offset, let time = Timestamp.normalized(text(taken, offset)) {
            facts.append((.taken, .text(time)))
        }
        return facts
    }

    private static func text(_ time: CameraTime, _ offset: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        let away = abs(offset)
        return "\(time.year)-\(two(time.month))-\(two(time.day))T\(two(time.hour)):\(two(time.minute)):\(two(min(59, time.second)))"
            + (offset < 0 ? "-" : "+") + two(away / 3600) + ":" + two(away / 60 % 60)
    }
}
