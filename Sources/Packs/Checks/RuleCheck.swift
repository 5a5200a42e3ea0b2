internal import Model

/// Checks a rule beyond its shape.
struct RuleCheck {
    let context: CheckContext

    func check(_ node: YAMLNode) {
        if let code = node["code"], let name = code.text, FindingCatalogue.declares(name) {
            context.mistakes.add(
                .duplicateName, at: code.place, ["name": name, "kind": PackWord.finding.rawValue, "other": "Fichero"])
        }
        context.unique(node.items("arguments"), .placeholder)
        let entity = context.entity(node["entity"])
        context.condition(node["when"], over: entity, knowsDay: true)
        switch node.text("check") {
        case "row":
            context.condition(node["require"], over: entity, knowsDay: true)
            if let entity { node.items("arguments").forEach { _ = context.path($0, from: entity) } }
        case "query":
            if let sql = node["sql"], let text = sql.text, !Self.isOneQuery(text) {
                context.mistakes.add(.sql, at: sql.place)
            }
            if let sql = node["sql"], let text = sql.text {
                for name in ReportParameters.names(in: text) where name != "today" {
                    context.mistakes.addUnknown(":" + name, .placeholder, at: sql.place, known: [":today"])
                }
            }
            if let entity, node.text("scope") == Rule.Scope.record.rawValue { checkRecord(node, entity) }
            for argument in node.items("arguments") {
                guard let name = argument.text, !NameForm.name.accepts(name) else { continue }
                context.mistakes.add(.badName, at: argument.place, ["name": name, "form": NameForm.name.example])
            }
        case "count":
            if let entity { checkCount(node, entity) }
        case "photo":
            if entity != nil { PhotoRuleCheck(context: context).check(node) }
        default:
            break
        }
    }

    /// Checks a rule with the scope of a record: its entity must belong to a record by a reference.
    private func checkRecord(_ node: YAMLNode, _ entity: Entity) {
        let known = context.pack.records.flatMap { [$0.root] + $0.parts.filter { !$0.isList }.map(\.entity) }
        guard !known.contains(entity.name), let place = node["scope"]?.place else { return }
        context.mistakes.addUnknown(entity.name, .record, at: place, known: known)
    }

    private func checkCount(_ node: YAMLNode, _ entity: Entity) {
        if let counted = context.entity(node["of"]) { context.checkCount(by: node["by"], of: counted, for: entity) }
        if node["min"] == nil, node["max"] == nil {
            context.mistakes.add(.missingKey, at: node.place, ["key": "min"])
        }
        for key in ["min", "max"] {
            guard let bound = node[key], bound.integer == nil, let field = context.path(bound, from: entity) else {
                continue
            }
            context.require([.integer, .decimal].contains(field.type), bound, in: entity, .numberField)
        }
        if let low = node["min"]?.integer, let high = node["max"]?.integer, low > high, let place = node["max"]?.place {
            context.mistakes.add(.range, at: place, ["minimum": String(low), "maximum": String(high)])
        }
        node.items("arguments").forEach { _ = context.path($0, from: entity) }
    }

    /// Whether a text is a single reading statement. Other forbidden actions of a query are refused
    /// when it runs, on a read-only connection.
    static func isOneQuery(_ sql: String) -> Bool {
        let text = withoutComments(sql)
        guard ["select", "with"].contains(text.prefix(while: \.isLetter).lowercased()) else { return false }
        var isQuoted = false, hasEnded = false
        for byte in text.utf8 {
            if hasEnded, byte > UInt8(ascii: " ") { return false }
            if byte == UInt8(ascii: "'") { isQuoted.toggle() }
            if byte == UInt8(ascii: ";"), !isQuoted { hasEnded = true }
        }
        return true
    }

    private static func withoutComments(_ sql: String) -> String {
        sql.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { line in
                Substring(line.drop { $0 <= UInt8(ascii: " ") }).hasPrefix("--") ? "" : String(Substring(line))
            }
            .joined(separator: "\n")
            .drop(while: \.isWhitespace).description
    }
}

extension CheckContext {
    /// Checks how counted rows belong to an entity: by references to the entity, or by the entity's
    /// list field with their ids.
    func checkCount(by node: YAMLNode?, of counted: Entity, for entity: Entity) {
        guard let node, let name = node.text else { return }
        if let field = entity.field(name), field.type == .list, field.references == counted.name { return }
        leads(node, from: counted, to: entity)
    }
}

/// Checks a rule of the kind `photo` beyond its shape: its position is complete.
struct PhotoRuleCheck {
    let context: CheckContext

    func check(_ node: YAMLNode) {
        if node["time"] == nil, let tolerance = node["timeTolerance"] {
            context.mistakes.add(.missingKey, at: tolerance.place, ["key": "time"])
        }
        // The messages of these rules are built in, with fixed arguments.
        if let arguments = node["arguments"] {
            let known = PackFormat.rule.variants?.keys.first { $0.value == "photo" }?.keys.map(\.name) ?? []
            context.mistakes.add(
                .unknownKey, at: arguments.place, ["key": "arguments", "known": known.joined(separator: ", ")])
        }
        node["place"].map(context.checkPlace)
    }
}

extension CheckContext {
    /// Checks that a place has both numbers, and a zone if they are metres.
    func checkPlace(_ place: YAMLNode) {
        let needed = place["latitude"] != nil ? ["longitude"] : place["easting"] != nil ? ["northing", "zone"] : []
        for key in needed where place[key] == nil { mistakes.add(.missingKey, at: place.place, ["key": key]) }
    }
}
