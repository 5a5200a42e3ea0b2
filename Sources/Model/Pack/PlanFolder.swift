/// The folder of JSON files in which a system's app stores a survey.
package struct PlanFolder: Sendable, Hashable {
    /// The document with a survey's families and parameters: one row, and one for each family.
    package struct Schema: Sendable, Hashable {
        package var file: String
        package var entity: String
        /// The field and the member with the project's id.
        package var project: String
        package var projectMember: String
        /// Members with the same names as the entity's fields, copied to these fields.
        package var members: [String]
        /// The field that stores the unchanged list of families.
        package var kept: String?
        /// The projects' field with the id of this row.
        package var version: String?
        /// The name of a project that exists only in the folder; `{id}` is the beginning of its id.
        package var called: String
        package var families: Families
    }

    /// The table of families and its fields, and the document's member with their list.
    package struct Families: Sendable, Hashable {
        package var entity: String
        package var list: String
        package var project: String
        package var version: String?
        /// Members with the same names as the entity's fields, copied to these fields.
        package var members: [String]
        /// The field with the schema of parameters, and the members that may contain it; the first
        /// that exists counts.
        package var parameters: String
        package var parameterMembers: [String]
        /// The member of a parameter with its pattern.
        package var pattern: String?
    }

    /// The document with the levels and their rooms; members are given by dotted paths.
    package struct Plan: Sendable, Hashable {
        package struct Level: Sendable, Hashable {
            package var list: String
            package var key: String
            package var name: String
            package var number: String
            /// The members with the North vector: the whole of it, its start and its end.
            package var north: String
            package var start: String
            package var end: String
            package var background: String?
        }

        package struct Room: Sendable, Hashable {
            package var list: String
            package var key: String
            package var name: String
            package var number: String
            package var polygon: String
        }

        package var file: String
        package var level: Level
        package var room: Room
        /// Files that repeat a level's North and rooms; `{key}` is the level's name in the drawing.
        package var northFile: String?
        package var roomsFile: String?
    }

    package var schema: Schema
    package var plan: Plan
}

extension PlanFolder {
    init?(_ node: PackNode) {
        guard let schema = node["schema"].flatMap(Schema.init), let plan = node["plan"].flatMap(Plan.init) else {
            return nil
        }
        self.init(schema: schema, plan: plan)
    }
}

extension PlanFolder.Schema {
    init?(_ node: PackNode) {
        guard let file = node.text("file"), let entity = node.text("entity"), let project = node.text("project"),
            let member = node.text("projectMember"), let called = node.text("called"),
            let families = node["families"].flatMap(PlanFolder.Families.init)
        else { return nil }
        self.init(
            file: file, entity: entity, project: project, projectMember: member, members: node.texts("members"),
            kept: node.text("kept"),
            version: node.text("version"), called: called, families: families)
    }
}

extension PlanFolder.Families {
    init?(_ node: PackNode) {
        guard let entity = node.text("entity"), let list = node.text("list"), let project = node.text("project"),
            let parameters = node.text("parameters")
        else { return nil }
        self.init(
            entity: entity, list: list, project: project, version: node.text("version"), members: node.texts("members"),
            parameters: parameters,
            parameterMembers: node.texts("parameterMembers"), pattern: node.text("pattern"))
    }
}

extension PlanFolder.Plan {
    init?(_ node: PackNode) {
        guard let file = node.text("file"), let level = node["level"].flatMap(Level.init),
            let room = node["room"].flatMap(Room.init)
        else { return nil }
        self.init(
            file: file, level: level, room: room, northFile: node.text("northFile"), roomsFile: node.text("roomsFile"))
    }
}

extension PlanFolder.Plan.Level {
    init?(_ node: PackNode) {
        guard let list = node.text("list"), let key = node.text("key"), let name = node.text("name"),
            let number = node.text("number"),
            let north = node.text("north"), let start = node.text("start"), let end = node.text("end")
        else { return nil }
        self.init(
            list: list, key: key, name: name, number: number, north: north, start: start, end: end,
            background: node.text("background"))
    }
}

extension PlanFolder.Plan.Room {
    init?(_ node: PackNode) {
        guard let list = node.text("list"), let key = node.text("key"), let name = node.text("name"),
            let number = node.text("number"),
            let polygon = node.text("polygon")
        else { return nil }
        self.init(list: list, key: key, name: name, number: number, polygon: polygon)
    }
}
