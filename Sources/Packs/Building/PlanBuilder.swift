internal import Model

/// Makes the declaration of floor plans of `plans:` in `pack.yaml`.
struct PlanBuilder {
    func plans(_ node: YAMLNode) -> PlanDefinition? {
        guard let levels = node["levels"].flatMap(levels), let rooms = node["rooms"].flatMap(rooms) else { return nil }
        return PlanDefinition(
            levels: levels, rooms: rooms, layers: node["layers"].flatMap(layers), heights: heights(node["heights"]),
            folder: node["folder"].flatMap(folder))
    }

    private func levels(_ node: YAMLNode) -> PlanDefinition.Levels? {
        guard let entity = node.text("entity"), let project = node.text("project"), let name = node.text("name"), let number = node.text("number"),
            let key = node.text("key")
        else { return nil }
        return PlanDefinition.Levels(
            entity: entity, project: project, name: name, number: number, key: key, origin: node.text("origin"), north: node.text("north"),
            boundary: node.text("boundary"), background: node.text("background"))
    }

    private func rooms(_ node: YAMLNode) -> PlanDefinition.Rooms? {
        guard let entity = node.text("entity"), let level = node.text("level"), let name = node.text("name"), let number = node.text("number"),
            let key = node.text("key"), let polygon = node.text("polygon")
        else { return nil }
        return PlanDefinition.Rooms(
            entity: entity, level: level, name: name, number: number, key: key, polygon: polygon, raw: node.text("raw"), area: node.text("area"),
            centroid: node.text("centroid"))
    }

    private func layers(_ node: YAMLNode) -> PlanDefinition.Layers? {
        guard let background = node.text("background"), let rooms = node.text("rooms"), let levels = node.text("levels"), let north = node.text("north")
        else { return nil }
        return PlanDefinition.Layers(background: background, rooms: rooms, levels: levels, north: north)
    }

    private func heights(_ node: YAMLNode?) -> PlanDefinition.Heights {
        func words(_ key: String) -> [PlanDefinition.Heights.Word] {
            (node?[key]?.pairs ?? []).compactMap { pair in pair.value.integer.map { .init(pair.key, $0) } }
        }
        return PlanDefinition.Heights(
            ground: node?.texts("ground") ?? [], below: node?.texts("below") ?? [], letters: words("letters"), words: words("words"))
    }

    // MARK: The app's folder

    private func folder(_ node: YAMLNode) -> PlanFolder? {
        guard let schema = node["schema"].flatMap(schema), let plan = node["plan"].flatMap(plan) else { return nil }
        return PlanFolder(schema: schema, plan: plan)
    }

    private func schema(_ node: YAMLNode) -> PlanFolder.Schema? {
        guard let file = node.text("file"), let entity = node.text("entity"), let project = node.text("project"),
            let member = node.text("projectMember"), let called = node.text("called"), let families = node["families"].flatMap(families)
        else { return nil }
        return PlanFolder.Schema(
            file: file, entity: entity, project: project, projectMember: member, members: node.texts("members"), kept: node.text("kept"),
            version: node.text("version"), called: called, families: families)
    }

    private func families(_ node: YAMLNode) -> PlanFolder.Families? {
        guard let entity = node.text("entity"), let list = node.text("list"), let project = node.text("project"),
            let parameters = node.text("parameters")
        else { return nil }
        return PlanFolder.Families(
            entity: entity, list: list, project: project, version: node.text("version"), members: node.texts("members"), parameters: parameters,
            parameterMembers: node.texts("parameterMembers"), pattern: node.text("pattern"))
    }

    private func plan(_ node: YAMLNode) -> PlanFolder.Plan? {
        guard let file = node.text("file"), let level = node["level"].flatMap(level), let room = node["room"].flatMap(room) else { return nil }
        return PlanFolder.Plan(file: file, level: level, room: room, northFile: node.text("northFile"), roomsFile: node.text("roomsFile"))
    }

    private func level(_ node: YAMLNode) -> PlanFolder.Plan.Level? {
        guard let list = node.text("list"), let key = node.text("key"), let name = node.text("name"), let number = node.text("number"),
            let north = node.text("north"), let start = node.text("start"), let end = node.text("end")
        else { return nil }
        return PlanFolder.Plan.Level(
            list: list, key: key, name: name, number: number, north: north, start: start, end: end, background: node.text("background"))
    }

    private func room(_ node: YAMLNode) -> PlanFolder.Plan.Room? {
        guard let list = node.text("list"), let key = node.text("key"), let name = node.text("name"), let number = node.text("number"),
            let polygon = node.text("polygon")
        else { return nil }
        return PlanFolder.Plan.Room(list: list, key: key, name: name, number: number, polygon: polygon)
    }
}
