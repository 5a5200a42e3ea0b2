internal import Foundation
internal import Model

/// Checks `pack.yaml`: version, time zone, roles, project, records, numberings, events, plans and subjects.
struct ManifestCheck {
    let context: CheckContext
    /// The name of the folder, which must be the pack's name.
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
                .badValue, at: node.place, ["key": "timeZone", "value": zone, "allowed": "America/Lima, Europe/Rome, UTC, …"])
        }
        context.unique(root.items("languages"), .language)
        context.unique(root.items("environments"), .environment)
        context.unique(root.items("privacy"), .privacyClass)
        checkClassesOfCore(root["privacy"])
        context.unique(root.items("roles").compactMap { $0["name"] }, .role)
        context.unique(root.items("records").compactMap { $0["name"] }, .record)
        context.unique(root.items("numberings").compactMap { $0["name"] }, .numbering)
        root.items("roles").forEach(checkRole)
        if let project = root["project"] { checkProject(project) }
        root.items("records").forEach(checkRecord)
        for numbering in root.items("numberings") {
            if let entity = context.entity(numbering["entity"]) {
                if let field = context.field(numbering["field"], of: entity) {
                    context.require(field.type == .integer, numbering["field"], in: entity, .numberField)
                }
                numbering.items("order").forEach { _ = context.path($0, from: entity) }
            }
            context.condition(numbering["when"], over: context.pack.entity(context.pack.project.entity))
        }
        if let events = root["events"] { EventCheck(context: context).check(events) }
        if let plans = root["plans"] { PlanCheck(context: context).check(plans) }
        if let subjects = root["subjects"] { SubjectCheck(context: context).check(subjects) }
    }

    /// The tables that every pack has use classes of their own; one mistake says so, and not one for
    /// each of their fields.
    private func checkClassesOfCore(_ node: YAMLNode?) {
        guard let node else { return }
        let used = context.pack.entities.filter(\.isCore).flatMap { $0.fields.map(\.privacy) }
        for name in Pack.usualPrivacyClasses where used.contains(name) && !node.texts.contains(name) {
            context.mistakes.add(.badValue, at: node.place, ["key": "privacy", "value": node.texts.joined(separator: ", "), "allowed": "…, \(name), …"])
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

    private func checkProject(_ node: YAMLNode) {
        guard let entity = context.entity(node["entity"]) else { return }
        for key in ["code", "name", "organisation"] {
            guard let field = context.field(node[key], of: entity) else { continue }
            context.require([.text, .uuid].contains(field.type), node[key], in: entity, .textField)
        }
    }

    private func checkRecord(_ node: YAMLNode) {
        guard let root = context.entity(node["root"]) else { return }
        if let field = context.path(node["state"], from: root) {
            context.require(field.vocabulary != nil, node["state"], in: root, .stateField)
        }
        if let field = context.path(node["date"], from: root) {
            context.require([.date, .datetime].contains(field.type), node["date"], in: root, .dateField)
        }
        if let place = node["place"] { checkPlace(place, root) }
        for text in node.items("texts") {
            if let field = context.path(text, from: root) { context.require(field.type == .text, text, in: root, .textField) }
        }
        context.unique(node.items("parts").compactMap { $0["entity"] }, .entity)
        for part in node.items("parts") {
            guard let entity = context.entity(part["entity"]) else { continue }
            let isList = part["list"]?.boolean ?? false
            let owner = isList ? root : entity
            guard let field = context.field(part["by"], of: owner) else { continue }
            let target = isList ? entity.name : root.name
            context.require(
                field.references == target && (field.type == .list) == isList, part["by"], in: owner, .reference, target: target)
        }
        if let strip = node["strip"] { checkStrip(strip, of: node, root) }
    }

    /// Checks that a place has all of its numbers, and its zone.
    private func checkPlace(_ place: YAMLNode, _ root: Entity) {
        let numbers = place["latitude"] != nil ? ["latitude", "longitude"] : ["easting", "northing"]
        for key in numbers + (place["latitude"] != nil ? [] : ["zone"]) {
            guard let node = place[key] else {
                context.mistakes.add(.missingKey, at: place.place, ["key": key])
                continue
            }
            guard let field = context.path(node, from: root) else { continue }
            let isNumber = [.integer, .decimal].contains(field.type)
            if key == "zone" { context.require(field.type == .text, node, in: root, .textField) } else { context.require(isNumber, node, in: root, .numberField) }
        }
    }

    /// Checks that layers are rows of a part that refers to the root, and that their depths are
    /// numbers.
    private func checkStrip(_ strip: YAMLNode, of record: YAMLNode, _ root: Entity) {
        let parts = record.items("parts").filter { $0["list"]?.boolean != true }.compactMap { $0.text("entity") }
        guard let node = strip["entity"], let name = node.text else { return }
        guard parts.contains(name) else {
            // An unknown part is reported at its own place.
            if parts.allSatisfy({ context.pack.entity($0) != nil }) { context.mistakes.addUnknown(name, .entity, at: node.place, known: parts) }
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
