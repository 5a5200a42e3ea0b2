internal import Model

/// Checks a rule of the kind `photo` beyond its shape: its paths have fields of the right types,
/// and its position is complete.
struct PhotoRuleCheck {
    let context: CheckContext
    let entity: Entity

    func check(_ node: YAMLNode) {
        require(node["file"], [.text], .textField)
        require(node["bytes"], [.integer, .decimal], .numberField)
        require(node["sha256"], [.text], .textField)
        require(node["time"], [.datetime], .timeField)
        if node["time"] == nil, let tolerance = node["timeTolerance"] { missing("time", at: tolerance) }
        // The messages of these rules are the program's own, and choose their arguments themselves.
        if let arguments = node["arguments"] {
            let known = PackFormat.rule.variants?.keys.first { $0.value == "photo" }?.keys.map(\.name) ?? []
            context.mistakes.add(.unknownKey, at: arguments.place, ["key": "arguments", "known": known.joined(separator: ", ")])
        }
        guard let place = node["place"] else { return }
        for key in ["latitude", "longitude", "easting", "northing"] { require(place[key], [.integer, .decimal], .numberField) }
        for key in ["zone", "datum"] { require(place[key], [.text], .textField) }
        if place["latitude"] != nil, place["longitude"] == nil { missing("longitude", at: place) }
        if place["easting"] != nil {
            for key in ["northing", "zone"] where place[key] == nil { missing(key, at: place) }
        }
    }

    private func require(_ node: YAMLNode?, _ types: [FieldType], _ expected: PackWord) {
        guard let field = context.path(node, from: entity) else { return }
        context.require(types.contains(field.type), node, in: entity, expected)
    }

    private func missing(_ key: String, at node: YAMLNode) {
        context.mistakes.add(.missingKey, at: node.place, ["key": key])
    }
}
