import Foundation
import Geometry
import JSONReading
import Model

/// Levels and rooms out of a drawing by its layers, and every rule that the drawing breaks, with what to correct and where.
///
/// A room that breaks a rule carries what is wrong with it, and keeps its place in the numbering: when it is mended, the others keep theirs.
struct FloorPlan {
    private(set) var levels: [PlanLevel] = []
    /// Rooms that lie in no level.
    private(set) var homeless: [PlanRoom] = []
    /// What is told of the drawing, but for what is wrong with single rooms.
    private(set) var findings: [Finding] = []

    /// Whether places and numbers have a meaning: without whole levels, or their North, they have none.
    var isUsable: Bool {
        !findings.contains { finding in
            finding.severity == .error
                && (["DRAWING-NO-LEVEL", "PLAN-NORTH", "DRAWING-NUMBERS"].contains(finding.code) || finding.arguments["layer"] == layers.levels)
        }
    }

    /// Everything that is wrong, in the order of the file.
    var everything: [Finding] {
        let rooms = levels.flatMap(\.rooms) + homeless
        return findings + rooms.flatMap(\.faults).sorted { ($0.place.line ?? 0) < ($1.place.line ?? 0) }
    }

    /// Ends of an outline that are this near to each other, in metres, are one point.
    private static let closing = 0.001
    /// How far rooms may reach over each other or over their level, in metres: drawings are exact to the centimetre.
    private static let tolerance = 0.01
    private static let maximumRooms = 999

    private let file: String
    private let layers: PlanDefinition.Layers
    private let name: LevelName
    private let scale: Double

    /// A closed outline with what was found in it.
    private struct Outline {
        var entity: DXFDrawing.Entity
        /// Nil of one that encloses nothing.
        var polygon: Polygon?
        var points: [PlanPoint]
        var labels: [DXFDrawing.Entity] = []
        /// Of a room.
        var faults: [Finding] = []

        var minX: Double { points.map(\.x).min() ?? 0 }
        var maxX: Double { points.map(\.x).max() ?? 0 }
        var maxY: Double { points.map(\.y).max() ?? 0 }
        var area: Double { polygon?.area ?? 0 }
        func contains(_ point: PlanPoint, tolerance: Double) -> Bool { polygon?.contains(point, tolerance: tolerance) == true }
        /// Whether it is closed and does not cross itself, so that its place among others can be judged.
        var isSound: Bool { polygon != nil && faults.isEmpty }
    }

    init(_ drawing: DXFDrawing, heights: PlanDefinition.Heights, file: String) {
        (self.file, layers, name) = (file, drawing.layers, LevelName(words: heights))
        scale = drawing.metres ?? 1
        if drawing.metres == nil {
            report("DRAWING-UNITS", nil, ["units": drawing.units.map(String.init) ?? "—"])
        }
        reportOthers(drawing.entities)
        for (insert, name) in drawing.lost { report("DRAWING-BLOCK", insert, ["name": String(name.prefix(80))]) }
        var outlines = self.outlines(drawing, layers.levels)
        findings += outlines.flatMap(\.faults)
        outlines.removeAll { $0.polygon == nil || $0.faults.contains { $0.code == "DRAWING-OPEN" } }
        var rooms = self.outlines(drawing, layers.rooms)
        reportOverlaps(&rooms)
        label(&outlines, drawing, layers.levels)
        label(&rooms, drawing, layers.rooms)
        for outline in outlines where outline.labels.count != 1 { findings.append(labels(outline)) }
        for index in rooms.indices where rooms[index].labels.count > 1 { rooms[index].faults.append(labels(rooms[index])) }
        guard !outlines.isEmpty else {
            homeless = rooms.map { Self.room($0, key: $0.entity.handle, number: nil) }
            if isUsable { report("DRAWING-NO-LEVEL", nil, [:]) }
            return
        }
        for index in outlines.indices { outlines[index].faults = [] }
        reportOverlaps(&outlines)
        findings += outlines.flatMap(\.faults)
        assemble(ordered(outlines), rooms, drawing)
    }

    // MARK: Findings

    private mutating func report(_ code: String, _ entity: DXFDrawing.Entity?, _ arguments: [String: String]) {
        findings.append(finding(code, entity, arguments))
    }

    private func finding(_ code: String, _ entity: DXFDrawing.Entity?, _ arguments: [String: String]) -> Finding {
        var arguments = arguments
        if let entity {
            arguments["layer"] = entity.layer
            arguments["handle"] = entity.handle.isEmpty ? "—" : entity.handle
            // As it is drawn, so that it can be found in the drawing.
            arguments["x"] = entity.points.first.map { Self.short($0.x) } ?? "—"
            arguments["y"] = entity.points.first.map { Self.short($0.y) } ?? "—"
        }
        return Finding(code, place: Place(file: file, line: entity?.line), arguments: arguments)
    }

    private static func short(_ value: Double) -> String { PlanRows.number((value * 1000).rounded() / 1000).description }

    /// Layers that nobody knows, and entities that are not read on their layer: told once each, with the first of them.
    private mutating func reportOthers(_ entities: [DXFDrawing.Entity]) {
        var order: [[String]] = []
        var found: [[String]: (first: DXFDrawing.Entity, count: Int)] = [:]
        for entity in entities {
            let isKnown = layers.all.contains(entity.layer)
            guard !layers.read(entity) else { continue }
            let key = isKnown ? [entity.layer, entity.kind] : [entity.layer]
            if found[key] == nil { order.append(key) }
            found[key] = (found[key]?.first ?? entity, (found[key]?.count ?? 0) + 1)
        }
        for key in order {
            guard let (first, count) = found[key] else { continue }
            if key.count == 1 {
                report("DRAWING-LAYER", first, ["count": String(count)])
            } else {
                report(key[0] == layers.background ? "DRAWING-BACKGROUND" : "DRAWING-ENTITY", first, ["type": key[1], "count": String(count)])
            }
        }
    }

    // MARK: Outlines

    private func metres(_ points: [PlanPoint]) -> [PlanPoint] { points.map { PlanPoint(x: $0.x * scale, y: $0.y * scale) } }

    /// The polylines of a layer, also those that are no outlines: with what is wrong with them.
    private func outlines(_ drawing: DXFDrawing, _ layer: String) -> [Outline] {
        drawing.entities.filter { $0.layer == layer && $0.shape == .polyline }.map { entity in
            let points = metres(entity.points)
            let gap = points.first.flatMap { first in points.last.map { first.distance(to: $0) } } ?? 0
            let polygon = Polygon(points).flatMap { $0.area > 0.01 ? $0 : nil }
            var outline = Outline(entity: entity, polygon: polygon, points: polygon?.corners ?? points)
            if !entity.isClosed, points.count <= 3 || gap > Self.closing {
                outline.faults.append(finding("DRAWING-OPEN", entity, ["gap": Self.short(gap)]))
            } else if polygon?.isSimple != true {
                outline.faults.append(finding("DRAWING-CROSSING", entity, [:]))
            }
            return outline
        }
    }

    private mutating func label(_ outlines: inout [Outline], _ drawing: DXFDrawing, _ layer: String) {
        for text in drawing.entities where text.layer == layer && text.shape == .text && !text.text.isEmpty {
            guard let point = metres(text.points).first else { continue }
            // Within an island the smaller outline is meant.
            let inside = outlines.indices.filter { outlines[$0].contains(point, tolerance: 0) }
            guard let index = inside.min(by: { outlines[$0].area < outlines[$1].area }) else {
                report("DRAWING-LABEL-LOST", text, ["text": String(text.text.prefix(80))])
                continue
            }
            outlines[index].labels.append(text)
        }
    }

    private func labels(_ outline: Outline) -> Finding {
        finding(
            "DRAWING-LABELS", outline.entity,
            ["count": String(outline.labels.count), "labels": outline.labels.map { String($0.text.prefix(40)) }.joined(separator: ", ")])
    }

    /// Which of two is wrong the drawing does not say: each gets its finding.
    private func reportOverlaps(_ outlines: inout [Outline]) {
        // From left to right, each with those that still reach it.
        var active: [Int] = []
        let sound = outlines.indices.filter { outlines[$0].isSound }
        for index in sound.sorted(by: { (outlines[$0].minX, $0) < (outlines[$1].minX, $1) }) {
            active.removeAll { outlines[$0].maxX < outlines[index].minX }
            guard let polygon = outlines[index].polygon else { continue }
            for other in active {
                guard let second = outlines[other].polygon, polygon.overlaps(second, tolerance: Self.tolerance) else { continue }
                for (one, two) in [(other, index), (index, other)] {
                    outlines[one].faults.append(finding("DRAWING-OVERLAP", outlines[one].entity, ["other": outlines[two].entity.handle]))
                }
            }
            active.append(index)
        }
    }

    // MARK: Levels

    /// From the lowest up by their labels; where those do not tell, as they lie in the drawing.
    private mutating func ordered(_ outlines: [Outline]) -> [Outline] {
        let heights = outlines.map { $0.labels.first.flatMap { name.height($0.text) } }
        if Set(heights.compactMap(\.self)).count == outlines.count {
            return zip(outlines, heights).sorted { ($0.1 ?? 0) < ($1.1 ?? 0) }.map(\.0)
        }
        let order = outlines.sorted { left, right in
            (left.minX, -left.maxY) < (right.minX, -right.maxY)
        }
        report("DRAWING-LEVEL-ORDER", nil, ["levels": order.map { $0.labels.first?.text ?? "—" }.joined(separator: ", ")])
        return order
    }

    private mutating func assemble(_ outlines: [Outline], _ rooms: [Outline], _ drawing: DXFDrawing) {
        var byLevel: [[Outline]] = Array(repeating: [], count: outlines.count)
        for var room in rooms {
            let fits = outlines.indices.first { index in
                !room.points.isEmpty && room.points.allSatisfy { outlines[index].contains($0, tolerance: Self.tolerance) }
            }
            guard let index = fits else {
                room.faults.append(finding("DRAWING-OUTSIDE", room.entity, [:]))
                homeless.append(Self.room(room, key: room.entity.handle, number: nil))
                continue
            }
            byLevel[index].append(room)
        }
        var norths: [[DXFDrawing.Entity]] = Array(repeating: [], count: outlines.count)
        for entity in drawing.entities where entity.layer == layers.north && (entity.shape == .line || entity.shape == .polyline) {
            let points = metres(entity.points)
            guard points.count == 2, points[0].distance(to: points[1]) > Self.closing,
                let index = outlines.firstIndex(where: { $0.contains(points[0], tolerance: 0) })
            else {
                report("DRAWING-NORTH", entity, [:])
                continue
            }
            norths[index].append(entity)
        }
        let backgrounds = PlanBackground(drawing.entities.filter { $0.layer == layers.background }, scale: scale)
            .collections(of: outlines.compactMap(\.polygon))
        var names: Set<String> = []
        for (index, outline) in outlines.enumerated() {
            let name = outline.labels.first?.text ?? "Level \(index)"
            if !names.insert(name).inserted { report("DRAWING-LABELS", outline.entity, ["count": "2", "labels": name]) }
            if norths[index].count != 1 {
                report("PLAN-NORTH", outline.entity, ["level": name, "count": String(norths[index].count)])
            }
            var level = PlanLevel(key: name, name: name, number: index, line: outline.entity.line)
            let north = norths[index].first.map { metres($0.points) } ?? []
            if north.count == 2 { level.north = (north[0], north[1]) }
            level.boundary = outline.points
            level.background = backgrounds[index]
            level.rooms = numbered(byLevel[index], of: level)
            if index > 9 || level.rooms.count > Self.maximumRooms {
                report("DRAWING-NUMBERS", outline.entity, ["level": name, "count": String(level.rooms.count)])
            }
            levels.append(level)
        }
    }

    /// Rooms from top left to bottom right: those whose upper edges lie within a metre of the highest make a row, from left to right.
    private func numbered(_ rooms: [Outline], of level: PlanLevel) -> [PlanRoom] {
        var rest = rooms.sorted { $0.maxY > $1.maxY }[...]
        var order: [Outline] = []
        while let highest = rest.first?.maxY {
            let row = rest.prefix { $0.maxY > highest - 1 }
            rest = rest.dropFirst(row.count)
            order += row.sorted { ($0.minX, $0.entity.line) < ($1.minX, $1.entity.line) }
        }
        return order.enumerated().map { index, room in
            let sequence = String(1001 + index).dropFirst()
            let number = "\(level.number)\(sequence)"
            let key = room.entity.handle.isEmpty ? number : room.entity.handle
            return Self.room(room, key: "\(level.key)/\(key)", number: number)
        }
    }

    private static func room(_ outline: Outline, key: String, number: String?) -> PlanRoom {
        PlanRoom(
            key: key, name: outline.labels.first?.text ?? "Room \(number ?? key)", number: number, polygon: outline.points, line: outline.entity.line,
            faults: outline.faults)
    }
}

extension PlanDefinition.Layers {
    var all: [String] { [background, rooms, levels, north] }

    /// Whether an entity is one that is read on its layer.
    func read(_ entity: DXFDrawing.Entity) -> Bool {
        switch entity.layer {
        case background: entity.shape != .other
        case rooms, levels: entity.shape == .polyline || entity.shape == .text
        case north: entity.shape == .line || entity.shape == .polyline
        default: false
        }
    }
}
