import Coordinates
import Geometry
import GRDBSQLite
import Model

/// Functions for rules across rows: shapes of plans, likeness of names and parameters, places on the Earth. `Docs/pack-format.md` says
/// what each is; all give NULL for what they cannot judge.
extension SQLFunctions {
    /// Metres by which a point may lie outside and still count as inside: plans are drawn and points kept to the centimetre.
    static let insideTolerance = 0.01

    static func registerForRules(on handle: OpaquePointer) {
        unsafe registerShapes(on: handle)
        unsafe registerLikeness(on: handle)
        unsafe registerPlaces(on: handle)
    }

    private static func registerShapes(on handle: OpaquePointer) {
        let polygons = Recall<Polygon?>(limit: 16)
        func polygon(_ json: String?) -> Polygon? { json.flatMap { polygons.value(of: $0, PlanShapes.polygon) } }
        unsafe add("polygon_area", 1, handle) { polygon($0[0]).map { .real($0.area) } ?? .null }
        unsafe add("polygon_is_simple", 1, handle) { polygon($0[0])?.isSimple.map { .integer($0 ? 1 : 0) } ?? .null }
        unsafe add("centroid_x", 1, handle) { polygon($0[0])?.centroid.map { .real($0.x) } ?? .null }
        unsafe add("centroid_y", 1, handle) { polygon($0[0])?.centroid.map { .real($0.y) } ?? .null }
        unsafe add("centroid_distance", 2, handle) { arguments in
            guard let centroid = polygon(arguments[1])?.centroid, let point = PlanShapes.point(arguments[0]) else { return .null }
            return .real(point.distance(to: centroid))
        }
        unsafe add("point_in_polygon", 2, handle) { arguments in
            guard let polygon = polygon(arguments[1]), let point = PlanShapes.point(arguments[0]) else { return .null }
            return .integer(polygon.contains(point, tolerance: insideTolerance) ? 1 : 0)
        }
    }

    private static func registerLikeness(on handle: OpaquePointer) {
        let names = Recall<NameSimilarity.Name>(limit: 5000)
        func similarity(_ arguments: [String?], least: Double) -> SQLValue {
            guard let first = arguments[0], let second = arguments[1] else { return .null }
            return .real(NameSimilarity.of(names.value(of: first, NameSimilarity.Name.init), names.value(of: second, NameSimilarity.Name.init), least: least))
        }
        unsafe add("name_similarity", 2, handle) { similarity($0, least: 0) }
        unsafe add("name_similarity", 3, handle) { arguments in
            number(arguments[2]).map { similarity(arguments, least: $0) } ?? .null
        }
        let parameters = Recall<[String: SQLValue]?>(limit: 1000)
        unsafe add("parameter_similarity", 2, handle) { arguments in
            let values = arguments.map { json in json.flatMap { parameters.value(of: $0, ParameterSimilarity.values) } }
            guard let first = values[0], let second = values[1] else { return .null }
            return .real(ParameterSimilarity.of(first, second))
        }
    }

    private static func registerPlaces(on handle: OpaquePointer) {
        let grid = UTMGrid()
        func position(_ arguments: [String?]) -> GeographicPosition? {
            guard let easting = number(arguments[0]), let northing = number(arguments[1]), let zone = arguments[2].flatMap({ UTMZone($0) })
            else { return nil }
            return grid.position(easting: easting, northing: northing, zone: zone)
        }
        unsafe add("utm_latitude", 3, handle) { position($0).map { .real($0.latitude) } ?? .null }
        unsafe add("utm_longitude", 3, handle) { position($0).map { .real($0.longitude) } ?? .null }
        unsafe add("distance_m", 4, handle) { arguments in
            let numbers = arguments.compactMap(number)
            guard numbers.count == 4, let first = GeographicPosition(latitude: numbers[0], longitude: numbers[1]),
                let second = GeographicPosition(latitude: numbers[2], longitude: numbers[3])
            else { return .null }
            return .real(first.distance(to: second))
        }
    }

    private static func number(_ text: String?) -> Double? {
        text.flatMap { Double($0) }
    }
}
