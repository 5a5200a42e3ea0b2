import JSONReading
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

    /// The row with what it lacks. A time is taken only from a camera that says how far its clock is from UTC.
    func completed(_ row: SourceRow, _ entity: Entity) -> SourceRow {
        guard let id = row.value["id"]?.text?.lowercased(), let picture = pictures[id], case .object(var members) = row.value else { return row }
        func give(_ name: String, _ value: JSONValue?) {
            guard let value, let field = entity.field(name) else { return }
            let names = [field.name] + field.aliases
            guard !members.contains(where: { names.contains($0.key) && $0.value != .null }) else { return }
            members.removeAll { names.contains($0.key) }
            members.append(.init(key: field.name, value: value))
        }
        give("width_px", .number(String(picture.width)))
        give("height_px", .number(String(picture.height)))
        if let latitude = picture.camera.latitude, let longitude = picture.camera.longitude {
            give("latitude", .number(latitude.description))
            give("longitude", .number(longitude.description))
        }
        if let taken = picture.camera.taken, let offset = taken.offset { give("taken_at", .string(Self.text(taken, offset))) }
        var completed = row
        completed.value = .object(members)
        return completed
    }

    private static func text(_ time: CameraTime, _ offset: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        let away = abs(offset)
        return "\(time.year)-\(two(time.month))-\(two(time.day))T\(two(time.hour)):\(two(time.minute)):\(two(min(59, time.second)))"
            + (offset < 0 ? "-" : "+") + two(away / 3600) + ":" + two(away / 60 % 60)
    }
}
