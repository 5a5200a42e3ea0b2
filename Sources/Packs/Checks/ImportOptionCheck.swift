internal import Model
internal import Patterns

/// Checks the options of a mapping and the conditions under which it refuses files, beyond their
/// shape.
struct ImportOptionCheck {
    let context: CheckContext

    func check(_ root: YAMLNode) {
        let options = root["options"]?.pairs ?? []
        for option in options { check(option) }
        for refusal in root.items("refuses") { check(refusal, options.map(\.key)) }
        context.unique(root.items("refuses").compactMap { $0["code"] }, .rule)
    }

    private func check(_ option: YAMLNode.Pair) {
        if !NameForm.name.accepts(option.key) || ImportMapping.Option.reserved.contains(option.key) {
            context.mistakes.add(.badName, at: option.keyPlace, ["name": option.key, "form": NameForm.name.example])
        }
        guard let example = option.value["example"], let text = example.text, let pattern = option.value.text("pattern"),
            let compiled = try? Pattern(pattern), compiled.matchesWhole(text) != .matched
        else { return }
        context.mistakes.add(.badValue, at: example.place, ["key": "example", "value": text, "allowed": pattern])
    }

    private func check(_ refusal: YAMLNode, _ options: [String]) {
        if let code = refusal["code"], let name = code.text {
            if FindingCatalogue.declares(name) {
                context.mistakes.add(.duplicateName, at: code.place, ["name": name, "kind": PackWord.finding.rawValue, "other": "Fichero"])
            } else if context.pack.rules.contains(where: { $0.code == name }) {
                context.mistakes.add(.duplicateName, at: code.place, ["name": name, "kind": PackWord.rule.rawValue, "other": "rules/"])
            }
        }
        context.unique(refusal.items("arguments"), .placeholder)
        guard let sql = refusal["sql"], let text = sql.text else { return }
        if !RuleCheck.isOneQuery(text) { context.mistakes.add(.sql, at: sql.place) }
        let known = ImportMapping.Option.reserved.sorted() + options
        for name in ReportParameters.names(in: text) where !known.contains(name) {
            context.mistakes.addUnknown(":" + name, .placeholder, at: sql.place, known: known.map { ":" + $0 })
        }
    }
}
