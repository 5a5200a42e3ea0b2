import Geometry
import JSONReading

/// The lines of a drawing's background as GeoJSON in drawing metres, one collection for each level.
struct PlanBackground {
    private let entities: [DXFDrawing.Entity]
    private let scale: Double

    init(_ entities: [DXFDrawing.Entity], scale: Double) {
        self.entities = entities
        self.scale = scale
    }

    /// Assigns each line to the level that contains its first point; lines outside all levels are
    /// dropped.
    func collections(of levels: [Polygon]) -> [JSONValue] {
        var features: [[JSONValue]] = Array(repeating: [], count: levels.count)
        for entity in entities where [.line, .polyline, .curve].contains(entity.shape) {
            var points = entity.points.map { PlanPoint(x: $0.x * scale, y: $0.y * scale) }
            guard points.count > 1, let index = levels.firstIndex(where: { $0.contains(points[0], tolerance: 0.01) }) else { continue }
            if entity.isClosed { points.append(points[0]) }
            features[index].append(.object([
                .init(key: "type", value: .string("Feature")),
                .init(key: "properties", value: .object([
                    .init(key: "Layer", value: .string(entity.layer)), .init(key: "EntityHandle", value: .string(entity.handle)),
                ])),
                .init(key: "geometry", value: .object([
                    .init(key: "type", value: .string("LineString")), .init(key: "coordinates", value: .array(points.map(PlanRows.point))),
                ])),
            ]))
        }
        return features.map {
            .object([.init(key: "type", value: .string("FeatureCollection")), .init(key: "features", value: .array($0))])
        }
    }
}
