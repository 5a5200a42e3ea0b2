internal import JSONReading

/// Points, rings and drawings of plans as the replica stores them: JSON arrays of `[x, y]`, or
/// GeoJSON (RFC 7946). Anything else gives an empty result: the validation reports it.
enum PlanJSON {
    /// A ring `[[x, y], …]`, or the outer ring of a GeoJSON polygon.
    static func ring(_ text: String?) -> [Position] {
        guard let value = value(text) else { return [] }
        return value.items.map(positions) ?? shapes(value).first ?? []
    }

    /// One or several points.
    static func points(_ text: String?) -> [Position] {
        guard let value = value(text) else { return [] }
        return position(value).map { [$0] } ?? positions(value.items ?? [])
    }

    /// The lines of a drawing: a list of lists of points, or every shape of a GeoJSON object.
    static func lines(_ text: String?) -> [[Position]] {
        guard let value = value(text) else { return [] }
        guard let items = value.items else { return shapes(value) }
        if items.first.flatMap(position) != nil { return [positions(items)] }
        return lists(value).filter { $0.count > 1 }
    }

    private static func value(_ text: String?) -> JSONValue? { text.flatMap { try? JSONValue.parse($0) } }

    private static func position(_ value: JSONValue) -> Position? {
        guard case .number(let x)? = value[0], case .number(let y)? = value[1], let x = Double(x), let y = Double(y), x.isFinite, y.isFinite
        else { return nil }
        return Position(x: x, y: y)
    }

    private static func positions(_ items: [JSONValue]) -> [Position] { items.compactMap(position) }

    /// The positions of each list of a list.
    private static func lists(_ value: JSONValue?) -> [[Position]] { (value?.items ?? []).compactMap(\.items).map(positions) }

    /// Every line and ring of a GeoJSON object, at most eight levels deep.
    private static func shapes(_ value: JSONValue?, depth: Int = 0) -> [[Position]] {
        guard depth < 8, let value else { return [] }
        let coordinates = value["coordinates"]
        switch value["type"]?.text {
        case "FeatureCollection": return (value["features"]?.items ?? []).flatMap { shapes($0, depth: depth + 1) }
        case "Feature": return shapes(value["geometry"], depth: depth + 1)
        case "GeometryCollection": return (value["geometries"]?.items ?? []).flatMap { shapes($0, depth: depth + 1) }
        case "LineString": return [positions(coordinates?.items ?? [])]
        case "MultiLineString", "Polygon": return lists(coordinates)
        case "MultiPolygon": return (coordinates?.items ?? []).flatMap { lists($0) }
        default: return []
        }
    }
}
