/// What the file of a photo is held against; everything but the file may be left out. All paths start at the photo's row.
package struct PhotoCheck: Sendable, Hashable {
    /// Where the photo was taken, as recorded.
    package enum Place: Sendable, Hashable {
        /// Degrees on WGS 84.
        case geographic(latitude: FieldPath, longitude: FieldPath)
        /// Metres, a zone such as `18S`, and the datum where it is recorded: others than WGS 84 are not judged.
        case utm(easting: FieldPath, northing: FieldPath, zone: FieldPath, datum: FieldPath?)

        package var paths: [FieldPath] {
            switch self {
            case .geographic(let latitude, let longitude): [latitude, longitude]
            case .utm(let easting, let northing, let zone, let datum): [easting, northing, zone] + (datum.map { [$0] } ?? [])
            }
        }
    }

    /// The text with the path under which an import keeps the file, relative to the replica's folder.
    package var file: FieldPath
    /// Most pixels of the longer side.
    package var longestSide: Int?
    package var bytes: FieldPath?
    package var sha256: FieldPath?
    /// The instant of the exposure.
    package var time: FieldPath?
    /// Seconds by which the camera's time may differ from the recorded one.
    package var timeTolerance: Int
    package var place: Place?
    /// Metres by which the camera's position may differ from the recorded one.
    package var reach: Int

    package init(
        file: FieldPath, longestSide: Int? = nil, bytes: FieldPath? = nil, sha256: FieldPath? = nil, time: FieldPath? = nil,
        timeTolerance: Int = 120, place: Place? = nil, reach: Int = 100
    ) {
        self.file = file
        self.longestSide = longestSide
        self.bytes = bytes
        self.sha256 = sha256
        self.time = time
        self.timeTolerance = timeTolerance
        self.place = place
        self.reach = reach
    }

    /// Every field that it reads.
    package var paths: [FieldPath] {
        [file] + [bytes, sha256, time].compactMap(\.self) + (place?.paths ?? [])
    }

    /// The finding codes of its faults.
    package static let codes = [
        "PHOTO-FILE-MISSING", "PHOTO-UNREADABLE", "PHOTO-NOT-JPEG", "PHOTO-TRUNCATED", "PHOTO-TOO-LARGE", "PHOTO-SIZE", "PHOTO-CHECKSUM",
        "PHOTO-TIME", "PHOTO-PLACE",
    ]
}
