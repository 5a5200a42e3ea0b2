import Foundation
import Geometry
import JSONReading
import Model

/// Derives levels and rooms from a drawing's layers, and checks all drawing rules. Each violation
/// is reported with its position and how to correct it.
///
/// A room that violates a rule has findings, but is still numbered, so that the other rooms keep
/// their numbers when it is corrected.
struct FloorPlan {
    private(set) var levels: [PlanLevel] = []
    /// Rooms outside all levels.
    private(set) var homeless: [PlanRoom] = []
    /// Findings about the drawing, except those about single rooms.
    private(set) var findings: [Finding] = []

    /// Whether coordinates and numbers are usable: all levels must be complete and have their
    /// North.
    var isUsable: Bool {
        !findings.contains { finding in
            finding.severity == .error
                && (["DRAWING-NO-LEVEL", "PLAN-NORTH", "DRAWING-NUMBERS"].contains(finding.code)
                    || finding.arguments["layer"] == layers.levels)
        }
    }

    /// All findings, in the order of the file.
    var everything: [Finding] {
        let rooms = levels.flatMap(\.rooms) + homeless
        return findings + rooms.flatMap(\.faults).sorted { ($0.place.line ?? 0) < ($1.place.line ?? 0) }
    }

    /// End points of an outline within this distance, in metres, count as one point.
    private static let closing = 0.001
    /// Distance in metres by which rooms may overlap each other or extend beyond their level:
    /// drawings are accurate to a centimetre.
    private static let tolerance = 0.01
    private static let maximumRooms = 999

    private let file: String
    private let layers: PlanDefinition.Layers
    private let name: LevelName
    private let scale: Double

    /// An outline with everything inside it.
    private struct Outline {
        var entity: DXFDrawing.Entity
        /// Nil if the outline encloses no area.
        var polygon: Polygon?
        var points: [PlanPoint]
        var labels: [DXFDrawing.Entity] = []
        /// Findings about the room of this outline.
        var faults: [Finding] = []

        var minX: Double { points.map(\.x).min() ?? 0 }
        var maxX: Double { points.map(\.x).max() ?? 0 }
        var maxY: Double { points.map(\.y).max() ?? 0 }
        var area: Double { polygon?.area ?? 0 }
        func contains(_ point: PlanPoint, tolerance: Double) -> Bool {
            polygon?.contains(point, tolerance: tolerance) == true
        }
        /// Whether the outline is closed and does not cross itself, so that it can be compared with
        /// other outlines.
        var isSound: Bool { polygon != nil && faults.isEmpty }
    }

    init(_ drawing: DXFDrawing, heights: PlanDefinition.Heights, file: String) {
        (self.file, layers, name) = (file, drawing.layers, LevelName(words: heights))
        scale = drawing.metres ?? 1
        if drawing.metres == nil {
            add("DRAWING-UNITS", nil, ["units": drawing.units.map(String.init) ?? "—"])
        }
        reportOthers(drawing.entities)
        for (insert, name) in drawing.lost { add("DRAWING-BLOCK", insert, ["name": String(name.prefix(80))]) }
        var outlines = self.outlines(drawing, layers.levels)
        findings += outlines.flatMap(\.faults)
        outlines.removeAll { $0.polygon == nil || $0.faults.contains { $0.code == "DRAWING-OPEN" } }
        var rooms = self.outlines(drawing, layers.rooms)
        reportOverlaps(&rooms)
        label(&outlines, drawing, layers.levels)
        label(&rooms, drawing, layers.rooms)
        for outline in outlines where outline.labels.count != 1 { findings.append(labels(outline)) }
        for index in rooms.indices where rooms[index].labels.count > 1 {
            rooms[index].faults.append(labels(rooms[index]))
        }
        guard !outlines.isEmpty else {
            homeless = rooms.map { Self.room($0, key: $0.entity.handle, number: nil) }
            if isUsable { add("DRAWING-NO-LEVEL", nil, ["layer": layers.levels]) }
            return
        }
        for index in outlines.indices { outlines[index].faults = [] }
        reportOverlaps(&outlines)
        findings += outlines.flatMap(\.faults)
        assemble(ordered(outlines), rooms, drawing)
    }

    // MARK: Findings

    /// Adds a finding about the drawing, with the position of an entity.
    private mutating func add(_ code: String, _ entity: DXFDrawing.Entity?, _ arguments: [String: String]) {
        findings.append(finding(code, entity, arguments))
    }

    private func finding(_ code: String, _ entity: DXFDrawing.Entity?, _ arguments: [String: String]) -> Finding {
        var arguments = arguments
        if let entity {
            arguments["layer"] = entity.layer
            arguments["handle"] = entity.handle.isEmpty ? "—" : entity.handle
            // Coordinates are reported as drawn, so that the position can be found in the drawing.
            arguments["x"] = entity.points.first.map { Self.short($0.x) } ?? "—"
            arguments["y"] = entity.points.first.map { Self.short($0.y) } ?? "—"
        }
        return Finding(code, place: Place(file: file, line: entity?.line), arguments: arguments)
    }

    private static func short(_ value: Double) -> String {
        PlanRows.number((value * 1000).rounded() / 1000).description
    }

    /// Reports unknown layers, and entities whose type is not read on their layer: once each, with
    /// the first example.
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
                add(
                    "DRAWING-LAYER", first,
                    ["count": String(count), "known": layers.all.sorted().joined(separator: ", ")])
            } else {
                add(
                    key[0] == layers.background ? "DRAWING-BACKGROUND" : "DRAWING-ENTITY", first,
                    ["type": key[1], "count": String(count)])
            }
        }
    }

    // MARK: Outlines

    private func metres(_ points: [PlanPoint]) -> [PlanPoint] {
        points.map { PlanPoint(x: $0.x * scale, y: $0.y * scale) }
    }

    /// The polylines of a layer with their findings, including those that are not valid outlines.
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
            // Among nested outlines, the label belongs to the smallest.
            let inside = outlines.indices.filter { outlines[$0].contains(point, tolerance: 0) }
            guard let index = inside.min(by: { outlines[$0].area < outlines[$1].area }) else {
                add("DRAWING-LABEL-LOST", text, ["text": String(text.text.prefix(80))])
                continue
            }
            outlines[index].labels.append(text)
        }
    }

    private func labels(_ outline: Outline) -> Finding {
        finding(
            "DRAWING-LABELS", outline.entity,
            [
                "count": String(outline.labels.count),
                "labels": outline.labels.map { String($0.text.prefix(40)) }.joined(separator: ", "),
            ])
    }

    /// Reports overlapping rooms. The drawing does not show which of the two is wrong, so both get
    /// a finding.
    private func reportOverlaps(_ outlines: inout [Outline]) {
        // Sweeps from left to right; `active` contains the outlines that extend to the current one.
        var active: [Int] = []
        let sound = outlines.indices.filter { outlines[$0].isSound }
        for index in sound.sorted(by: { (outlines[$0].minX, $0) < (outlines[$1].minX, $1) }) {
            active.removeAll { outlines[$0].maxX < outlines[index].minX }
            guard let polygon = outlines[index].polygon else { continue }
            for other in active {
                guard let second = outlines[other].polygon, polygon.overlaps(second, tolerance: Self.tolerance) else {
                    continue
                }
                for (one, two) in [(other, index), (index, other)] {
                    outlines[one].faults.append(
                        finding("DRAWING-OVERLAP", outlines[one].entity, ["other": outlines[two].entity.handle]))
                }
            }
            active.append(index)
        }
    }

    // MARK: Levels

    /// Orders levels from the lowest up by their labels; if these do not show an order, from left
    /// to right by their position in the drawing.
    private mutating func ordered(_ outlines: [Outline]) -> [Outline] {
        let heights = outlines.map { $0.labels.first.flatMap { name.height($0.text) } }
        if Set(heights.compactMap(\.self)).count == outlines.count {
            return zip(outlines, heights).sorted { ($0.1 ?? 0) < ($1.1 ?? 0) }.map(\.0)
        }
        let order = outlines.sorted { left, right in
            (left.minX, -left.maxY) < (right.minX, -right.maxY)
        }
        add("DRAWING-LEVEL-ORDER", nil, ["levels": order.map { $0.labels.first?.text ?? "—" }.joined(separator: ", ")])
        return order
    }

    private mutating func assemble(_ outlines: [Outline], _ rooms: [Outline], _ drawing: DXFDrawing) {
        var byLevel: [[Outline]] = Array(repeating: [], count: outlines.count)
        for var room in rooms {
            let fits = outlines.indices.first { index in
                !room.points.isEmpty
                    && room.points.allSatisfy { outlines[index].contains($0, tolerance: Self.tolerance) }
            }
            guard let index = fits else {
                room.faults.append(finding("DRAWING-OUTSIDE", room.entity, [:]))
                homeless.append(Self.room(room, key: room.entity.handle, number: nil))
                continue
            }
            byLevel[index].append(room)
        }
        var norths: [[DXFDrawing.Entity]] = Array(repeating: [], count: outlines.count)
        for entity in drawing.entities
        where entity.layer == layers.north && (entity.shape == .line || entity.shape == .polyline) {
            let points = metres(entity.points)
            guard points.count == 2, points[0].distance(to: points[1]) > Self.closing,
                let index = outlines.firstIndex(where: { $0.contains(points[0], tolerance: 0) })
            else {
                add("DRAWING-NORTH", entity, [:])
                continue
            }
            norths[index].append(entity)
        }
        let backgrounds = PlanBackground(drawing.entities.filter { $0.layer == layers.background }, scale: scale)
            .collections(of: outlines.compactMap(\.polygon))
        var names: Set<String> = []
        for (index, outline) in outlines.enumerated() {
            let name = outline.labels.first?.text ?? "Level \(index)"
            if !names.insert(name).inserted { add("DRAWING-LABELS", outline.entity, ["count": "2", "labels": name]) }
            if norths[index].count != 1 {
                add("PLAN-NORTH", outline.entity, ["level": name, "count": String(norths[index].count)])
            }
            var level = PlanLevel(key: name, name: name, number: index, line: outline.entity.line)
            let north = norths[index].first.map { metres($0.points) } ?? []
            if north.count == 2 { level.north = (north[0], north[1]) }
            level.boundary = outline.points
            level.background = backgrounds[index]
            level.rooms = numbered(byLevel[index], of: level)
            if index > 9 || level.rooms.count > Self.maximumRooms {
                add("DRAWING-NUMBERS", outline.entity, ["level": name, "count": String(level.rooms.count)])
            }
            levels.append(level)
        }
    }

    /// Numbers rooms from top left to bottom right. Rooms whose upper edges are within a metre of
    /// the highest one form a row, which runs from left to right.
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
            key: key, name: outline.labels.first?.text ?? "Room \(number ?? key)", number: number,
            polygon: outline.points, line: outline.entity.line,
            faults: outline.faults)
    }
}

extension PlanDefinition.Layers {
    var all: [String] { [background, rooms, levels, north] }

    /// Whether an entity's type is read on its layer.
    func read(_ entity: DXFDrawing.Entity) -> Bool {
        switch entity.layer {
        case background: entity.shape != .other
        case rooms, levels: entity.shape == .polyline || entity.shape == .text
        case north: entity.shape == .line || entity.shape == .polyline
        default: false
        }
    }
}
