import Foundation

/// Points, rings and drawings of plans as the replica stores them: JSON arrays of `[x, y]`, or
/// GeoJSON (RFC 7946). Anything else gives an empty result: the validation reports it.
enum PlanJSON {
    /// A ring `[[x, y], …]`, or the outer ring of a GeoJSON polygon.
    static func ring(_ text: String?) -> [PlanContent.Position] {
        guard let value = value(text) else { return [] }
        if let list = value as? [Any] { return positions(list) }
        return shapes(value).first ?? []
    }

    /// One or several points.
    static func points(_ text: String?) -> [PlanContent.Position] {
        guard let list = value(text) as? [Any] else { return [] }
        if let point = position(list) { return [point] }
        return positions(list)
    }

    /// The lines of a drawing: a list of lists of points, or every shape of a GeoJSON object.
    static func lines(_ text: String?) -> [[PlanContent.Position]] {
        guard let value = value(text) else { return [] }
        if let list = value as? [Any] {
            if list.first.flatMap({ $0 as? [Any] }).flatMap(position) != nil { return [positions(list)] }
            return list.compactMap { $0 as? [Any] }.map(positions).filter { $0.count > 1 }
        }
        return shapes(value)
    }

    private static func value(_ text: String?) -> Any? {
        text.flatMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) }
    }

    private static func position(_ any: Any) -> PlanContent.Position? {
        guard let list = any as? [Any], list.count >= 2, let x = (list[0] as? NSNumber)?.doubleValue, let y = (list[1] as? NSNumber)?.doubleValue,
            x.isFinite, y.isFinite
        else { return nil }
        return PlanContent.Position(x: x, y: y)
    }

    private static func positions(_ list: [Any]) -> [PlanContent.Position] { list.compactMap(position) }

    /// Every line and ring of a GeoJSON object, at most eight levels deep.
    private static func shapes(_ any: Any, depth: Int = 0) -> [[PlanContent.Position]] {
        guard depth < 8, let object = any as? [String: Any] else { return [] }
        switch object["type"] as? String {
        case "FeatureCollection": return (object["features"] as? [Any] ?? []).flatMap { shapes($0, depth: depth + 1) }
        case "Feature": return object["geometry"].map { shapes($0, depth: depth + 1) } ?? []
        case "GeometryCollection": return (object["geometries"] as? [Any] ?? []).flatMap { shapes($0, depth: depth + 1) }
        case "LineString": return [positions(object["coordinates"] as? [Any] ?? [])]
        case "MultiLineString", "Polygon": return (object["coordinates"] as? [Any] ?? []).compactMap { $0 as? [Any] }.map(positions)
        case "MultiPolygon":
            return (object["coordinates"] as? [Any] ?? []).compactMap { $0 as? [Any] }.flatMap { $0.compactMap { $0 as? [Any] }.map(positions) }
        default: return []
        }
    }
}
