import Foundation
import Geometry

/// The blocks of a drawing, and the entities that an INSERT of one displays: scaled, rotated and
/// moved, once for each position of an array.
struct DXFBlocks {
    /// Deepest nesting of blocks; deeper ones are left out and reported.
    static let deepest = 16

    struct Block {
        var base = PlanPoint(x: 0, y: 0)
        var entities: [DXFEntityBuilder] = []
    }

    var blocks: [String: Block] = [:]

    /// The transformation by which an INSERT places the points of its block.
    struct Placement {
        /// `x' = a x + c y + e`, `y' = b x + d y + f`.
        var (a, b, c, d, e, f) = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

        func callAsFunction(_ point: PlanPoint) -> PlanPoint {
            PlanPoint(x: a * point.x + c * point.y + e, y: b * point.x + d * point.y + f)
        }

        /// The transformation that applies `first` and then this one.
        func after(_ first: Placement) -> Placement {
            Placement(
                a: a * first.a + c * first.b, b: b * first.a + d * first.b, c: a * first.c + c * first.d,
                d: b * first.c + d * first.d,
                e: a * first.e + c * first.f + e, f: b * first.e + d * first.f + f)
        }

        /// The largest factor by which lengths grow.
        var scale: Double { max(hypot(a, b), hypot(c, d)) }

        init() {}

        private init(a: Double, b: Double, c: Double, d: Double, e: Double, f: Double) {
            (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
        }

        /// - Parameters:
        ///   - base: the block's base point, which is placed at `point`.
        ///   - angle: in radians, counterclockwise.
        ///   - offset: of a position in an array, along the rotated axes.
        init(
            base: PlanPoint, at point: PlanPoint, scale: (x: Double, y: Double), angle: Double,
            offset: (x: Double, y: Double)
        ) {
            let (cosine, sine) = (cos(angle), sin(angle))
            (a, b, c, d) = (scale.x * cosine, scale.x * sine, -scale.y * sine, scale.y * cosine)
            e = point.x + offset.x * cosine - offset.y * sine - a * base.x - c * base.y
            f = point.y + offset.x * sine + offset.y * cosine - b * base.x - d * base.y
        }

        /// For an INSERT drawn on the back of the plane: its X axis is reversed.
        var mirrored: Placement { Placement(a: -a, b: b, c: -c, d: d, e: -e, f: f) }
    }

    /// Passes on the entities that an INSERT displays.
    ///
    /// - Parameters:
    ///   - count: called with a number of placed blocks or points, so that it can stop a small file
    ///     that displays millions.
    ///   - missing: called with the name of a block that does not exist, contains itself or is
    ///     nested too deeply.
    func expand(
        _ insert: DXFEntityBuilder, tolerance: Double, limit: Int, missing: (DXFEntityBuilder, String) -> Void,
        count: (Int) throws -> Void,
        _ body: (DXFDrawing.Entity) -> Void
    ) throws {
        try expand(
            insert, within: (Placement(), insert.layer, insert.handle, []), tolerance: tolerance, limit: limit,
            missing: missing, count: count, body)
    }

    private func expand(
        _ insert: DXFEntityBuilder,
        within outer: (placement: Placement, layer: String, handle: String, names: [String]), tolerance: Double,
        limit: Int, missing: (DXFEntityBuilder, String) -> Void, count: (Int) throws -> Void,
        _ body: (DXFDrawing.Entity) -> Void
    ) throws {
        let name = insert.blockName
        guard let block = blocks[name.uppercased()], !outer.names.contains(name.uppercased()),
            outer.names.count < Self.deepest
        else {
            return missing(insert, name)
        }
        try insert.forEachPlacement(base: block.base) { own in
            try count(1)
            let placement = outer.placement.after(own)
            let near = tolerance / max(placement.scale, 1e-9)
            for inner in block.entities {
                let handle = outer.handle + "/" + inner.handle
                // Entities on layer 0 of a block appear on the layer of the INSERT.
                let layer = inner.layer == "0" ? outer.layer : inner.layer
                if inner.kind == "INSERT" {
                    try expand(
                        inner, within: (placement, layer, handle, outer.names + [name.uppercased()]),
                        tolerance: tolerance, limit: limit,
                        missing: missing, count: count, body)
                    continue
                }
                guard inner.kind != "ATTDEF" else { continue }
                var entity = inner.entity(tolerance: near, limit: limit)
                try count(max(1, entity.points.count))
                (entity.layer, entity.handle) = (layer, handle)
                entity.points = entity.points.map { placement($0) }
                body(entity)
            }
        }
    }
}
