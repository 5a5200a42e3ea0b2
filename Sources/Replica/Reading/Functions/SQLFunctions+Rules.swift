import Coordinates
import Digests
import GRDB
import GRDBSQLite
import Geometry
import JSONReading
import Model
import Soils

/// Functions for rules across rows: shapes of plans, similarity of names and parameters, places on
/// the Earth. `Docs/pack-format.md` describes each; all return NULL for unsuitable arguments.
extension SQLFunctions {
    /// Metres by which a point may lie outside a polygon and still count as inside: plans and
    /// points are precise to a centimetre.
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
            guard let centroid = polygon(arguments[1])?.centroid, let point = PlanShapes.point(arguments[0]) else {
                return .null
            }
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
            return .real(
                NameSimilarity.of(
                    names.value(of: first, NameSimilarity.Name.init), names.value(of: second, NameSimilarity.Name.init),
                    least: least))
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
        // All rows of one project have the same zone.
        let zones = ResultCache<UTMZone?>(limit: 100)
        /// The position from an easting, a northing and a zone: three arguments, the first at the
        /// given index.
        func position(_ arguments: FunctionArguments, _ first: Int) -> GeographicPosition? {
            guard let easting = arguments.number(first), let northing = arguments.number(first + 1),
                let zone = arguments.text(first + 2).flatMap({ zones.value(of: $0) { UTMZone($0) } })
            else { return nil }
            return grid.position(easting: easting, northing: northing, zone: zone)
        }
        func degrees(_ arguments: FunctionArguments, _ first: Int) -> GeographicPosition? {
            guard let latitude = arguments.number(first), let longitude = arguments.number(first + 1) else {
                return nil
            }
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

/// A cache of results for recent texts, since queries call a function with the same texts
/// repeatedly. A full cache is emptied.
final class ResultCache<Value> {
    private var values: [String: Value] = [:]
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    func value(of text: String, _ make: (String) -> Value) -> Value {
        if let known = values[text] { return known }
        let made = make(text)
        if values.count >= limit { values.removeAll(keepingCapacity: true) }
        values[text] = made
        return made
    }
}

/// Points and polygons as they are stored: `[x, y]` and `[[x, y], …]`, in metres.
enum PlanShapes {
    static func point(_ json: String?) -> PlanPoint? {
        guard let json, let value = try? JSONValue.parse(json) else { return nil }
        return point(value)
    }

    static func polygon(_ json: String) -> Polygon? {
        guard let items = (try? JSONValue.parse(json))?.items, items.count <= Polygon.maximumCorners else { return nil }
        let points = items.compactMap(point)
        return points.count == items.count ? Polygon(points) : nil
    }

    private static func point(_ value: JSONValue) -> PlanPoint? {
        guard let items = value.items, items.count == 2, let x = number(items[0]), let y = number(items[1]) else {
            return nil
        }
        return PlanPoint(x: x, y: y)
    }

    private static func number(_ value: JSONValue) -> Double? {
        guard case .number(let digits) = value, let number = Double(digits), number.isFinite else { return nil }
        return number
    }
}

/// Words that replace values in the files of one run: HMAC-SHA256 with a random key that is never
/// stored. So nobody can find a value by trying candidates, and the words of two runs cannot be
/// matched.
struct Pseudonyms {
    private let sum: HMAC

    init(key: [UInt8] = HMAC.randomKey()) { sum = HMAC(key: key) }

    /// Crockford's letters, none of which can be confused with another.
    private static let letters = Array(("0123456789" + "ABCDEFGHJKMNPQRSTVWXYZ").utf8)

    /// Thirteen letters, 64 bits: among a hundred million values, the chance that two share a word
    /// is one in four thousand.
    func word(for value: String) -> String {
        var bits = sum.digest(of: Array(value.utf8)).first
        var word: [UInt8] = []
        for _ in 0..<13 {
            word.append(Self.letters[Int(bits >> 59)])
            bits <<= 5
        }
        return String(decoding: word, as: UTF8.self)
    }
}

extension SQLFunctions {
    /// Registers `pseudonym(value)`, for anonymous exports only.
    static func registerPseudonyms(on handle: OpaquePointer, _ pseudonyms: Pseudonyms) {
        let words = ResultCache<String>(limit: 10_000)
        unsafe add("pseudonym", 1, handle) { arguments in
            arguments[0].map { .text(words.value(of: $0, pseudonyms.word)) } ?? .null
        }
    }
}

/// Functions that classify a soil by laboratory results. The grading is a JSON array of alternating
/// sieve sizes and per cents, `[75, 100, 4.75, 61.2, …]`, as `json_array` creates it from columns.
/// A size whose per cent is NULL was not measured.
extension SQLFunctions {
    static func registerForSoils(on handle: OpaquePointer) {
        // One after another, several columns of a table use the same grading.
        let gradings = ResultCache<Grading?>(limit: 16)
        func grading(_ text: String?) -> Grading? { text.flatMap { gradings.value(of: $0, Self.grading) } }
        unsafe addDirect("grain_size", 2, handle) { arguments in
            guard let percent = arguments.number(1) else { return .null }
            return grading(arguments.text(0))?.size(at: percent).map(MemoryRows.Value.real) ?? .null
        }
        unsafe addDirect("soil_group", 5, handle) { arguments in
            guard let grading = grading(arguments.text(0)) else { return .null }
            return UnifiedGroup.of(grading, plasticity(arguments), isOrganic: arguments.number(4) == 1).map(
                MemoryRows.Value.text) ?? .null
        }
        unsafe addDirect("highway_group", 4, handle) { arguments in
            guard let grading = grading(arguments.text(0)) else { return .null }
            return HighwayGroup(grading, plasticity(arguments)).map { .text($0.group) } ?? .null
        }
        unsafe addDirect("highway_group_index", 4, handle) { arguments in
            guard let grading = grading(arguments.text(0)) else { return .null }
            return HighwayGroup(grading, plasticity(arguments)).map { .integer(Int64($0.index)) } ?? .null
        }
    }

    /// The arguments 1 to 3: liquid limit, plasticity index, and 1 for a non-plastic soil.
    private static func plasticity(_ arguments: FunctionArguments) -> Plasticity? {
        if arguments.number(3) == 1 { return Plasticity.none }
        guard let liquid = arguments.number(1), let index = arguments.number(2), (0...1000).contains(liquid),
            (0...1000).contains(index)
        else { return nil }
        return .limits(liquid: liquid, index: index)
    }

    private static func grading(_ json: String) -> Grading? {
        guard let items = (try? JSONValue.parse(json))?.items, items.count.isMultiple(of: 2) else { return nil }
        let pairs = stride(from: 0, to: items.count, by: 2).map { (items[$0], items[$0 + 1]) }
        return Grading(pairs.compactMap { size, passing in
                guard case .number(let size) = size, case .number(let passing) = passing, let size = Double(size),
                    let passing = Double(passing)
                else { return nil }
            return (size, passing)
        })
    }
}

/// Similarity of two objects of parameters: `parameter_similarity(a, b)`, from 0 to 1. It is the
/// share of the keys in either object for which both have the same value.
///
/// Values are compared as `parameter()` returns them, so that `30`, `30.0` and the app's `{"type":
/// "number", "numberValue": 30}` are equal; a key without a value counts as absent. Two objects
/// without parameters have similarity 1.
enum ParameterSimilarity {
    /// Parameters by key; nil for a text that is not a JSON object.
    static func values(_ json: String) -> [String: MemoryRows.Value]? {
        guard let object = try? JSONValue.parse(json), let members = object.members else { return nil }
        var values: [String: MemoryRows.Value] = [:]
        for member in members {
            guard let value = ParameterValue.find(in: object, key: member.key, id: nil).map(comparable), value != .null
            else { continue }
            values[member.key] = value
        }
        return values
    }

    static func of(_ first: [String: MemoryRows.Value], _ second: [String: MemoryRows.Value]) -> Double {
        let keys = Set(first.keys).union(second.keys)
        guard !keys.isEmpty else { return 1 }
        return Double(keys.count { first[$0] == second[$0] }) / Double(keys.count)
    }

    private static func comparable(_ value: MemoryRows.Value) -> MemoryRows.Value {
        switch value {
        case .integer(let integer): .real(Double(integer))
        default: value
        }
    }
}

/// Similarity of rows, using the fields that the pack declares for their entity; the same measure
/// as `name_similarity` and `parameter_similarity`.
package enum RowSimilarity {
    /// The lesser of both similarities, from 0 to 1. If it is below `least`, any number below
    /// `least` may be returned. Parameters are compared only if both rows have an object of them.
    package static func of(
        _ first: (name: String, parameters: String?), _ second: (name: String, parameters: String?), least: Double
    ) -> Double {
        let names = NameSimilarity.of(NameSimilarity.Name(first.name), NameSimilarity.Name(second.name), least: least)
        guard names > least else { return names }
        guard let one = ParameterSimilarity.values(first.parameters ?? "{}"),
            let other = ParameterSimilarity.values(second.parameters ?? "{}")
        else {
            return names
        }
        return min(names, ParameterSimilarity.of(one, other))
    }
}

extension Replica {
    /// Every row of an entity: its id and the values of some fields as text, nil for null.
    package func texts(of entity: String, fields: [String]) throws -> [(id: String, values: [String?])] {
        guard let description = pack.entity(entity), fields.allSatisfy({ description.field($0) != nil }) else {
            return []
        }
        let columns =
            fields.isEmpty ? "" : ", " + fields.map { "CAST(\(SQLText.name($0)) AS TEXT)" }.joined(separator: ", ")
        return try read { db in
            try Row.fetchAll(db, sql: "SELECT id\(columns) FROM \(SQLText.name(entity)) ORDER BY id").map { row in
                (id: row[0], values: fields.indices.map { row[$0 + 1] as String? })
            }
        }
    }
}
