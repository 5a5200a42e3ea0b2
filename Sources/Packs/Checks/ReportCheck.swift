internal import Model

/// Checks a report beyond its shape: every query, column, text and file in it exists, and every tag
/// has a value.
struct ReportCheck {
    let context: CheckContext
    /// The names of the files in the report's folder, except templates and texts.
    let attachments: Set<String>
    /// The Mustache files of the folder, by name.
    let pages: [String: String]
    /// The keys of the report's texts, without `report.NAME.`.
    let texts: Set<String>
    /// The keys of the texts that the pack must have; a missing one is reported by `TextCheck`.
    let needed: Set<String>

    func check(_ root: YAMLNode) {
        let name = root.text("report") ?? ""
        if let node = root["record"], let record = node.text, context.pack.record(record) == nil {
            context.mistakes.addUnknown(record, .record, at: node.place, known: context.pack.records.map(\.name))
        }
        context.unique(root.items("formats"), .format)
        let isDelivery = root["delivery"] != nil
        for format in root.items("formats") where (format.text == "zip") != isDelivery {
            let allowed = isDelivery ? "zip" : "pdf, xlsx"
            context.mistakes.add(
                .unfitFormat, at: format.place, ["format": format.text ?? "", "export": name, "allowed": allowed])
        }
        if let delivery = root["delivery"] { checkDelivery(delivery, own: name) }
        guard let report = context.pack.report(name) else { return }
        for pair in root["queries"]?.pairs ?? [] { checkQuery(pair) }
        if let column = root["code"]?["revision"], let name = column.text {
            let rows = root.items("sections").compactMap { $0["each"]?.text }.compactMap { report.query($0) }
            if !rows.contains(where: { $0.column(name) != nil }) {
                context.mistakes.addUnknown(
                    name, .column, at: column.place, known: rows.flatMap { $0.columns.map(\.name) })
            }
        }
        context.unique(root.items("sections").compactMap { $0["section"] }, .section)
        for section in root.items("sections") {
            let scope = section["each"].map { query($0, of: report) } ?? report.query(ReportDefinition.projectQuery)
            if let column = section["forEach"], let name = column.text {
                if section["each"] == nil {
                    context.mistakes.add(.missingKey, at: section.place, ["key": "each"])
                } else if let scope, scope.column(name) == nil {
                    context.mistakes.addUnknown(name, .column, at: column.place, known: scope.columns.map(\.name))
                }
            }
            guard let scope else { continue }
            let blocks = ReportBlockCheck(check: self, report: report, scope: scope)
            if let title = section["title"] { blocks.text(title, over: scope) }
            section.items("blocks").forEach(blocks.check)
        }
    }

    /// The query with this name. Reports an unknown name.
    func query(_ node: YAMLNode?, of report: ReportDefinition) -> ReportQuery? {
        guard let node, let name = node.text else { return nil }
        if let query = report.query(name) { return query }
        context.mistakes.addUnknown(name, .query, at: node.place, known: report.queries.map(\.name))
        return nil
    }

    private func checkQuery(_ pair: YAMLNode.Pair) {
        let node = pair.value
        if !NameForm.name.accepts(pair.key) {
            context.mistakes.add(.badName, at: pair.keyPlace, ["name": pair.key, "form": NameForm.name.example])
        }
        if let sql = node["sql"] {
            if let text = sql.text, !RuleCheck.isOneQuery(text) { context.mistakes.add(.sql, at: sql.place) }
            for key in ["rows", "fields", "where", "order", "of"] {
                if let wrong = node[key] {
                    context.mistakes.add(.unfitKey, at: wrong.place, ["key": key, "value": "sql", "other": "sql"])
                }
            }
            if node["columns"] == nil { context.mistakes.add(.missingKey, at: node.place, ["key": "columns"]) }
            for column in node["columns"]?.pairs ?? [] { checkColumn(column.value) }
        } else if let entity = context.entity(node["entity"]) {
            if let wrong = node["columns"] {
                context.mistakes.add(
                    .unfitKey, at: wrong.place, ["key": "columns", "value": "entity", "other": "entity"])
            }
            for field in node.items("fields") { ExportCheck(context: context).checkColumn(field, entity, forEach: nil) }
            node.items("order").forEach { _ = context.path($0, from: entity) }
            context.condition(node["where"], over: entity, knowsDay: true)
            for binding in node["of"]?.pairs ?? [] {
                _ = context.path(
                    YAMLNode(content: .scalar(binding.key, isPlain: true), place: binding.keyPlace), from: entity)
            }
            var names: Set<String> = ["id"]
            for field in node.items("fields") {
                guard let name = field.plain.flatMap({ ExportColumn($0) })?.name, !names.insert(name).inserted else {
                    continue
                }
                context.mistakes.add(.columnName, at: field.place, ["name": name, "sheet": pair.key])
            }
        }
    }

    private func checkColumn(_ node: YAMLNode) {
        context.queryColumn(node)
        if let label = node["label"] { checkKey(label) }
        if let node = node["texts"], let family = node.text,
            !texts.contains(where: { $0.hasPrefix(family + ".") }), !context.pack.texts.hasAny(of: family)
        {
            context.mistakes.addUnknown(
                family, .textKey, at: node.place, known: Set(texts.map { String($0.prefix { $0 != "." }) }).sorted())
        }
    }

    /// Checks that a text exists, in the report's folder or in the pack's languages.
    func checkKey(_ node: YAMLNode) {
        let pack = context.pack
        guard let key = node.text, !texts.contains(key), !needed.contains(key), !pack.texts.has(key, in: pack.languages)
        else { return }
        // The report's texts are first in the list of known texts.
        let known = texts.sorted() + (pack.languages.first.map(pack.texts.keys(in:)) ?? []).sorted()
        context.mistakes.addUnknown(
            key, .textKey, at: node.place, known: known,
            ["languages": pack.languages.map(\.rawValue).joined(separator: " ")])
    }

    private func checkDelivery(_ node: YAMLNode, own: String) {
        let reports = context.pack.reports.filter { $0.delivery == nil && $0.name != own }
        for report in node.items("reports") {
            guard let name = report.text, !reports.contains(where: { $0.name == name }) else { continue }
            context.mistakes.addUnknown(name, .report, at: report.place, known: reports.map(\.name))
        }
        // Exports of a delivery must accept conditions on records, which anonymous ones do not.
        let exports = context.pack.exports.filter { $0.bundle == nil && !$0.isAnonymous }
        for export in node.items("exports") {
            guard let name = export.text, !exports.contains(where: { $0.name == name }) else { continue }
            context.mistakes.addUnknown(name, .export, at: export.place, known: exports.map(\.name))
        }
    }
}
