import Foundation
import Geometry
import Model

/// What a floor plan needs of a drawing: units, and from the ENTITIES section lines, polylines and texts with layer, handle and line
/// of the file. Everything else is known by its kind only.
struct DXFDrawing {
    struct Entity {
        enum Shape: Hashable { case line, polyline, text, other }
        /// As the file calls it: `LWPOLYLINE`.
        var kind: String
        var shape: Shape = .other
        var handle = ""
        var layer = "0"
        var line: Int
        /// In the drawing's own units.
        var points: [PlanPoint] = []
        var isClosed = false
        var text = ""
        /// Whether some part of it was curved and stands here as short straight pieces.
        var isFlattened = false
    }

    /// `$INSUNITS`; nil: the drawing does not say.
    private(set) var units: Int?
    private(set) var entities: [Entity] = []

    /// Metres of one unit (`$INSUNITS`, DXF Reference, "HEADER"); nil of a unit that is unknown or not stated.
    var metres: Double? {
        switch units {
        case 1: 0.0254
        case 2: 0.3048
        case 4: 0.001
        case 5: 0.01
        case 6: 1
        case 7: 1000
        case 14: 0.1
        default: nil
        }
    }

    private var points = 0
    private let limits: PackageLimits
    private let path: String

    init(path: String, source: any ByteSource, limits: PackageLimits) throws {
        self.path = path
        self.limits = limits
        var pairs = DXFPairs(path: path, source: source, limit: limits.drawingBytes)
        var section = ""
        var hasEntities = false, hasEnd = false
        var pair = try pairs.next()
        while let current = pair {
            if current.code == 0, current.value == "EOF" {
                hasEnd = true
                break
            }
            if current.code == 0, current.value == "SECTION" {
                pair = try pairs.next()
                section = pair?.code == 2 ? pair?.value ?? "" : ""
                if section == "ENTITIES" { hasEntities = true }
                pair = try pairs.next()
            } else if current.code == 0, current.value == "ENDSEC" {
                section = ""
                pair = try pairs.next()
            } else if section == "HEADER", current.code == 9, current.value == "$INSUNITS" {
                pair = try pairs.next()
                units = pair?.code == 70 ? pair.flatMap { Int($0.value) } : nil
            } else if section == "ENTITIES", current.code == 0 {
                pair = try readEntity(current, &pairs)
            } else {
                pair = try pairs.next()
            }
        }
        guard hasEntities else { throw pairs.damaged("there is no section ENTITIES") }
        guard hasEnd else { throw pairs.damaged("the file is cut off: the end mark EOF is missing") }
    }

    /// Reads an entity up to the pair that begins the next one, which it gives back.
    private mutating func readEntity(_ start: DXFPairs.Pair, _ pairs: inout DXFPairs) throws -> DXFPairs.Pair? {
        var builder = DXFEntityBuilder(kind: start.value, line: start.line)
        var pair = try pairs.next()
        while let current = pair, current.code != 0 {
            builder.take(current)
            try count(builder.pointCount, pairs)
            pair = try pairs.next()
        }
        // Corners of an old polyline are entities of their own, up to SEQEND.
        if start.value == "POLYLINE" {
            while let current = pair, current.code == 0, current.value == "VERTEX" {
                var vertex = DXFEntityBuilder(kind: "VERTEX", line: current.line)
                pair = try pairs.next()
                while let inner = pair, inner.code != 0 {
                    vertex.take(inner)
                    pair = try pairs.next()
                }
                builder.add(vertex)
                try count(builder.pointCount, pairs)
            }
            if let current = pair, current.code == 0, current.value == "SEQEND" {
                pair = try pairs.next()
                while pair.map({ $0.code != 0 }) == true { pair = try pairs.next() }
            }
        }
        if !builder.isOnPaper {
            let entity = builder.entity
            points += max(1, entity.points.count)
            entities.append(entity)
        }
        return pair
    }

    private func count(_ growing: Int, _ pairs: DXFPairs) throws {
        guard points + growing <= limits.drawingPoints else {
            throw PackageFailure.tooLarge(path: path, name: "", limit: "drawingPoints", value: "> \(limits.drawingPoints)")
        }
    }
}
