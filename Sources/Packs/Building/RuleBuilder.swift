internal import Model

/// Makes rules of `rules/*.yaml`.
enum RuleBuilder {
    static func rule(_ node: YAMLNode) -> Rule? {
        guard let code = node.text("code"), let entity = node.text("entity"), let check = check(node) else { return nil }
        return Rule(
            code: code, entity: entity, severity: node.word("severity", Severity.self) ?? .error, field: node.text("field"),
            when: node.expression("when"), check: check, arguments: node.texts("arguments"), scope: node.word("scope", Rule.Scope.self))
    }

    private static func check(_ node: YAMLNode) -> Rule.Check? {
        switch node.text("check") {
        case "row":
            return node.expression("require").map { .row($0) }
        case "query":
            return node.text("sql").map { .query($0) }
        case "count":
            guard let of = node.text("of"), let by = node.text("by") else { return nil }
            return .count(of: of, by: by, minimum: node["min"].flatMap(bound), maximum: node["max"].flatMap(bound))
        case "photo":
            return photo(node).map { .photo($0) }
        default:
            return nil
        }
    }

    private static func photo(_ node: YAMLNode) -> PhotoCheck? {
        guard let file = node.path("file") else { return nil }
        var check = PhotoCheck(
            file: file, longestSide: node["longestSide"]?.integer, bytes: node.path("bytes"), sha256: node.path("sha256"), time: node.path("time"))
        if let tolerance = node["timeTolerance"]?.integer { check.timeTolerance = tolerance }
        guard let place = node["place"] else { return check }
        if let latitude = place.path("latitude"), let longitude = place.path("longitude") {
            check.place = .geographic(latitude: latitude, longitude: longitude)
        } else if let easting = place.path("easting"), let northing = place.path("northing"), let zone = place.path("zone") {
            check.place = .utm(easting: easting, northing: northing, zone: zone, datum: place.path("datum"))
        }
        if let reach = place["within"]?.integer { check.reach = reach }
        return check
    }

    private static func bound(_ node: YAMLNode) -> Expression? {
        guard let text = node.text else { return nil }
        return node.integer == nil ? .field(FieldPath(text)) : .number(text)
    }
}
