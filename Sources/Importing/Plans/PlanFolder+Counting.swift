import JSONReading
import Model

// What a folder's documents hold, for whoever counts them without reading them.
extension PlanFolder.Families {
    var nested: NestedRows {
        NestedRows(
            path: [list], table: entity, columns: Dictionary(members.map { ($0, $0) }) { first, _ in first },
            others: Set([project, version, parameters].compactMap(\.self)))
    }
}

extension PlanDefinition {
    /// A level without a name is called by its key.
    func nested(in plan: PlanFolder.Plan, of pack: Pack) -> [NestedRows] {
        func state(_ entity: String) -> String? { pack.entity(entity)?.states?.field }
        let levelList = plan.level.list.parts, roomList = plan.room.list.parts
        return [
            NestedRows(
                path: levelList, table: levels.entity,
                columns: [plan.level.key: levels.key, plan.level.number: levels.number, plan.level.name: levels.name],
                standIn: [levels.name: levels.key],
                others: Set(["id", levels.project, levels.origin, levels.north, levels.boundary, levels.background, state(levels.entity)].compactMap(\.self))),
            NestedRows(
                path: levelList + roomList, table: rooms.entity,
                columns: [plan.room.key: rooms.key, plan.room.number: rooms.number, plan.room.name: rooms.name],
                others: Set(["id", rooms.level, rooms.polygon, rooms.raw, rooms.area, rooms.centroid, state(rooms.entity)].compactMap(\.self))),
        ]
    }
}

extension String {
    /// The members of a dotted path.
    var parts: [String] { split(separator: ".").map(String.init) }

    /// The path as a pointer into a document.
    var pointer: String { parts.joined(separator: "/") }
}

extension JSONValue {
    /// The member at the end of a dotted path.
    func member(at path: String) -> JSONValue? {
        path.parts.reduce(Optional(self)) { value, name in value?[name] }
    }
}
