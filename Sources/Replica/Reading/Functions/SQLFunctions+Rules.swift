import Coordinates
import GRDBSQLite
import Geometry
import Model

/// Functions for rules across rows: shapes of plans, similarity of names and parameters, places on
/// the Earth. `Docs/pack-format.md` describes each; all give NULL for what they cannot judge.
extension SQLFunctions {
    /// Metres by which a point may lie outside and still count as inside: plans are drawn and
    /// points kept to the centimetre.
    static let insideTolerance = 0.01

    static func registerForRules(on handle: OpaquePointer) {
        unsafe registerShapes(on: handle)
        unsafe registerLikeness(on: handle)
        unsafe registerPlaces(on: handle)
    }

    private static func registerShapes(on handle: OpaquePointer) {
        let polygons = ResultCache<Polygon?>(limit: 16)
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
        let names = ResultCache<NameSimilarity.Name>(limit: 5000)
        func similarity(_ arguments: [String?], least: Double) -> MemoryRows.Value {
            guard let first = arguments[0], let second = arguments[1] else { return .null }
            return .real(NameSimilarity.of(names.value(of: first, NameSimilarity.Name.init), names.value(of: second, NameSimilarity.Name.init), least: least))
        }
        unsafe add("name_similarity", 2, handle) { similarity($0, least: 0) }
        unsafe add("name_similarity", 3, handle) { arguments in
            arguments[2].flatMap { Double($0) }.map { similarity(arguments, least: $0) } ?? .null
        }
        let parameters = ResultCache<[String: MemoryRows.Value]?>(limit: 1000)
        unsafe add("parameter_similarity", 2, handle) { arguments in
            let values = arguments.map { json in json.flatMap { parameters.value(of: $0, ParameterSimilarity.values) } }
            guard let first = values[0], let second = values[1] else { return .null }
            return .real(ParameterSimilarity.of(first, second))
        }
    }

    private static func registerPlaces(on handle: OpaquePointer) {
        let grid = UTMGrid()
        // Rows of one project have one zone.
        let zones = ResultCache<UTMZone?>(limit: 100)
        /// The position from an easting, a northing and a zone, three arguments of which the first
        /// is at an index.
        func position(_ arguments: FunctionArguments, _ first: Int) -> GeographicPosition? {
            guard let easting = arguments.number(first), let northing = arguments.number(first + 1),
                let zone = arguments.text(first + 2).flatMap({ zones.value(of: $0) { UTMZone($0) } })
            else { return nil }
            return grid.position(easting: easting, northing: northing, zone: zone)
        }
        func degrees(_ arguments: FunctionArguments, _ first: Int) -> GeographicPosition? {
            guard let latitude = arguments.number(first), let longitude = arguments.number(first + 1) else { return nil }
            return GeographicPosition(latitude: latitude, longitude: longitude)
        }
        func distance(_ first: GeographicPosition?, _ second: GeographicPosition?) -> MemoryRows.Value {
            guard let first, let second else { return .null }
            return .real(first.distance(to: second))
        }
        unsafe addDirect("utm_latitude", 3, handle) { position($0, 0).map { .real($0.latitude) } ?? .null }
        unsafe addDirect("utm_longitude", 3, handle) { position($0, 0).map { .real($0.longitude) } ?? .null }
        unsafe addDirect("utm_distance_m", 5, handle) { distance(degrees($0, 0), position($0, 2)) }
        unsafe addDirect("distance_m", 4, handle) { distance(degrees($0, 0), degrees($0, 2)) }
    }
}
