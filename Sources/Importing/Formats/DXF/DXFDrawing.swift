import Foundation
import Geometry
import Model

/// The parts of a drawing that a floor plan needs: its units, and the lines, polylines, curves and
/// texts of the ENTITIES section, with layer, handle and line in the file. An INSERT is replaced by
/// the entities of its block. Of all other entities, only the kind is stored.
struct DXFDrawing {
    struct Entity {
        enum Shape: Hashable { case line, polyline, curve, text, other }
        /// The name in the file: `LWPOLYLINE`.
        var kind: String
        var shape: Shape = .other
        /// For an entity of a block, preceded by the handles of its INSERTs: `2F/1A`.
        var handle = ""
        var layer = "0"
        var line: Int
        /// In the drawing's units.
        var points: [PlanPoint] = []
        var isClosed = false
        var text = ""
    }

    /// `$INSUNITS`; nil: the drawing does not state it.
    private(set) var units: Int?
    private(set) var entities: [Entity] = []
    /// Blocks that do not exist, contain themselves or are nested too deeply: each name with its
    /// first INSERT.
    private(set) var lost: [(insert: Entity, name: String)] = []
    private(set) var tally = DXFTally()

    /// The largest distance of a straight segment from the curve that it replaces, in metres.
    static let tolerance = 0.001

    /// Length of one unit in metres (`$INSUNITS`, DXF Reference, "HEADER"); nil for a unit that is
    /// unknown or not stated.
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
    private var blocks = DXFBlocks()
    /// The tolerance in the drawing's units.
    private var near: Double { Self.tolerance / (metres ?? 1) }
    let layers: PlanDefinition.Layers
    private let limits: PackageLimits
    private let path: String

    init(path: String, source: any ByteSource, layers: PlanDefinition.Layers, limits: PackageLimits) throws {
        self.path = path
        self.layers = layers
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
            } else if section == "BLOCKS", current.code == 0, current.value == "BLOCK" {
                pair = try readBlock(current, &pairs)
            } else if section == "ENTITIES", current.code == 0 {
                let (builder, next) = try readEntity(current, &pairs)
                try add(builder)
                pair = next
            } else {
                pair = try pairs.next()
            }
        }
        guard hasEntities else { throw pairs.damaged("there is no section ENTITIES") }
        guard hasEnd else { throw pairs.damaged("the file is cut off: the end mark EOF is missing") }
    }

    /// Reads a block up to its end.
    private mutating func readBlock(_ start: DXFPairs.Pair, _ pairs: inout DXFPairs) throws -> DXFPairs.Pair? {
        var (head, pair) = try readEntity(start, &pairs)
        var block = DXFBlocks.Block(base: head.basePoint)
        while let current = pair, current.code == 0, current.value != "ENDBLK", current.value != "ENDSEC" {
            let (builder, next) = try readEntity(current, &pairs)
            points += max(1, builder.pointCount)
            block.entities.append(builder)
            tally.add(builder, ofBlock: true, isUsed: true)
            pair = next
        }
        // A block defined in another file, which is not available.
        let isElsewhere = head.flags & 4 != 0
        if !isElsewhere { blocks.blocks[head.blockName.uppercased()] = block }
        return pair?.value == "ENDBLK" ? try readEntity(pair ?? start, &pairs).next : pair
    }

    private mutating func add(_ builder: DXFEntityBuilder) throws {
        let isHidden = builder.kind == "ATTRIB" && builder.flags & 1 != 0
        guard !builder.isOnPaper, !isHidden, builder.kind != "SEQEND" else { return }
        guard builder.kind == "INSERT" else {
            let entity = builder.entity(tolerance: near, limit: limits.drawingPoints)
            try count(max(1, entity.points.count))
            points += max(1, entity.points.count)
            entities.append(entity)
            tally.add(builder, ofBlock: false, isUsed: layers.read(entity))
            return
        }
        tally.add(builder, ofBlock: false, isUsed: true)
        var shown: [Entity] = [], lost = self.lost
        var total = points
        try blocks.expand(
            builder, tolerance: near, limit: limits.drawingPoints,
            missing: { insert, name in
                if !lost.contains(where: { $0.name == name }) {
                    lost.append((insert.entity(tolerance: near, limit: 1), name))
                }
            },
            count: { growing in
                total += growing
                try Self.check(total, limits, path)
            }
        ) { shown.append($0) }
        points = total
        entities += shown
        self.lost = lost
    }

    /// Reads an entity up to the pair that begins the next one.
    private func readEntity(_ start: DXFPairs.Pair, _ pairs: inout DXFPairs) throws -> (
        builder: DXFEntityBuilder, next: DXFPairs.Pair?
    ) {
        var builder = DXFEntityBuilder(kind: start.value, line: start.line)
        var pair = try pairs.next()
        while let current = pair, current.code != 0 {
            builder.take(current)
            try count(builder.pointCount)
            pair = try pairs.next()
        }
        // The vertices of an old-style polyline are separate entities, up to SEQEND.
        if start.value == "POLYLINE" {
            while let current = pair, current.code == 0, current.value == "VERTEX" {
                var vertex = DXFEntityBuilder(kind: "VERTEX", line: current.line)
                pair = try pairs.next()
                while let inner = pair, inner.code != 0 {
                    vertex.take(inner)
                    pair = try pairs.next()
                }
                builder.add(vertex)
                try count(builder.pointCount)
            }
            if let current = pair, current.code == 0, current.value == "SEQEND" {
                pair = try pairs.next()
                while pair.map({ $0.code != 0 }) == true { pair = try pairs.next() }
            }
        }
        return (builder, pair)
    }

    private func count(_ growing: Int) throws { try Self.check(points + growing, limits, path) }

    private static func check(_ points: Int, _ limits: PackageLimits, _ path: String) throws {
        guard points <= limits.drawingPoints else {
            throw PackageFailure.tooLarge(
                path: path, name: "", limit: "drawingPoints", value: "\(limits.drawingPoints)", found: nil)
        }
    }
}
