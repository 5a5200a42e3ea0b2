internal import Foundation
internal import Model

/// Checks `pack.yaml`: version, time zone, roles, project, records, numberings, events, plans and subjects.
struct ManifestCheck {
    let context: CheckContext
    /// The name of the folder, which must equal the pack's name.
    let folder: String

    func check(_ root: YAMLNode) {
        if let node = root["name"], let name = node.text, name != folder {
            context.mistakes.add(.fileName, at: node.place, ["name": name, "file": folder + "/"])
        }
        if let node = root["version"], let version = node.text, !Self.isVersion(version) {
            context.mistakes.add(.badName, at: node.place, ["name": version, "form": "1.2.3"])
        }
        if let node = root["timeZone"], let zone = node.text, !Self.isTimeZone(zone) {
            context.mistakes.add(
                .badValue, at: node.place,
                ["key": "timeZone", "value": zone, "allowed": "America/Lima, Europe/Rome, UTC, …"])
        }
        context.unique(root.items("languages"), .language)
        context.unique(root.items("environments"), .environment)
        context.unique(root.items("privacy"), .privacyClass)
        checkClassesOfCore(root["privacy"])
        context.unique(root.items("roles").compactMap { $0["name"] }, .role)
        context.unique(root.items("records").compactMap { $0["name"] }, .record)
        context.unique(root.items("numberings").compactMap { $0["name"] }, .numbering)
        root.items("roles").forEach(checkRole)
        root.items("records").forEach(checkRecord)
        for numbering in root.items("numberings") {
            context.condition(numbering["when"], over: context.pack.entity(context.pack.project.entity))
        }
        if let events = root["events"] { EventCheck(context: context).check(events) }
        if let plans = root["plans"] { checkLevel(plans) }
        if let subjects = root["subjects"] { SubjectCheck(context: context).check(subjects) }
    }

    /// The core's tables use certain privacy classes. A missing class is reported once, not once
    /// for each field that uses it.
    private func checkClassesOfCore(_ node: YAMLNode?) {
        guard let node else { return }
        let used = context.pack.entities.filter(\.isCore).flatMap { $0.fields.map(\.privacy) }
        for name in Pack.usualPrivacyClasses where used.contains(name) && !node.texts.contains(name) {
            context.mistakes.add(
                .badValue, at: node.place,
                ["key": "privacy", "value": node.texts.joined(separator: ", "), "allowed": "…, \(name), …"])
        }
    }

    private func checkRole(_ role: YAMLNode) {
        let classes = context.pack.privacyClasses
        context.unique(role.items("may"), .permission)
        for node in role.items("sees") {
            guard let name = node.text else { continue }
            if !classes.contains(name) {
                context.mistakes.addUnknown(name, .privacyClass, at: node.place, known: classes)
            } else if name == classes.last, classes.count > 1 {
                context.mistakes.add(.secretSeen, at: node.place, ["role": role.text("name") ?? "", "class": name])
            }
        }
    }

    /// Checks that rooms refer to the floors of the plans.
    private func checkLevel(_ plans: YAMLNode) {
        guard let levels = context.entity(plans["levels"]?["entity"]), let node = plans["rooms"]?["level"],
            let rooms = context.entity(plans["rooms"]?["entity"]), let field = context.field(node, of: rooms)
        else { return }
        context.require(
            field.references == levels.name && field.type != .list, node, in: rooms, .reference, target: levels.name)
    }

    private func checkRecord(_ node: YAMLNode) {
        guard let root = context.entity(node["root"]) else { return }
        node["place"].map(context.checkPlace)
        context.unique(node.items("parts").compactMap { $0["entity"] }, .entity)
        for part in node.items("parts") {
            guard let entity = context.entity(part["entity"]) else { continue }
            guard part["list"]?.boolean == true else {
                context.leads(part["by"], from: entity, to: root)
                checkWay(of: part, entity, in: node, root)
                continue
            }
            guard let field = context.field(part["by"], of: root) else { continue }
            context.require(
                field.references == entity.name && field.type == .list, part["by"], in: root, .reference,
                target: entity.name)
        }
        if let strip = node["strip"] { checkStrip(strip, of: node, root) }
    }

    /// Checks a part several steps below its root. The tables between must be parts too, because a
    /// record's sync state is that of its least synced row. The project must be reached over the
    /// root, because the permission checks of a row follow that path.
    private func checkWay(of part: YAMLNode, _ entity: Entity, in record: YAMLNode, _ root: Entity) {
        guard let node = part["by"], let text = node.text, let rootPath = root.projectPath else { return }
        let path = FieldPath(text).parts
        guard path.count > 1, context.pack.field(at: FieldPath(parts: path), from: entity)?.references == root.name
        else { return }
        let parts = record.text("name").flatMap(context.pack.record)?.parts ?? []
        let between = context.pack.owners(along: FieldPath(parts: path), from: entity).enumerated().dropFirst()
            .map { step, owner in (entity: owner.name, by: FieldPath(parts: Array(path[step...]))) }
        var lacking = between.filter { way in
            !parts.contains { $0.entity == way.entity && $0.by == way.by && !$0.isList }
        }
            .map { "parts: {entity: \($0.entity), by: \($0.by)}" }
        // The root may be the project itself.
        let project = FieldPath(parts: path + (root.name == context.pack.project.entity ? [] : rootPath.parts))
        if entity.projectPath != project { lacking.append("\(entity.name): {project: \(project)}") }
        if !lacking.isEmpty {
            context.mistakes.add(
                .partWay, at: node.place,
                ["entity": entity.name, "path": text, "needed": lacking.joined(separator: ", ")])
        }
    }

    /// Checks that layers are rows of a part that refers to the root, and that their depths are
    /// numbers.
    private func checkStrip(_ strip: YAMLNode, of record: YAMLNode, _ root: Entity) {
        let parts = record.items("parts").filter { $0["list"]?.boolean != true }.compactMap { $0.text("entity") }
        guard let node = strip["entity"], let name = node.text else { return }
        guard parts.contains(name) else {
            // An unknown part is reported at its declaration.
            if parts.allSatisfy({ context.pack.entity($0) != nil }) {
                context.mistakes.addUnknown(name, .entity, at: node.place, known: parts)
            }
            return
        }
        guard let entity = context.entity(node) else { return }
        for (key, owner) in [("from", entity), ("to", entity), ("total", root), ("water", root)] {
            guard let field = context.field(strip[key], of: owner) else { continue }
            context.require([.integer, .decimal].contains(field.type), strip[key], in: owner, .numberField)
        }
        if let field = context.field(strip["label"], of: entity) {
            context.require(field.type == .text, strip["label"], in: entity, .textField)
        }
    }

    /// Whether a text is `major.minor.patch`, in decimal numbers without leading zeros.
    static func isVersion(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 && parts.allSatisfy { UInt32($0).map(String.init) == String($0) }
    }

    /// Whether a text is the IANA name of a time zone. Abbreviations such as `PST` are refused,
    /// since they do not follow daylight saving.
    static func isTimeZone(_ name: String) -> Bool {
        (name.contains("/") || name == "UTC") && TimeZone(identifier: name) != nil
    }
}

/// Checks `subjects`: every reference to a person must have a treatment, so that no erasure leaves
/// out a table.
struct SubjectCheck {
    let context: CheckContext

    func check(_ node: YAMLNode) {
        guard let subject = context.entity(node["entity"]) else { return }
        var known: Set<[String]> = []
        for rows in node.items("rows") {
            if let entity = context.entity(rows["entity"]), let field = context.field(rows["by"], of: entity) {
                known.insert([entity.name, field.name])
            }
        }
        guard let place = node["rows"]?.place else { return }
        for entity in context.pack.entities {
            for field in entity.fields
            where field.references == subject.name && !known.contains([entity.name, field.name]) {
                context.mistakes.add(
                    .missingKey, at: place, ["key": "rows: {entity: \(entity.name), by: \(field.name)}"])
            }
        }
    }
}
