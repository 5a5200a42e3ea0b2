internal import Model
internal import Patterns

/// Checks a mapping beyond its shape: its entities, fields, keys, lookups and expressions.
struct ImportCheck {
    let context: CheckContext

    /// The names that the mapping's values may use.
    private struct Known {
        let lookups: Set<String>
        let options: [String]
    }

    func check(_ root: YAMLNode) {
        let known = Known(
            lookups: Set((root["lookups"]?.pairs ?? []).map(\.key)), options: (root["options"]?.pairs ?? []).map(\.key))
        ImportOptionCheck(context: context).check(root)
        for table in root.items("tables") {
            checkHeader(table["header"])
            for pair in table["columns"]?.pairs ?? [] { checkValue(pair.value, ImportMapping.Column.entity([]), known) }
            let speakers = ImportMapping.Column.entity(table.plainPairs("columns").map { ImportMapping.Column($0) })
            context.condition(table["where"], over: speakers)
            for row in table.items("rows") { checkRow(row, speakers, known) }
            checkLinks(table.items("rows"))
        }
        checkContents(root)
        if root["tables"] == nil, root["forms"] == nil {
            context.mistakes.add(.missingKey, at: root.place, ["key": "tables"])
        }
        for form in root.items("forms") {
            for pair in form["columns"]?.pairs ?? [] { checkConversions(pair.value, known) }
            FormCheck(context: context) { checkRow($0, $1, known) }.check(form)
            checkLinks(form.items("rows"))
        }
    }

    private func checkHeader(_ node: YAMLNode?) {
        guard let node, let text = node.text, text != "auto", text != "none" else { return }
        if ImportMapping.Header.range(text) != nil { return }
        guard let row = Int(text), (1...1_048_576).contains(row) else {
            return context.mistakes.add(
                .badValue, at: node.place, ["key": "header", "value": text, "allowed": "auto, none, 1 … 1048576, 5-6"])
        }
    }

    private func checkRow(_ row: YAMLNode, _ columns: Entity, _ known: Known) {
        context.condition(row["where"], over: columns)
        if let each = row["each"], each.items.count != 2 || (each.items[0].integer ?? 0) > (each.items[1].integer ?? 0)
        {
            context.mistakes.add(
                .badValue, at: each.place,
                ["key": "each", "value": each.texts.joined(separator: ", "), "allowed": "[1, 8]"])
        }
        guard let entity = context.entity(row["entity"])?.withFormerNames else { return }
        let fields = row["fields"]?.pairs ?? []
        for pair in fields {
            checkField(pair, of: entity, columns, known)
            // `named` is allowed only within a parent's key.
            guard let named = pair.value["named"] else { continue }
            context.mistakes.add(
                .badValue, at: named.place,
                ["key": pair.key, "value": "named", "allowed": "{parent: …, by: {…: {named: […]}}}"])
        }
        let named = Set(fields.map(\.key))
        for key in row.items("key") {
            // The project may be given as an option of the import instead.
            guard let field = context.field(key, of: entity), !named.contains(field.name),
                field.references != context.pack.project.entity
            else { continue }
            context.mistakes.add(.missingKey, at: row["fields"]?.place ?? row.place, ["key": field.name])
        }
        for name in row.items("onlyNew") {
            guard let field = context.field(name, of: entity) else { continue }
            let possible = named.subtracting(row["key"]?.texts ?? []).subtracting(["id"]).sorted()
            if !possible.contains(field.name) {
                context.mistakes.addUnknown(field.name, .field, at: name.place, known: possible)
            }
        }
        // Without a key or an id, a second import would add the row again.
        if row["key"] == nil, !named.contains("id") { context.mistakes.add(.missingKey, at: row.place, ["key": "key"]) }
        if row["photo"] != nil { requirePhotos(entity, row) }
    }

    /// Only database files contain files in their cells.
    private func checkContents(_ root: YAMLNode) {
        let accepted = root["accepts"]?.texts ?? []
        guard accepted != ["sqlite"] else { return }
        for row in (root.items("tables") + root.items("forms")).flatMap({ $0.items("rows") }) {
            guard let content = row["photo"]?["content"] else { continue }
            context.mistakes.add(
                .badValue, at: content.place,
                ["key": "accepts", "value": accepted.joined(separator: ", "), "allowed": "[sqlite]"])
        }
    }

    private func requirePhotos(_ entity: Entity, _ row: YAMLNode) {
        guard entity.file[.path] == nil else { return }
        let known = context.pack.entities.filter { $0.file[.path] != nil }.map(\.name)
        context.mistakes.add(
            .badValue, at: row["photo"]?.place ?? row.place,
            ["key": "photo", "value": entity.name, "allowed": known.joined(separator: ", ")])
    }

    /// A parent without a key must be made earlier by the same row.
    func checkLinks(_ rows: [YAMLNode]) {
        var given: Set<String> = []
        for row in rows {
            for pair in row["fields"]?.pairs ?? [] { checkLink(pair.value, given) }
            if let name = row.text("entity") { given.insert(name) }
        }
    }

    private func checkLink(_ node: YAMLNode, _ given: Set<String>) {
        if let parent = node["parent"], node["by"] == nil, let name = parent.text, !given.contains(name) {
            context.mistakes.add(.missingKey, at: parent.place, ["key": "by"])
        }
        let parts = (node["by"]?.pairs ?? []).map(\.value) + (node["object"]?.pairs ?? []).map(\.value)
        for part in parts + node.items("identifier") + node.items("merge") + node.items("by") { checkLink(part, given) }
    }

    private func checkField(_ pair: YAMLNode.Pair, of entity: Entity, _ columns: Entity, _ known: Known) {
        if entity.field(pair.key) == nil, !ImportMapping.Field.stateNames.contains(pair.key) {
            let known = entity.fields.map(\.name)
            var arguments = [
                "path": pair.key, "name": pair.key, "entity": entity.name, "known": known.joined(separator: ", "),
            ]
            arguments["nearest"] = Spelling.nearest(to: pair.key, among: known)
            context.mistakes.add(.badPath, at: pair.keyPlace, arguments)
        }
        checkValue(pair.value, columns, known)
        // An import's records store its options, visible to everybody who may see these records.
        if let option = Self.options(in: pair.value).first, !context.pack.mayQuote(entity.field(pair.key)) {
            context.mistakes.add(
                .wrongField, at: option.place,
                ["path": pair.key, "entity": entity.name, "expected": PackWord.openField.rawValue, "target": ""])
        }
        if let zone = pair.value["zone"], !ManifestCheck.isTimeZone(zone.text ?? "") {
            context.mistakes.add(
                .badValue, at: zone.place,
                ["key": "zone", "value": zone.text ?? "", "allowed": "America/Lima, Europe/Rome, UTC, …"])
        }
        guard let parent = pair.value["parent"], let field = entity.field(pair.key) else { return }
        context.require(
            field.references == parent.text || field.type == .uuid, pair.value["parent"], in: entity, .reference,
            target: parent.text ?? "")
    }

    /// The options that a value is made from. Options in a parent's key belong to the parent's
    /// fields, and options in lookups to none.
    private static func options(in node: YAMLNode) -> [YAMLNode] {
        let parts = node.items("identifier") + node.items("merge") + (node["object"]?.pairs.map(\.value) ?? [])
        return [node["option"]].compactMap(\.self) + parts.flatMap(options)
    }

    private func checkValue(_ node: YAMLNode, _ columns: Entity, _ known: Known) {
        checkConversions(node, known)
        if let option = node["option"], let name = option.text, !known.options.contains(name) {
            context.mistakes.addUnknown(name, .option, at: option.place, known: known.options)
        }
        if let expression = node["expression"] { context.expression(expression, over: columns) }
        if let other = node["from"], node.items("key").count != node.items("by").count {
            context.mistakes.add(
                .badValue, at: node["by"]?.place ?? other.place,
                [
                    "key": "by", "value": node.texts("by").joined(separator: ", "),
                    "allowed": node.texts("key").joined(separator: ", "),
                ])
        }
        for part in node.items("identifier") + node.items("merge")
            + (node["from"] == nil ? [] : node.items("key") + node.items("by"))
        {
            checkValue(part, columns, known)
        }
        for pair in node["object"]?.pairs ?? [] { checkValue(pair.value, columns, known) }
        guard node["parent"] != nil, let entity = context.entity(node["parent"])?.withFormerNames else { return }
        for pair in node["by"]?.pairs ?? [] { checkField(pair, of: entity, columns, known) }
    }

    private func checkConversions(_ node: YAMLNode, _ known: Known) {
        for item in node.items("convert") {
            if let lookup = item["lookup"], let name = lookup.text, !known.lookups.contains(name) {
                context.mistakes.addUnknown(name, .lookup, at: lookup.place, known: known.lookups.sorted())
            }
            if let mark = item["thousands"], let text = mark.text, ![".", ",", " "].contains(text) {
                context.mistakes.add(
                    .badValue, at: mark.place, ["key": "thousands", "value": text, "allowed": "\".\", \",\", \" \""])
            }
            for form in item["date"]?.plain?.textOrTexts ?? [] where !Self.isDateForm(form) {
                context.mistakes.add(
                    .badValue, at: item["date"]?.place ?? item.place,
                    ["key": "date", "value": form, "allowed": "dd/MM/yyyy, dd.MM.yy, dd MMMM yyyy …"])
            }
        }
    }

    private static func isDateForm(_ form: String) -> Bool {
        let parts = form.split { !$0.isLetter }.map(String.init)
        return parts.count == 3 && Set(parts.map { $0.first }) == ["d", "M", "y"]
            && parts.allSatisfy { ["dd", "MM", "MMMM", "yy", "yyyy"].contains($0) }
    }
}

/// Checks the options and refusals of a mapping beyond their shape.
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
        guard let example = option.value["example"], let text = example.text,
            let pattern = option.value.text("pattern"),
            let compiled = try? Pattern(pattern), compiled.matchesWhole(text) != .matched
        else { return }
        context.mistakes.add(.badValue, at: example.place, ["key": "example", "value": text, "allowed": pattern])
    }

    private func check(_ refusal: YAMLNode, _ options: [String]) {
        if let code = refusal["code"], let name = code.text {
            if FindingCatalogue.declares(name) {
                context.mistakes.add(
                    .duplicateName, at: code.place,
                    ["name": name, "kind": PackWord.finding.rawValue, "other": "Fichero"])
            } else if context.pack.rules.contains(where: { $0.code == name }) {
                context.mistakes.add(
                    .duplicateName, at: code.place, ["name": name, "kind": PackWord.rule.rawValue, "other": "rules/"])
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
