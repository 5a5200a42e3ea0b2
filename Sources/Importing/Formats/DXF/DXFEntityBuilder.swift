import Foundation
import Geometry

/// Puts an entity together from its groups (DXF Reference, "ENTITIES section").
struct DXFEntityBuilder {
    private let kind: String
    private let line: Int
    private var handle = ""
    private var layer = "0"
    private var flags = 0
    private var corners: [(x: Double, y: Double, bulge: Double)] = []
    private var second: (x: Double, y: Double)?
    private var text = ""
    private var isMirrored = false
    private(set) var isOnPaper = false

    init(kind: String, line: Int) {
        self.kind = kind
        self.line = line
    }

    var pointCount: Int { corners.count }

    mutating func take(_ pair: DXFPairs.Pair) {
        switch pair.code {
        case 5: handle = pair.value
        case 8: layer = pair.value
        case 67: isOnPaper = pair.value == "1"
        case 70: flags = Int(pair.value) ?? 0
        case 10:
            // Of an old polyline this is a height only; its corners are vertices.
            guard kind != "POLYLINE", let x = pair.number, kind == "LWPOLYLINE" || corners.isEmpty else { return }
            corners.append((x, 0, 0))
        case 20: if kind != "POLYLINE", let y = pair.number, !corners.isEmpty { corners[corners.count - 1].y = y }
        case 42: if ["LWPOLYLINE", "VERTEX"].contains(kind), let bulge = pair.number, !corners.isEmpty { corners[corners.count - 1].bulge = bulge }
        case 11: if let x = pair.number { second = (x, 0) }
        case 21: if let y = pair.number, let first = second { second = (first.x, y) }
        case 1, 3: if kind == "TEXT" || kind == "MTEXT" { text += pair.value }
        case 230: isMirrored = kind != "LINE" && (pair.number ?? 1) < 0
        default: break
        }
    }

    /// A corner of an old polyline.
    mutating func add(_ vertex: DXFEntityBuilder) {
        // Control points of splines are no corners.
        guard let corner = vertex.corners.first, vertex.flags & 16 == 0 else { return }
        corners.append(corner)
    }

    var entity: DXFDrawing.Entity {
        var entity = DXFDrawing.Entity(kind: kind, line: line)
        (entity.handle, entity.layer) = (handle, layer)
        switch kind {
        case "LINE":
            guard let first = corners.first, let second else { return entity }
            entity.shape = .line
            entity.points = [PlanPoint(x: first.x, y: first.y), PlanPoint(x: second.x, y: second.y)]
        case "LWPOLYLINE", "POLYLINE":
            // Meshes and polyfaces are no outlines.
            guard kind == "LWPOLYLINE" || flags & (16 | 64) == 0 else { return entity }
            entity.shape = .polyline
            entity.isClosed = flags & 1 != 0
            entity.isFlattened = corners.contains { $0.bulge != 0 }
            entity.points = outline(isClosed: entity.isClosed)
        case "TEXT", "MTEXT":
            entity.shape = .text
            entity.text = kind == "MTEXT" ? DXFText.plain(text) : DXFText.characters(text)
            entity.points = corners.first.map { [PlanPoint(x: $0.x, y: $0.y)] } ?? []
        default:
            entity.points = corners.first.map { [PlanPoint(x: $0.x, y: $0.y)] } ?? []
        }
        // Drawn on the plane's back: its X axis runs the other way.
        if isMirrored { entity.points = entity.points.map { PlanPoint(x: -$0.x, y: $0.y) } }
        return entity
    }

    /// Corners, and between those with a bulge (the tangent of a quarter of the arc's angle) points on the arc every five degrees.
    private func outline(isClosed: Bool) -> [PlanPoint] {
        var points: [PlanPoint] = []
        for (index, corner) in corners.enumerated() {
            let start = PlanPoint(x: corner.x, y: corner.y)
            points.append(start)
            guard corner.bulge != 0, abs(corner.bulge) < 1e4, index + 1 < corners.count || isClosed else { continue }
            let next = corners[(index + 1) % corners.count]
            let end = PlanPoint(x: next.x, y: next.y)
            let angle = 4 * atan(corner.bulge), chord = start.distance(to: end)
            let steps = Int((abs(angle) / (.pi / 36)).rounded(.up))
            guard chord > 0, steps > 1 else { continue }
            let radius = chord / (2 * sin(abs(angle) / 2))
            let height = radius * cos(angle / 2) * (corner.bulge > 0 ? 1 : -1)
            let centre = PlanPoint(
                x: (start.x + end.x) / 2 - height * (end.y - start.y) / chord, y: (start.y + end.y) / 2 + height * (end.x - start.x) / chord)
            let from = atan2(start.y - centre.y, start.x - centre.x)
            for step in 1..<steps {
                let turn = from + angle * Double(step) / Double(steps)
                points.append(PlanPoint(x: centre.x + radius * cos(turn), y: centre.y + radius * sin(turn)))
            }
        }
        return points
    }
}

/// Texts without the codes by which they are drawn.
enum DXFText {
    /// `%%d`, `\U+00E8`.
    static func characters(_ text: String) -> String {
        var result = text.replacing("%%d", with: "°").replacing("%%D", with: "°").replacing("%%c", with: "Ø").replacing("%%C", with: "Ø")
        while let range = result.range(of: "\\U+"), let end = result.index(range.upperBound, offsetBy: 4, limitedBy: result.endIndex) {
            let scalar = UInt32(result[range.upperBound..<end], radix: 16).flatMap(Unicode.Scalar.init)
            result.replaceSubrange(range.lowerBound..<end, with: scalar.map { String(Character($0)) } ?? "\u{FFFD}")
        }
        return result
    }

    /// A paragraph text: codes from a backslash to a semicolon, braces, stacked fractions taken away; `\P` is a break between words.
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
