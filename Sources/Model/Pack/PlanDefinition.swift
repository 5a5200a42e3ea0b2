/// Which tables hold the floors of a building and their rooms, how drawings show them, and the files in which the system's own app keeps
/// them (`plans:` in `pack.yaml`). Their states are the initial ones of the entities.
package struct PlanDefinition: Sendable, Hashable {
    /// A table of floors and its fields.
    package struct Levels: Sendable, Hashable {
        package var entity: String
        package var project: String
        package var name: String
        package var number: String
        /// The text with the drawing's own name for a level, of which its id is made.
        package var key: String
        /// The point that plan space begins at, and the direction of North in degrees.
        package var origin: String?
        package var north: String?
        package var boundary: String?
        /// GeoJSON.
        package var background: String?

        package init(
            entity: String, project: String, name: String, number: String, key: String, origin: String? = nil, north: String? = nil,
            boundary: String? = nil, background: String? = nil
        ) {
            self.entity = entity
            self.project = project
            self.name = name
            self.number = number
            self.key = key
            self.origin = origin
            self.north = north
            self.boundary = boundary
            self.background = background
        }
    }

    /// A table of rooms and its fields.
    package struct Rooms: Sendable, Hashable {
        package var entity: String
        package var level: String
        package var name: String
        package var number: String
        package var key: String
        /// In plan space.
        package var polygon: String
        /// As the drawing has it.
        package var raw: String?
        package var area: String?
        package var centroid: String?

        package init(
            entity: String, level: String, name: String, number: String, key: String, polygon: String, raw: String? = nil, area: String? = nil,
            centroid: String? = nil
        ) {
            self.entity = entity
            self.level = level
            self.name = name
            self.number = number
            self.key = key
            self.polygon = polygon
            self.raw = raw
            self.area = area
            self.centroid = centroid
        }
    }

    /// The layers of a drawing by what they show.
    package struct Layers: Sendable, Hashable {
        package var background: String
        package var rooms: String
        package var levels: String
        package var north: String

        package init(background: String, rooms: String, levels: String, north: String) {
            (self.background, self.rooms, self.levels, self.north) = (background, rooms, levels, north)
        }
    }

    /// How names of levels tell which lies above which.
    package struct Heights: Sendable, Hashable {
        package struct Word: Sendable, Hashable {
            package var word: String
            package var height: Int

            package init(_ word: String, _ height: Int) { (self.word, self.height) = (word, height) }
        }

        /// Last words of names of the ground floor.
        package var ground: [String]
        /// Words beside which a number counts downwards; one that ends with `*` stands for all that begin so.
        package var below: [String]
        /// Letters before a number, and the way in which it counts: 1 or −1.
        package var letters: [Word]
        /// Words with their heights; the first that a name has counts.
        package var words: [Word]

        package init(ground: [String] = [], below: [String] = [], letters: [Word] = [], words: [Word] = []) {
            (self.ground, self.below, self.letters, self.words) = (ground, below, letters, words)
        }
    }

    package var levels: Levels
    package var rooms: Rooms
    package var layers: Layers?
    package var heights: Heights
    package var folder: PlanFolder?

    package init(levels: Levels, rooms: Rooms, layers: Layers? = nil, heights: Heights = Heights(), folder: PlanFolder? = nil) {
        self.levels = levels
        self.rooms = rooms
        self.layers = layers
        self.heights = heights
        self.folder = folder
    }
}

/// The folder of JSON files in which a system's app keeps a survey.
package struct PlanFolder: Sendable, Hashable {
    /// The document with the families and parameters of a survey: one row, and one for each family.
    package struct Schema: Sendable, Hashable {
        package var file: String
        package var entity: String
        /// The field and the member with the project's id.
        package var project: String
        package var projectMember: String
        /// Members that are called as fields of the entity are, and are their values.
        package var members: [String]
        /// The field that keeps the list of families as it came.
        package var kept: String?
        /// The projects' field with the id of this row.
        package var version: String?
        /// What a project is called that the folder alone tells of; `{id}` stands for the beginning of its id.
        package var called: String
        package var families: Families

        package init(
            file: String, entity: String, project: String, projectMember: String, members: [String], kept: String? = nil, version: String? = nil,
            called: String, families: Families
        ) {
            self.file = file
            self.entity = entity
            self.project = project
            self.projectMember = projectMember
            self.members = members
            self.kept = kept
            self.version = version
            self.called = called
            self.families = families
        }
    }

    package struct Families: Sendable, Hashable {
        package var entity: String
        package var list: String
        package var project: String
        package var version: String?
        /// Members that are called as fields of the entity are, and are their values.
        package var members: [String]
        /// The field with the schema of parameters, and the members that may hold it; the first that is there counts.
        package var parameters: String
        package var parameterMembers: [String]
        /// Where a parameter has its pattern.
        package var pattern: String?

        package init(
            entity: String, list: String, project: String, version: String? = nil, members: [String], parameters: String, parameterMembers: [String],
            pattern: String? = nil
        ) {
            self.entity = entity
            self.list = list
            self.project = project
            self.version = version
            self.members = members
            self.parameters = parameters
            self.parameterMembers = parameterMembers
            self.pattern = pattern
        }
    }

    /// The document with the levels and their rooms; members are named by dotted paths.
    package struct Plan: Sendable, Hashable {
        package struct Level: Sendable, Hashable {
            package var list: String
            package var key: String
            package var name: String
            package var number: String
            /// The North vector: the whole of it, its start and its end.
            package var north: String
            package var start: String
            package var end: String
            package var background: String?

            package init(list: String, key: String, name: String, number: String, north: String, start: String, end: String, background: String? = nil) {
                self.list = list
                self.key = key
                self.name = name
                self.number = number
                self.north = north
                self.start = start
                self.end = end
                self.background = background
            }
        }

        package struct Room: Sendable, Hashable {
            package var list: String
            package var key: String
            package var name: String
            package var number: String
            package var polygon: String

            package init(list: String, key: String, name: String, number: String, polygon: String) {
                (self.list, self.key, self.name, self.number, self.polygon) = (list, key, name, number, polygon)
            }
        }

        package var file: String
        package var level: Level
        package var room: Room
        /// Files that repeat a level's North and its rooms; `{key}` stands for the level's.
        package var northFile: String?
        package var roomsFile: String?

        package init(file: String, level: Level, room: Room, northFile: String? = nil, roomsFile: String? = nil) {
            (self.file, self.level, self.room, self.northFile, self.roomsFile) = (file, level, room, northFile, roomsFile)
        }
    }

    package var schema: Schema
    package var plan: Plan

    package init(schema: Schema, plan: Plan) { (self.schema, self.plan) = (schema, plan) }
}
