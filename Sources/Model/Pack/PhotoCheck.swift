/// The facts with which the file of a photo is compared. All but the file are optional. All paths
/// start at the photo's row.
package struct PhotoCheck: Sendable, Hashable {
    /// Where the photo was taken, as recorded.
    package enum Place: Sendable, Hashable {
        /// Degrees on WGS 84.
        case geographic(latitude: FieldPath, longitude: FieldPath)
        /// Metres, a zone such as `18S`, and the field with the datum. With such a field, only
        /// places on the datum `WGS84` are judged.
        case utm(easting: FieldPath, northing: FieldPath, zone: FieldPath, datum: FieldPath?)

        package var paths: [FieldPath] {
            switch self {
            case .geographic(let latitude, let longitude): [latitude, longitude]
            case .utm(let easting, let northing, let zone, let datum): [easting, northing, zone] + (datum.map { [$0] } ?? [])
            }
        }
    }

    /// The text with the path under which an import keeps the file, relative to the replica's
    /// folder.
    package var file: FieldPath
    /// Most pixels of the longer side.
    package var longestSide: Int?
    package var bytes: FieldPath?
    package var sha256: FieldPath?
    /// The instant of the exposure.
    package var time: FieldPath?
    /// Seconds by which the camera's time may differ from the recorded one.
    package var timeTolerance = 120
    package var place: Place?
    /// Metres by which the camera's position may differ from the recorded one.
    package var reach = 100

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

extension PhotoCheck {
    init?(_ node: PackNode) {
        guard let file = node.path("file") else { return nil }
        self.init(
            file: file, longestSide: node.integer("longestSide"), bytes: node.path("bytes"), sha256: node.path("sha256"), time: node.path("time"))
        if let tolerance = node.integer("timeTolerance") { timeTolerance = tolerance }
        place = node["place"].flatMap(Place.init)
        if let reach = node["place"]?.integer("within") { self.reach = reach }
    }
}

extension PhotoCheck.Place {
    fileprivate init?(_ node: PackNode) {
        if let latitude = node.path("latitude"), let longitude = node.path("longitude") {
            self = .geographic(latitude: latitude, longitude: longitude)
        } else if let easting = node.path("easting"), let northing = node.path("northing"), let zone = node.path("zone") {
            self = .utm(easting: easting, northing: northing, zone: zone, datum: node.path("datum"))
        } else {
            return nil
        }
    }
}
