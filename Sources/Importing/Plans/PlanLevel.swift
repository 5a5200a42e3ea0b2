import Foundation
import Geometry
import JSONReading
import Model

/// A floor as a drawing gives it: everything in metres along the drawing's axes.
struct PlanLevel {
    /// The drawing's own name for it, by which its id is made (`L0`).
    var key: String
    var name: String
    var number: Int
    /// The North vector; plan space begins at its start.
    var north: (start: PlanPoint, end: PlanPoint)?
    var boundary: [PlanPoint] = []
    /// GeoJSON as it came, or as it was made of a drawing's lines.
    var background: JSONValue?
    var rooms: [PlanRoom] = []
    var line: Int?
}

struct PlanRoom {
    var key: String
    var name: String
    /// Nil of a room that lies in no level.
    var number: String?
    var polygon: [PlanPoint]
    /// The ring as it stood in the file; nil: `polygon`.
    var raw: JSONValue?
    var line: Int?
    /// Rules of drawings that it breaks: its row waits in the quarantine.
    var faults: [Finding] = []
}

/// Levels and rooms as rows of the pack's entities. Ids follow from the project and the drawing's own ids, which repeat from survey to survey.
struct PlanRows {
    let pack: Pack
    let plans: PlanDefinition
    let projectID: String
    let file: String

    func levelID(_ level: PlanLevel) -> String { NaturalID.id(pack: pack.name, entity: plans.levels.entity, key: [projectID, level.key]) }

    func levels(_ levels: [PlanLevel]) -> [SourceRow] {
        let names = plans.levels
        return levels.map { level in
            var members: [JSONValue.Member] = [
                .init(key: "id", value: .string(levelID(level))), .init(key: names.project, value: .string(projectID)),
                .init(key: names.name, value: .string(level.name)), .init(key: names.number, value: .number(String(level.number))),
                .init(key: names.key, value: .string(level.key)),
            ] + state(of: names.entity)
            func add(_ name: String?, _ value: @autoclosure () -> JSONValue) { if let name { members.append(.init(key: name, value: value())) } }
            if let north = level.north {
                add(names.origin, Self.point(north.start))
                add(names.north, Self.number(Self.angle(north.start, north.end)))
            }
            if !level.boundary.isEmpty { add(names.boundary, .array(level.boundary.map { Self.point(level.plan($0)) })) }
            if let background = level.background { add(names.background, background) }
            return SourceRow(value: .object(members), file: file, line: level.line)
        }
    }

    /// - Parameter homeless: rooms that lie in no level.
    func rooms(_ levels: [PlanLevel], homeless: [PlanRoom] = []) -> [SourceRow] {
        levels.flatMap { level in level.rooms.map { row($0, of: level) } } + homeless.map { row($0, of: nil) }
    }

    private func row(_ room: PlanRoom, of level: PlanLevel?) -> SourceRow {
        let names = plans.rooms
        var members: [JSONValue.Member] = [
            .init(key: "id", value: .string(NaturalID.id(pack: pack.name, entity: names.entity, key: [projectID, room.key]))),
            .init(key: names.level, value: level.map { .string(levelID($0)) } ?? .null), .init(key: names.name, value: .string(room.name)),
            .init(key: names.number, value: room.number.map(JSONValue.string) ?? .null),
        ] + state(of: names.entity) + [
            .init(key: names.key, value: .string(room.key)),
            .init(key: names.polygon, value: .array(room.polygon.map { Self.point(level?.plan($0) ?? $0) })),
        ]
        func add(_ name: String?, _ value: @autoclosure () -> JSONValue) { if let name { members.append(.init(key: name, value: value())) } }
        add(names.raw, room.raw ?? .array(room.polygon.map(Self.point)))
        if let polygon = Polygon(room.polygon.map { level?.plan($0) ?? $0 }) {
            add(names.area, Self.number(polygon.area))
            if let centroid = polygon.centroid { add(names.centroid, Self.point(centroid)) }
        }
        var row = SourceRow(value: .object(members), file: file, line: room.line)
        guard !room.faults.isEmpty else { return row }
        // Nothing in the row itself says what the drawing says: it goes in only when somebody has taken its faults away.
        row.findings = room.faults
        row.raw = JSONValue.object(members + [RowFaults.member(room.faults)]).description
        return row
    }

    /// The state of a new row, where the entity has states.
    func state(of entity: String) -> [JSONValue.Member] {
        pack.entity(entity)?.states.map { [.init(key: $0.field, value: .string($0.initial))] } ?? []
    }

    /// To the micrometre, far below what a drawing knows, so that the same drawing gives the same texts.
    static func number(_ value: Double) -> JSONValue {
        let rounded = (value * 1e6).rounded() / 1e6
        return .number(rounded == rounded.rounded() && abs(rounded) < 1e15 ? String(Int64(rounded)) : rounded.description)
    }

    static func point(_ point: PlanPoint) -> JSONValue { .array([number(point.x), number(point.y)]) }

    /// Degrees clockwise from the drawing's Y axis to the North vector, from 0 on below 360.
    static func angle(_ start: PlanPoint, _ end: PlanPoint) -> Double {
        let degrees = atan2(end.x - start.x, end.y - start.y) * 180 / .pi
        return degrees < 0 ? degrees + 360 : degrees
    }
}

extension PlanLevel {
    /// A point of the drawing in plan space.
    func plan(_ point: PlanPoint) -> PlanPoint {
        guard let origin = north?.start else { return point }
        return PlanPoint(x: point.x - origin.x, y: point.y - origin.y)
    }
}

extension JSONValue {
    /// `[x, y, …]` as a point; nil of anything else.
    var planPoint: PlanPoint? {
        guard let items, items.count >= 2, let x = items[0].double, let y = items[1].double else { return nil }
        return PlanPoint(x: x, y: y)
    }

    var double: Double? {
        guard case .number(let digits) = self, let value = Double(digits), value.isFinite else { return nil }
        return value
    }
}
