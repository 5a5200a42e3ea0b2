import Foundation
import Geometry

/// Builds an entity from its groups (DXF Reference, "ENTITIES section"). Curves become straight
/// segments only when the entity is requested, because a block's curves appear in several sizes.
struct DXFEntityBuilder {
    let kind: String
    let line: Int
    private(set) var handle = ""
    private(set) var layer = "0"
    /// Name of the block, for an INSERT or a BLOCK.
    private(set) var blockName = ""
    /// Numbers by their group code, for kinds that use them.
    private var numbers: [Int: [Double]] = [:]
    private var numberCount = 0
    private(set) var flags = 0
    private var corners: [(x: Double, y: Double, bulge: Double)] = []
    /// The second point of a line, or the end of an ellipse's major half axis.
    private var second: (x: Double, y: Double)?
    /// The points that a spline passes through.
    private var through: [PlanPoint] = []
    /// The direction of a spline at its start.
    private var startDirection: PlanPoint?
    /// The direction of a spline at its end.
    private var endDirection: PlanPoint?
    private var text = ""
    private var isMirrored = false
    private(set) var isOnPaper = false

    init(kind: String, line: Int) {
        self.kind = kind
        self.line = line
    }

    /// X coordinates of the entity's vertices, as in the file.
    var across: [Double] { corners.map(\.x) }

    var pointCount: Int { corners.count + through.count + numberCount }

    private static let curved: Set<String> = ["ARC", "CIRCLE", "ELLIPSE", "SPLINE", "INSERT"]

    mutating func take(_ pair: DXFPairs.Pair) {
        if Self.curved.contains(kind), (40...51).contains(pair.code) || (70...74).contains(pair.code),
            let number = pair.number
        {
            numbers[pair.code, default: []].append(number)
            numberCount += 1
        }
        switch pair.code {
        case 2: if kind == "INSERT" || kind == "BLOCK" { blockName = pair.value }
        case 5: handle = pair.value
        case 8: layer = pair.value
        case 67: isOnPaper = pair.value == "1"
        case 70: flags = Int(pair.value) ?? 0
        case 10:
            // In an old-style polyline this is only an elevation; the vertices follow as separate
            // entities.
            guard kind != "POLYLINE", let x = pair.number, kind == "LWPOLYLINE" || kind == "SPLINE" || corners.isEmpty
            else { return }
            corners.append((x, 0, 0))
        case 20: if kind != "POLYLINE", let y = pair.number, !corners.isEmpty { corners[corners.count - 1].y = y }
        case 42:
            if ["LWPOLYLINE", "VERTEX"].contains(kind), let bulge = pair.number, !corners.isEmpty {
                corners[corners.count - 1].bulge = bulge
            }
        case 11, 12, 13, 21, 22, 23: takePoint(pair)
        case 1, 3: if ["TEXT", "MTEXT", "ATTRIB"].contains(kind) { text += pair.value }
        // Unlike other points, those of lines, ellipses and splines are in world coordinates,
        // whatever the extrusion direction.
        case 230: isMirrored = (pair.number ?? 1) < 0
        default: break
        }
    }

    /// Reads the second point of a line, the axis of an ellipse, or points and directions of a
    /// spline.
    private mutating func takePoint(_ pair: DXFPairs.Pair) {
        guard let number = pair.number else { return }
        let isSpline = kind == "SPLINE"
        switch pair.code {
        case 11 where isSpline: through.append(PlanPoint(x: number, y: 0))
        case 21 where isSpline: if let last = through.popLast() { through.append(PlanPoint(x: last.x, y: number)) }
        case 11: second = (number, 0)
        case 21: if let first = second { second = (first.x, number) }
        case 12 where isSpline: startDirection = PlanPoint(x: number, y: 0)
        case 22 where isSpline: startDirection = startDirection.map { PlanPoint(x: $0.x, y: number) }
        case 13 where isSpline: endDirection = PlanPoint(x: number, y: 0)
        case 23 where isSpline: endDirection = endDirection.map { PlanPoint(x: $0.x, y: number) }
        default: break
        }
    }

    /// Adds a vertex of an old-style polyline.
    mutating func add(_ vertex: DXFEntityBuilder) {
        // Control points of splines are not vertices of the outline.
        guard let corner = vertex.corners.first, vertex.flags & 16 == 0 else { return }
        corners.append(corner)
    }

    /// - Parameters:
    ///   - tolerance: the largest distance of a straight segment from its curve, in drawing units.
    ///   - limit: the most points of a curve. A curve that needs more ends early, because the
    ///     drawing is rejected anyway.
    func entity(tolerance: Double, limit: Int) -> DXFDrawing.Entity {
        var entity = DXFDrawing.Entity(kind: kind, line: line)
        (entity.handle, entity.layer) = (handle, layer)
        entity.points = corners.first.map { [PlanPoint(x: $0.x, y: $0.y)] } ?? []
        var isInWorldCoordinates = false
        switch kind {
        case "LINE":
            guard let first = corners.first, let second else { return entity }
            entity.shape = .line
            entity.points = [PlanPoint(x: first.x, y: first.y), PlanPoint(x: second.x, y: second.y)]
            isInWorldCoordinates = true
        case "LWPOLYLINE", "POLYLINE":
            // Meshes and polyfaces are not outlines.
            guard kind == "LWPOLYLINE" || flags & (16 | 64) == 0 else { return entity }
            entity.shape = .polyline
            entity.isClosed = flags & 1 != 0
            entity.points = outline(isClosed: entity.isClosed, tolerance: tolerance)
        case "TEXT", "MTEXT", "ATTRIB":
            // Invisible attributes are left out.
            guard kind != "ATTRIB" || flags & 1 == 0 else { return entity }
            entity.shape = .text
            entity.text = kind == "MTEXT" ? DXFText.plain(text) : DXFText.characters(text)
        case "ARC", "CIRCLE", "ELLIPSE", "SPLINE":
            isInWorldCoordinates = kind == "ELLIPSE" || kind == "SPLINE"
            guard let curve = curve(tolerance: tolerance, limit: limit),
                curve.points.allSatisfy({ $0.x.isFinite && $0.y.isFinite })
            else { break }
            (entity.shape, entity.points, entity.isClosed) = (.curve, curve.points, curve.isClosed)
        default: break
        }
        // Drawn on the back of the plane: the X axis runs in the opposite direction.
        if isMirrored, !isInWorldCoordinates { entity.points = entity.points.map { PlanPoint(x: -$0.x, y: $0.y) } }
        return entity
    }

    /// Nil for a curve with contradictory values.
    private func curve(tolerance: Double, limit: Int) -> (points: [PlanPoint], isClosed: Bool)? {
        guard let first = corners.first else {
            // A spline without control points: some programs store only the points on it.
            guard kind == "SPLINE", number(71) ?? 3 == 3 else { return nil }
            let isClosed = flags & 1 != 0
            return DXFCurves.spline(
                through: through, start: startDirection, end: endDirection, isClosed: isClosed, tolerance: tolerance,
                limit: limit
            ).map { (isClosed ? $0.dropLast() : $0, isClosed) }
        }
        let centre = PlanPoint(x: first.x, y: first.y)
        switch kind {
        case "CIRCLE":
            guard let radius = number(40), radius > 0 else { return nil }
            // A closed ring does not repeat its first point.
            return (
                DXFCurves.arc(centre: centre, radius: radius, from: 0, turn: 2 * .pi, tolerance: tolerance).dropLast(),
                true
            )
        case "ARC":
            guard let radius = number(40), radius > 0, let start = number(50), let end = number(51) else { return nil }
            let turn = (end - start).truncatingRemainder(dividingBy: 360)
            let degrees = turn <= 0 ? turn + 360 : turn
            return (
                DXFCurves.arc(
                    centre: centre, radius: radius, from: start * .pi / 180, turn: degrees * .pi / 180,
                    tolerance: tolerance), false
            )
        case "ELLIPSE":
            return ellipse(centre, tolerance: tolerance, limit: limit)
        default:
            let control = corners.map { PlanPoint(x: $0.x, y: $0.y) }
            guard let degree = number(71).flatMap({ Int(exactly: $0) }),
                let points = DXFCurves.spline(
                    degree: degree, control: control, knots: numbers[40] ?? [], weights: numbers[41] ?? [],
                    tolerance: tolerance, limit: limit)
            else { return nil }
            return (points, flags & 1 != 0)
        }
    }

    private func number(_ code: Int) -> Double? { numbers[code]?.first }

    private func ellipse(_ centre: PlanPoint, tolerance: Double, limit: Int)
        -> (points: [PlanPoint], isClosed: Bool)?
    {
        guard let axis = second, let ratio = number(40), ratio > 0, abs(axis.x) + abs(axis.y) > 0 else { return nil }
        let (start, end) = (number(41) ?? 0, number(42) ?? 2 * .pi)
        guard abs(start) < 1e4, abs(end) < 1e4 else { return nil }
        let isClosed = abs(abs(end - start) - 2 * .pi) < 1e-6
        let points = DXFCurves.ellipse(
            centre: centre, axis: PlanPoint(x: axis.x, y: axis.y), ratio: isMirrored ? -ratio : ratio, from: start,
            to: isClosed ? start + 2 * .pi : start + (end - start).truncatingRemainder(dividingBy: 2 * .pi),
            tolerance: tolerance, limit: limit)
        return (isClosed ? points.dropLast() : points, isClosed)
    }

    /// Calls the body for each position of an INSERT's block: one, or those of an array.
    func forEachPlacement(base: PlanPoint, _ body: (DXFBlocks.Placement) throws -> Void) throws {
        let at = corners.first.map { PlanPoint(x: $0.x, y: $0.y) } ?? PlanPoint(x: 0, y: 0)
        func number(_ code: Int, _ other: Double) -> Double { numbers[code]?.first ?? other }
        func times(_ code: Int) -> Int { Int(exactly: number(code, 1)).map { max(1, min($0, 32_767)) } ?? 1 }
        for row in 0..<times(71) {
            for column in 0..<times(70) {
                let placement = DXFBlocks.Placement(
                    base: base, at: at, scale: (number(41, 1), number(42, 1)), angle: number(50, 0) * .pi / 180,
                    offset: (Double(column) * number(44, 0), Double(row) * number(45, 0)))
                try body(isMirrored ? placement.mirrored : placement)
            }
        }
    }

    /// Base point of a BLOCK.
    var basePoint: PlanPoint { corners.first.map { PlanPoint(x: $0.x, y: $0.y) } ?? PlanPoint(x: 0, y: 0) }

    /// The vertices of the outline, with points on an arc after each vertex that has a bulge (the
    /// tangent of a quarter of the arc's angle).
    private func outline(isClosed: Bool, tolerance: Double) -> [PlanPoint] {
        var points: [PlanPoint] = []
        for (index, corner) in corners.enumerated() {
            let start = PlanPoint(x: corner.x, y: corner.y)
            points.append(start)
            guard corner.bulge != 0, abs(corner.bulge) < 1e4, index + 1 < corners.count || isClosed else { continue }
            let next = corners[(index + 1) % corners.count]
            let end = PlanPoint(x: next.x, y: next.y)
            let angle = 4 * atan(corner.bulge), chord = start.distance(to: end)
            let radius = chord / (2 * sin(abs(angle) / 2))
            guard chord > 0, radius.isFinite else { continue }
            let steps = DXFCurves.pieces(radius: radius, turn: angle, tolerance: tolerance)
            guard steps > 1 else { continue }
            let height = radius * cos(angle / 2) * (corner.bulge > 0 ? 1 : -1)
            let centre = PlanPoint(
                x: (start.x + end.x) / 2 - height * (end.y - start.y) / chord,
                y: (start.y + end.y) / 2 + height * (end.x - start.x) / chord)
            let from = atan2(start.y - centre.y, start.x - centre.x)
            for step in 1..<steps {
                let turn = from + angle * Double(step) / Double(steps)
                points.append(PlanPoint(x: centre.x + radius * cos(turn), y: centre.y + radius * sin(turn)))
            }
        }
        return points
    }
}

/// Removes the formatting codes from texts.
enum DXFText {
    /// Resolves character codes such as `%%d` and `\U+00E8`.
    static func characters(_ text: String) -> String {
        var result = text.replacing("%%d", with: "°").replacing("%%D", with: "°").replacing("%%c", with: "Ø").replacing(
            "%%C", with: "Ø")
        while let range = result.range(of: "\\U+"),
            let end = result.index(range.upperBound, offsetBy: 4, limitedBy: result.endIndex)
        {
            let scalar = UInt32(result[range.upperBound..<end], radix: 16).flatMap(Unicode.Scalar.init)
            result.replaceSubrange(range.lowerBound..<end, with: scalar.map { String(Character($0)) } ?? "\u{FFFD}")
        }
        return result
    }

    /// The text of a paragraph without formatting codes and braces. A stacked fraction gets a slash; a
    /// line break becomes a space.
    static func plain(_ text: String) -> String {
        var result = ""
        var rest = Substring(characters(text))
        while let character = rest.popFirst() {
            guard character == "\\" else {
                if character != "{" && character != "}" { result.append(character) }
                continue
            }
            guard let code = rest.popFirst() else { break }
            switch code {
            case "P", "~", "N": result.append(" ")
            case "\\", "{", "}": result.append(code)
            case "L", "l", "O", "o", "K", "k": break
            case "S":
                let stacked = rest.prefix { $0 != ";" }
                result += stacked.replacing("^", with: "/").replacing("#", with: "/")
                rest = rest.dropFirst(stacked.count + 1)
            default: rest = rest.dropFirst(rest.prefix { $0 != ";" }.count + 1)
            }
        }
        return result.split(separator: " ").joined(separator: " ")
    }
}
