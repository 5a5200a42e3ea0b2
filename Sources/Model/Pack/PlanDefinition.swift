/// The tables of a building's floors and rooms, their layers in drawings, and the files of the
/// system's app (`plans:` in `pack.yaml`). New rows have the initial states of their entities.
package struct PlanDefinition: Sendable, Hashable {
    /// A table of floors and its fields.
    package struct Levels: Sendable, Hashable {
        package var entity: String
        package var project: String
        package var name: String
        package var number: String
        /// The text with the drawing's name for a level, from which its id is made.
        package var key: String
        /// The point where plan space begins, and the direction of North in degrees.
        package var origin: String?
        package var north: String?
        /// The polygon around the floor.
        package var boundary: String?
        /// GeoJSON.
        package var background: String?
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
        /// The polygon as drawn.
        package var raw: String?
        package var area: String?
        /// The point in the middle of the room.
        package var centroid: String?
    }

    /// The layers of a drawing by their content.
    package struct Layers: Sendable, Hashable {
        package var background: String
        package var rooms: String
        package var levels: String
        package var north: String
    }

    /// Derives the order of levels from their names.
    package struct Heights: Sendable, Hashable {
        package struct Word: Sendable, Hashable {
            package var word: String
            package var height: Int
        }

        /// Last words of names of the ground floor.
        package var ground: [String] = []
        /// Words with which a number counts downwards; `*` at the end of a word means all words
        /// with that beginning.
        package var below: [String] = []
        /// Letters before a number, with its direction: 1 or −1.
        package var letters: [Word] = []
        /// Words with their heights; the first word that occurs in a name is used.
        package var words: [Word] = []
    }

    package var levels: Levels
    package var rooms: Rooms
    package var layers: Layers?
    package var heights = Heights()
    package var folder: PlanFolder?
}

extension PlanDefinition {
    init?(_ node: PackNode) {
        guard let levels = node["levels"].flatMap(Levels.init), let rooms = node["rooms"].flatMap(Rooms.init) else {
            return nil
        }
        self.init(
            levels: levels, rooms: rooms, layers: node["layers"].flatMap(Layers.init),
            heights: node["heights"].map(Heights.init) ?? Heights(),
            folder: node["folder"].flatMap(PlanFolder.init))
    }
}

extension PlanDefinition.Levels {
    init?(_ node: PackNode) {
        guard let entity = node.text("entity"), let project = node.text("project"), let name = node.text("name"),
            let number = node.text("number"),
            let key = node.text("key")
        else { return nil }
        self.init(
            entity: entity, project: project, name: name, number: number, key: key, origin: node.text("origin"),
            north: node.text("north"),
            boundary: node.text("boundary"), background: node.text("background"))
    }
}

extension PlanDefinition.Rooms {
    init?(_ node: PackNode) {
        guard let entity = node.text("entity"), let level = node.text("level"), let name = node.text("name"),
            let number = node.text("number"),
            let key = node.text("key"), let polygon = node.text("polygon")
        else { return nil }
        self.init(
            entity: entity, level: level, name: name, number: number, key: key, polygon: polygon, raw: node.text("raw"),
            area: node.text("area"),
            centroid: node.text("centroid"))
    }
}

extension PlanDefinition.Layers {
    init?(_ node: PackNode) {
        guard let background = node.text("background"), let rooms = node.text("rooms"),
            let levels = node.text("levels"), let north = node.text("north")
        else { return nil }
        self.init(background: background, rooms: rooms, levels: levels, north: north)
    }
}

extension PlanDefinition.Heights {
    init(_ node: PackNode) {
        func words(_ key: String) -> [Word] {
            node.pairs(key).compactMap { pair in pair.value.integer.map { Word(word: pair.key, height: $0) } }
        }
        self.init(
            ground: node.texts("ground"), below: node.texts("below"), letters: words("letters"), words: words("words"))
    }
}
