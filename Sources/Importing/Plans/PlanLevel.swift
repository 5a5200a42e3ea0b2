import Foundation
import Geometry
import JSONReading
import Model

/// A floor of a drawing; all lengths are in metres along the drawing's axes.
struct PlanLevel {
    /// The level's key in the drawing, from which its id is derived (`L0`).
    var key: String
    var name: String
    var number: Int
    /// The North vector; its start is the origin of plan space.
    var north: (start: PlanPoint, end: PlanPoint)?
    var boundary: [PlanPoint] = []
    /// GeoJSON as received, or derived from a drawing's lines.
    var background: JSONValue?
    var rooms: [PlanRoom] = []
    var line: Int?
}

struct PlanRoom {
    var key: String
    var name: String
    /// Nil for a room outside all levels.
    var number: String?
    var polygon: [PlanPoint]
    /// The ring as written in the file; nil if `polygon` is to be used.
    var raw: JSONValue?
    var line: Int?
    /// Findings about violated drawing rules: the room's row goes to the quarantine.
    var faults: [Finding] = []
}

/// Levels and rooms as rows of the pack's entities. Their ids are derived from the project's id and
/// from the keys in the drawing, so that they are the same in every survey.
struct PlanRows {
    let pack: Pack
    let plans: PlanDefinition
    let projectID: String
    let file: String

    func levelID(_ level: PlanLevel) -> String {
        NaturalID.id(pack: pack.name, entity: plans.levels.entity, key: [projectID, level.key])
    }

    func levels(_ levels: [PlanLevel]) -> [SourceRow] {
        let names = plans.levels
        return levels.map { level in
            var members: [JSONValue.Member] =
                [
                    .init(key: "id", value: .string(levelID(level))),
                    .init(key: names.project, value: .string(projectID)),
                    .init(key: names.name, value: .string(level.name)),
                    .init(key: names.number, value: .number(String(level.number))),
                    .init(key: names.key, value: .string(level.key)),
                ] + state(of: names.entity)
            func add(_ name: String?, _ value: @autoclosure () -> JSONValue) {
                if let name { members.append(.init(key: name, value: value())) }
            }
            if let north = level.north {
                add(names.origin, Self.point(north.start))
                add(names.north, Self.number(Self.angle(north.start, north.end)))
            }
            if !level.boundary.isEmpty {
                add(names.boundary, .array(level.boundary.map { Self.point(level.plan($0)) }))
            }
            if let background = level.background { add(names.background, background) }
            return SourceRow(value: .object(members), file: file, line: level.line)
        }
    }

    /// Rows of the rooms of all levels.
    ///
    /// - Parameter homeless: rooms outside all levels.
    func rooms(_ levels: [PlanLevel], homeless: [PlanRoom] = []) -> [SourceRow] {
        levels.flatMap { level in level.rooms.map { row($0, of: level) } } + homeless.map { row($0, of: nil) }
    }

    private func row(_ room: PlanRoom, of level: PlanLevel?) -> SourceRow {
        let names = plans.rooms
        var members: [JSONValue.Member] =
            [
                .init(
                    key: "id",
                    value: .string(NaturalID.id(pack: pack.name, entity: names.entity, key: [projectID, room.key]))),
                .init(key: names.level, value: level.map { .string(levelID($0)) } ?? .null),
                .init(key: names.name, value: .string(room.name)),
                .init(key: names.number, value: room.number.map(JSONValue.string) ?? .null),
            ] + state(of: names.entity) + [
                .init(key: names.key, value: .string(room.key)),
                .init(key: names.polygon, value: .array(room.polygon.map { Self.point(level?.plan($0) ?? $0) })),
            ]
        func add(_ name: String?, _ value: @autoclosure () -> JSONValue) {
            if let name { members.append(.init(key: name, value: value())) }
        }
        add(names.raw, room.raw ?? .array(room.polygon.map(Self.point)))
        if let polygon = Polygon(room.polygon.map { level?.plan($0) ?? $0 }) {
            add(names.area, Self.number(polygon.area))
            if let centroid = polygon.centroid { add(names.centroid, Self.point(centroid)) }
        }
        var row = SourceRow(value: .object(members), file: file, line: room.line)
        guard !room.faults.isEmpty else { return row }
        // The row's values do not show the drawing's fault. So the fault is stored with the row,
        // which is imported only when someone has removed it.
        row.findings = room.faults
        row.raw = JSONValue.object(members + [RowFaults.member(room.faults)]).description
        return row
    }

    /// The initial state of a new row, if the entity has states.
    func state(of entity: String) -> [JSONValue.Member] {
        pack.entity(entity)?.states.map { [.init(key: $0.field, value: .string($0.initial))] } ?? []
    }

    /// Rounds to the micrometre, far below a drawing's accuracy, so that the same drawing yields
    /// the same texts.
    static func number(_ value: Double) -> JSONValue {
        let rounded = (value * 1e6).rounded() / 1e6
        return .number(
            rounded == rounded.rounded() && abs(rounded) < 1e15 ? String(Int64(rounded)) : rounded.description)
    }

    static func point(_ point: PlanPoint) -> JSONValue { .array([number(point.x), number(point.y)]) }

    /// Degrees clockwise from the drawing's Y axis to the North vector, at least 0 and below 360.
    static func angle(_ start: PlanPoint, _ end: PlanPoint) -> Double {
        let degrees = atan2(end.x - start.x, end.y - start.y) * 180 / .pi
        return degrees < 0 ? degrees + 360 : degrees
    }
}

extension PlanLevel {
    /// Converts a point of the drawing to plan space, whose origin is the North vector's start.
    func plan(_ point: PlanPoint) -> PlanPoint {
        guard let origin = north?.start else { return point }
        return PlanPoint(x: point.x - origin.x, y: point.y - origin.y)
    }
}

extension JSONValue {
    /// `[x, y, …]` as a point; nil for anything else.
    var planPoint: PlanPoint? {
        guard let items, items.count >= 2, let x = items[0].double, let y = items[1].double else { return nil }
        return PlanPoint(x: x, y: y)
    }

    var double: Double? {
        guard case .number(let digits) = self, let value = Double(digits), value.isFinite else { return nil }
        return value
    }
}

/// Stores the findings that a row's values do not show with the quarantined row, as its member
/// `faults`. A retry rejects the row as long as the row has that member.
enum RowFaults {
    static let name = "faults"

    static func member(_ findings: [Finding]) -> JSONValue.Member {
        .init(key: name, value: .array(findings.map { finding in
                    let arguments = finding.arguments.sorted { $0.key < $1.key }.map {
                        JSONValue.Member(key: $0.key, value: .string($0.value))
                    }
                    return .object([
                        .init(key: "code", value: .string(finding.code)),
                        .init(key: "arguments", value: .object(arguments)),
                    ])
        }))
    }

    /// Moves the faults from a row's values to its findings.
    static func taken(from row: SourceRow) -> SourceRow {
        guard case .object(let members) = row.value, let faults = row.value[name]?.items else { return row }
        var taken = row
        taken.raw = row.raw ?? row.value.description
        taken.value = .object(members.filter { $0.key != name })
        taken.findings += faults.compactMap { fault in
            guard let code = fault["code"]?.text, FindingCatalogue.declares(code) else { return nil }
            let arguments = (fault["arguments"]?.members ?? []).map { ($0.key, $0.value.text ?? $0.value.description) }
            return Finding(
                code, place: Place(file: row.file, line: row.line),
                arguments: Dictionary(arguments) { first, _ in first })
        }
        return taken
    }
}

/// The lines of a drawing's background as GeoJSON in metres, one collection for each level.
struct PlanBackground {
    private let entities: [DXFDrawing.Entity]
    private let scale: Double

    init(_ entities: [DXFDrawing.Entity], scale: Double) {
        self.entities = entities
        self.scale = scale
    }

    /// Assigns each line to the level that contains its first point. Lines outside all levels are
    /// dropped.
    func collections(of levels: [Polygon]) -> [JSONValue] {
        var features: [[JSONValue]] = Array(repeating: [], count: levels.count)
        for entity in entities where [.line, .polyline, .curve].contains(entity.shape) {
            var points = entity.points.map { PlanPoint(x: $0.x * scale, y: $0.y * scale) }
            guard points.count > 1, let index = levels.firstIndex(where: { $0.contains(points[0], tolerance: 0.01) })
            else { continue }
            if entity.isClosed { points.append(points[0]) }
            features[index].append(
                .object([
                    .init(key: "type", value: .string("Feature")),
                    .init(
                        key: "properties",
                        value: .object([
                            .init(key: "Layer", value: .string(entity.layer)),
                            .init(key: "EntityHandle", value: .string(entity.handle)),
                        ])),
                    .init(
                        key: "geometry",
                        value: .object([
                            .init(key: "type", value: .string("LineString")),
                            .init(key: "coordinates", value: .array(points.map(PlanRows.point))),
                        ])),
                ]))
        }
        return features.map {
            .object([
                .init(key: "type", value: .string("FeatureCollection")), .init(key: "features", value: .array($0)),
            ])
        }
    }
}

// Describes the contents of a folder's documents for the independent count, which does not use the
// reader.
extension PlanFolder.Families {
    var nested: NestedRows {
        NestedRows(
            path: [list], table: entity, columns: Dictionary(members.map { ($0, $0) }) { first, _ in first },
            others: Set([project, version, parameters].compactMap(\.self)))
    }
}

extension PlanDefinition {
    /// A level without a name uses its key as its name.
    func nested(in plan: PlanFolder.Plan, of pack: Pack) -> [NestedRows] {
        func state(_ entity: String) -> String? { pack.entity(entity)?.states?.field }
        let levelList = plan.level.list.parts, roomList = plan.room.list.parts
        return [
            NestedRows(
                path: levelList, table: levels.entity,
                columns: [plan.level.key: levels.key, plan.level.number: levels.number, plan.level.name: levels.name],
                standIn: [levels.name: levels.key],
                others: Set(
                    [
                        "id", levels.project, levels.origin, levels.north, levels.boundary, levels.background,
                        state(levels.entity),
                    ].compactMap(\.self))),
            NestedRows(
                path: levelList + roomList, table: rooms.entity,
                columns: [plan.room.key: rooms.key, plan.room.number: rooms.number, plan.room.name: rooms.name],
                others: Set(
                    ["id", rooms.level, rooms.polygon, rooms.raw, rooms.area, rooms.centroid, state(rooms.entity)]
                        .compactMap(\.self))),
        ]
    }
}

extension String {
    /// The components of a dotted path.
    var parts: [String] { split(separator: ".").map(String.init) }

    /// The path as a JSON pointer, without the leading slash.
    var pointer: String { parts.joined(separator: "/") }
}

extension JSONValue {
    /// The member at the end of a dotted path.
    func member(at path: String) -> JSONValue? {
        path.parts.reduce(Optional(self)) { value, name in value?[name] }
    }
}
