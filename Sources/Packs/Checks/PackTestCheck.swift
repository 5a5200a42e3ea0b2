internal import Model

/// Checks a pack's test beyond its shape.
struct PackTestCheck {
    let context: CheckContext

    func check(_ root: YAMLNode) {
        for pair in root["rows"]?.pairs ?? [] {
            guard let entity = context.pack.entity(pair.key) else {
                context.mistakes.addUnknown(pair.key, .entity, at: pair.keyPlace, known: context.pack.entities.map(\.name))
                continue
            }
            for value in pair.value.items.flatMap(\.pairs) where entity.field(value.key) == nil {
                context.mistakes.addUnknown(value.key, .field, at: value.keyPlace, known: entity.fields.map(\.name))
            }
        }
        if let time = root["asOf"], let text = time.text, Timestamp.parse(text) == nil {
            context.mistakes.add(.badValue, at: time.place, ["key": "asOf", "value": text, "allowed": "2026-01-31T12:00:00Z"])
        }
        for file in root.items("files") {
            _ = context.entity(file["entity"])
            guard let mapping = file["mapping"], let name = mapping.text else { continue }
            if let known = context.pack.mapping(name) {
                for pair in file["options"]?.pairs ?? [] where !known.options.contains(where: { $0.name == pair.key }) {
                    context.mistakes.addUnknown(pair.key, .option, at: pair.keyPlace, known: known.options.map(\.name))
                }
                continue
            }
            context.mistakes.addUnknown(name, .importMapping, at: mapping.place, known: context.pack.imports.map(\.name))
        }
        let codes = FindingCatalogue.declarations.map(\.code) + context.pack.rules.map(\.code) + context.pack.refusals.map(\.code)
        for code in root.items("finds").compactMap({ $0["code"] }) + root.items("ignores") {
            guard let text = code.text, !codes.contains(text) else { continue }
            context.mistakes.addUnknown(text, .finding, at: code.place, known: codes)
        }
        for sheet in root.items("gives") { check(sheet: sheet) }
    }

    private func check(sheet node: YAMLNode) {
        guard let name = node.text("export"), let place = node["export"]?.place else { return }
        guard let export = context.pack.export(name) else {
            return context.mistakes.addUnknown(name, .export, at: place, known: context.pack.exports.map(\.name))
        }
        guard let sheet = node["sheet"], let text = sheet.text, !export.sheets.contains(where: { $0.name == text }) else { return }
        context.mistakes.addUnknown(text, .sheet, at: sheet.place, known: export.sheets.map(\.name))
    }
}
