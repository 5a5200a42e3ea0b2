internal import Foundation
internal import Model

/// Makes a `Pack` of parsed files as far as they go: what has the wrong shape is left out or takes its default, since the shape
/// check has told of it. Only a pack without mistakes leaves the loader.
struct PackBuilder {
    let files: [PackFolder.File]
    let directory: URL
    let fingerprint: String
    /// Mustache files of reports, by `NAME/file`.
    let pages: [String: String]

    private func files(_ kind: PackFormat.FileKind) -> [PackFolder.File] { files.filter { $0.kind == kind } }

    func pack() -> Pack {
        let root = files(.pack).first?.root ?? YAMLNode(content: .mapping([]), place: PackPlace(file: ""))
        let project = project(root["project"])
        let privacy = root.texts("privacy")
        let entities = EntityBuilder(projectEntity: project.entity, defaultPrivacy: privacy.first ?? "public")
        let exports = ExportBuilder()
        let definitions = files(.export).compactMap { exports.export($0.root) }
        let tables = files(.entity).compactMap { entities.entity($0.root, isCore: $0.isCore) }
        let builder = ReportBuilder(entities: tables, project: project, pages: pages)
        let reports = files(.report).compactMap { builder.report($0.root) }
        let imports = files(.mapping).compactMap { ImportBuilder().mapping($0.root) }
        return Pack(
            name: root.text("name") ?? "", version: root.text("version") ?? "", fingerprint: fingerprint, directory: directory,
            languages: root.texts("languages").compactMap(Language.init), environments: root.texts("environments"),
            timeZone: root.text("timeZone") ?? "", privacyClasses: privacy, roles: root.items("roles").compactMap(role),
            project: project,
            entities: tables,
            vocabularies: files(.vocabulary).compactMap { vocabulary($0.root) }, records: root.items("records").compactMap(record),
            numberings: root.items("numberings").compactMap(numbering),
            rules: files(.rules).flatMap { $0.root.items("rules").compactMap(RuleBuilder.rule) }, exports: definitions,
            reports: reports, jobs: files(.job).compactMap { JobBuilder(exports: definitions, reports: reports).job($0.root) },
            imports: imports, events: root["events"].flatMap(EventBuilder().events), plans: root["plans"].flatMap(PlanBuilder().plans),
            texts: texts(imports))
    }

    private func project(_ node: YAMLNode?) -> ProjectNaming {
        ProjectNaming(
            entity: node?.text("entity") ?? "", code: node?.text("code") ?? "", name: node?.text("name") ?? "",
            organisation: node?.text("organisation"))
    }

    private func role(_ node: YAMLNode) -> Role? {
        guard let name = node.text("name") else { return nil }
        return Role(name: name, permissions: Set(node.texts("may").compactMap(Permission.init)), sees: Set(node.texts("sees")))
    }

    private func record(_ node: YAMLNode) -> RecordKind? {
        guard let name = node.text("name"), let root = node.text("root") else { return nil }
        let parts = node.items("parts").compactMap { part -> RecordKind.Part? in
            guard let entity = part.text("entity"), let by = part.text("by") else { return nil }
            return RecordKind.Part(entity: entity, by: by, isList: part["list"]?.boolean ?? false)
        }
        return RecordKind(name: name, root: root, parts: parts, state: node.path("state"), date: node.path("date"), strip: node["strip"].flatMap(strip))
    }

    private func strip(_ node: YAMLNode) -> RecordKind.Strip? {
        guard let entity = node.text("entity"), let from = node.text("from"), let to = node.text("to"), let label = node.text("label") else {
            return nil
        }
        return RecordKind.Strip(entity: entity, from: from, to: to, label: label, total: node.text("total"), water: node.text("water"))
    }

    private func numbering(_ node: YAMLNode) -> Numbering? {
        guard let name = node.text("name"), let entity = node.text("entity") else { return nil }
        return Numbering(
            name: name, entity: entity, field: node.text("field"), order: node.texts("order").map { FieldPath($0) }, when: node.expression("when"))
    }

    private func vocabulary(_ node: YAMLNode) -> Vocabulary? {
        guard let name = node.text("vocabulary") else { return nil }
        let entries = node.items("values").compactMap { item -> Vocabulary.Entry? in
            guard let value = item.text ?? item.text("value") else { return nil }
            return Vocabulary.Entry(value: value, aliases: item.texts("aliases"))
        }
        return Vocabulary(name: name, entries: entries, alsoPattern: node.text("also"))
    }

    private func texts(_ imports: [ImportMapping]) -> Texts {
        var texts = Texts()
        for mapping in imports {
            for (language, title) in mapping.titles { texts.lay(["import." + mapping.name: title], in: language) }
        }
        // The core's files come first: a pack's texts lie over them.
        for file in files(.texts).sorted(by: { $0.isCore && !$1.isCore }) {
            guard let language = Language(rawValue: file.stem) else { continue }
            let prefix = file.keyPrefix
            let pairs = file.root.pairs.compactMap { pair in pair.value.text.map { (prefix + pair.key, $0) } }
            texts.lay(Dictionary(pairs) { first, _ in first }, in: language)
        }
        return texts
    }
}
