internal import Blocks
internal import Model

/// Checks the blocks of a section: the columns, texts and files in their keys must exist.
struct ReportBlockCheck {
    let check: ReportCheck
    let report: ReportDefinition
    /// The query of the section's row.
    let scope: ReportQuery

    private var context: CheckContext { check.context }

    func check(_ node: YAMLNode) {
        context.condition(node["when"], over: scope.entity)
        guard let name = node.text("block"), let keys = BlockList.keys.first(where: { $0.name == name })?.keys else {
            return
        }
        check(node, keys, in: node)
        // Only a mean is weighted; elsewhere the key would do nothing.
        let total = node.text("total") ?? (node["value"] == nil ? "count" : "sum")
        if let weight = node["weight"], total != "mean" {
            context.mistakes.add(
                .unfitKey, at: weight.place, ["key": "weight", "type": "total: \(total)", "allowed": "total: mean"])
        }
    }

    /// - Parameter block: the node with the keys for names of queries.
    private func check(_ node: YAMLNode, _ keys: [BlockKey], in block: YAMLNode) {
        for key in keys {
            if let value = node[key.name] { check(value, key.kind, in: block) }
        }
    }

    private func check(_ node: YAMLNode, _ kind: BlockKey.Kind, in block: YAMLNode) {
        switch kind {
        case .query:
            if let query = check.query(node, of: report) { bindings(of: query, at: node) }
        case .column(let scope): over(scope, block) { column(node, of: $0) }
        case .columns(let scope, _): over(scope, block) { query in node.items.forEach { column($0, of: query) } }
        case .text(let scope): over(scope, block) { text(node, over: $0) }
        case .totals(let key): over(.rows(of: key), block) { text(node, over: scope, totalsOf: $0) }
        case .file: file(node)
        case .page: page(node)
        case .expression(let scope): over(scope, block) { context.expression(node, over: $0.entity) }
        case .condition(let scope): over(scope, block) { context.condition(node, over: $0.entity) }
        case .section:
            let sections = report.sections.filter { $0.each != nil }.map(\.name)
            if let name = node.text, !sections.contains(name) {
                context.mistakes.addUnknown(name, .section, at: node.place, known: sections)
            }
        case .words(_, let scope):
            over(scope, block) { query in
                for pair in node.pairs {
                    column(YAMLNode(content: .scalar(pair.key, isPlain: true), place: pair.keyPlace), of: query)
                }
            }
        case .objects(let object, _):
            // An item with a query is checked against that query.
            for item in node.items { check(item, object.keys, in: item["query"] == nil ? block : item) }
        case .value(let object, let scope): value(node, object, scope, in: block)
        case .values(let object, let scope, _):
            for item in node.items { value(item, object, scope, in: block) }
        case .plainText, .integer, .integers, .number, .numbers, .boolean, .word: break
        }
    }

    /// Checks against the query of a scope. An unknown query is reported at its key.
    private func over(_ scope: BlockKey.Scope, _ block: YAMLNode, _ check: (ReportQuery) -> Void) {
        switch scope {
        case .section: check(self.scope)
        case .rows(let key):
            if let query = block.text(key).flatMap({ report.query($0) }) { check(query) }
        }
    }

    /// Checks a value: the name of a column, or an object.
    private func value(_ node: YAMLNode, _ object: BlockObject, _ scope: BlockKey.Scope, in block: YAMLNode) {
        if node.text != nil { return check(node, .column(scope), in: block) }
        check(node, object.keys, in: block)
        if let needs = object.needs, node[needs.key] == nil, node[needs.unless] == nil,
            object.exactlyOne.contains(where: { node[$0] != nil })
        {
            // Such a value has no default label.
            context.mistakes.add(.missingKey, at: node.place, ["key": needs.key])
        }
    }

    private func column(_ node: YAMLNode?, of query: ReportQuery) {
        guard let node, let name = node.text, query.column(name) == nil else { return }
        context.mistakes.addUnknown(name, .column, at: node.place, known: query.columns.map(\.name))
    }

    /// Checks that the section's row has the columns used by a query.
    private func bindings(of query: ReportQuery, at node: YAMLNode?) {
        guard let node else { return }
        let needed: [String]
        switch query.source {
        case .rows(_, _, let of): needed = of.map(\.column)
        case .sql(let sql): needed = ReportParameters.names(in: sql).filter { !ReportParameters.builtIn.contains($0) }
        }
        for name in needed where scope.column(name) == nil {
            context.mistakes.addUnknown(name, .column, at: node.place, known: scope.columns.map(\.name))
        }
    }

    private func file(_ node: YAMLNode) {
        guard let name = node.text, !check.attachments.contains(name) else { return }
        context.mistakes.add(.missingFile, at: node.place, ["name": name])
    }

    private func page(_ node: YAMLNode) {
        guard let name = node.text else { return }
        guard let template = check.pages[name] else { return file(node) }
        for tag in MustacheTags.names(in: template) where scope.column(tag) == nil {
            context.mistakes.addUnknown(tag, .placeholder, at: node.place, known: scope.columns.map(\.name))
        }
    }

    /// Checks a text's key, or a pattern. Its placeholders must be columns of the row, or totals of
    /// the rows if there are any.
    func text(_ node: YAMLNode, over query: ReportQuery, totalsOf rows: ReportQuery? = nil) {
        guard let source = node.text else { return }
        var sources = [source]
        if !ReportText(source).isPattern {
            check.checkKey(node)
            sources = context.pack.languages.compactMap { language in
                context.pack.texts.textIfAny("report.\(report.name).\(source)", in: language)
                    ?? context.pack.texts.textIfAny(source, in: language)
            }
        }
        for name in Set(sources.flatMap(TextCheck.placeholders)).sorted() {
            if query.column(name) != nil { continue }
            if let rows, let total = RowTotal(name) {
                self.total(total, of: rows, at: node)
            } else {
                context.mistakes.addUnknown(name, .placeholder, at: node.place, known: query.columns.map(\.name))
            }
        }
    }

    private func total(_ total: RowTotal, of rows: ReportQuery, at node: YAMLNode) {
        guard let name = total.column else { return }
        guard let column = rows.column(name) else {
            return context.mistakes.addUnknown(name, .column, at: node.place, known: rows.columns.map(\.name))
        }
        if total.needsNumbers, column.type != .integer, column.type != .decimal {
            context.mistakes.add(
                .wrongField, at: node.place,
                ["path": name, "entity": rows.name, "expected": PackWord.numberField.rawValue, "target": ""])
        }
    }
}
