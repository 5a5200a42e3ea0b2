internal import Model

/// Checks the blocks of one section against the columns of the queries that they show.
struct ReportBlockCheck {
    let check: ReportCheck
    let report: ReportDefinition
    /// The query of the section's row.
    let scope: ReportQuery

    private var context: CheckContext { check.context }

    func check(_ node: YAMLNode) {
        context.condition(node["when"], over: Self.entity(scope))
        let query = node["query"] == nil ? nil : check.query(node["query"], of: report)
        if let query { bindings(of: query, at: node["query"]) }
        switch node.text("block") {
        case "title", "text": text(node["text"], over: scope)
        case "page": page(node)
        case "fields": node.items("items").forEach { value($0, over: scope) }
        case "signatures":
            for item in node.items("items") {
                text(item["label"], over: scope)
                column(item["name"], of: scope)
            }
        case "picture": file(node["file"])
        default:
            guard let query else { return }
            rows(node, query)
        }
    }

    private func rows(_ node: YAMLNode, _ query: ReportQuery) {
        text(node["title"], over: scope)
        text(node["empty"], over: scope)
        let ofQuery = ["from", "to", "symbol", "number", "sample", "sampleDepth", "rows", "value", "category", "split", "path", "easting",
            "northing", "polygon", "state", "count", "only", "chainage", "elevation", "depth"]
        let isProfile = node.text("block") == "profile"
        for key in ofQuery where !(isProfile && ["from", "to", "symbol"].contains(key)) { column(node[key], of: query) }
        for key in ["total", "background", "origin", "boundary", "north"] where node.text("block") != "pivot" { column(node[key], of: scope) }
        if let water = node["water"] { column(water, of: isProfile ? query : scope) }
        node.items("values").forEach { column($0, of: query) }
        node.items("group").forEach { column($0, of: query) }
        switch node.text("block") {
        case "table": table(node, query)
        case "pivot": column(node["columns"], of: query)
        case "photos":
            text(node["caption"], over: query)
            text(node["link"], over: query)
        case "log":
            if let description = node["description"] { value(description, over: query, isLabelled: true) }
            node.items("columns").forEach { value($0, over: query) }
        case "profile": profile(node)
        case "sketch": column(node["label"], of: query)
        case "plan":
            text(node["label"], over: query)
            if let points = node["points"], let other = check.query(points, of: report) {
                bindings(of: other, at: points)
                column(node["point"], of: other)
            }
        default: break
        }
    }

    private func profile(_ node: YAMLNode) {
        guard let layers = check.query(node["layers"], of: report) else { return }
        bindings(of: layers, at: node["layers"])
        for key in ["owner", "from", "to", "symbol"] { column(node[key], of: layers) }
    }

    private func table(_ node: YAMLNode, _ query: ReportQuery) {
        for item in node.items("columns") {
            value(item, over: query)
            guard let link = item["link"], let name = link.text else { continue }
            let sections = report.sections.filter { $0.each != nil }.map(\.name)
            if !sections.contains(name) { context.mistakes.addUnknown(name, .section, at: link.place, known: sections) }
        }
        for pair in node["totals"]?.pairs ?? [] {
            column(YAMLNode(content: .scalar(pair.key, isPlain: true), place: pair.keyPlace), of: query)
        }
        for tone in node.items("tones") { context.condition(tone["when"], over: Self.entity(query)) }
    }

    /// A column by name, or a value with a column, an expression or a text.
    /// - Parameter isLabelled: whether the block itself says what the value is.
    private func value(_ node: YAMLNode, over query: ReportQuery, isLabelled: Bool = false) {
        if node.text != nil { return column(node, of: query) }
        column(node["column"], of: query)
        context.expression(node["value"], over: Self.entity(query))
        text(node["text"], over: query)
        text(node["label"], over: query)
        text(node["empty"], over: query)
        let hasLabel = isLabelled || node["label"] != nil || node["column"] != nil
        if !hasLabel, node["text"] != nil || node["value"] != nil {
            // Nothing says what such a value is.
            context.mistakes.add(.missingKey, at: node.place, ["key": "label"])
        }
    }

    private func column(_ node: YAMLNode?, of query: ReportQuery) {
        guard let node, let name = node.text, query.column(name) == nil else { return }
        context.mistakes.addUnknown(name, .column, at: node.place, known: query.columns.map(\.name))
    }

    /// What a query takes from the section's row must be there.
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

    private func file(_ node: YAMLNode?) {
        guard let node, let name = node.text, !check.attachments.contains(name) else { return }
        context.mistakes.add(.missingFile, at: node.place, ["name": name])
    }

    private func page(_ node: YAMLNode) {
        guard let file = node["file"], let name = file.text else { return }
        guard let template = check.pages[name] else { return self.file(file) }
        for tag in MustacheTags.names(in: template) where scope.column(tag) == nil {
            context.mistakes.addUnknown(tag, .placeholder, at: file.place, known: scope.columns.map(\.name))
        }
    }

    /// A text's key, or a pattern; its placeholders must be columns of the row.
    func text(_ node: YAMLNode?, over query: ReportQuery) {
        guard let node, let source = node.text else { return }
        var sources = [source]
        if !ReportText(source).isPattern {
            check.checkKey(node)
            sources = Language.allCases.compactMap { language in
                context.pack.texts.textIfAny("report.\(report.name).\(source)", in: language) ?? context.pack.texts.textIfAny(source, in: language)
            }
        }
        for name in Set(sources.flatMap(TextCheck.placeholders)).sorted() where query.column(name) == nil {
            context.mistakes.addUnknown(name, .placeholder, at: node.place, known: query.columns.map(\.name))
        }
    }

    /// A query's columns as the fields that expressions speak of.
    static func entity(_ query: ReportQuery) -> Entity {
        Entity(name: query.name, fields: query.columns.map { Field(name: $0.name, type: $0.type) })
    }
}
