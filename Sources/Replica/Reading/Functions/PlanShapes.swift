import Geometry
import JSONReading

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
        guard let items = value.items, items.count == 2, let x = number(items[0]), let y = number(items[1]) else { return nil }
        return PlanPoint(x: x, y: y)
    }

    private static func number(_ value: JSONValue) -> Double? {
        guard case .number(let digits) = value, let number = Double(digits), number.isFinite else { return nil }
        return number
    }
}
