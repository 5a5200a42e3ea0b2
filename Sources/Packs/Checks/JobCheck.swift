internal import Model

/// Checks a job beyond its shape.
struct JobCheck {
    let context: CheckContext

    private static let placeholders = ["export", "project", "date", "year", "month", "period", "version", "format"]

    func check(_ root: YAMLNode) {
        if let output = root["output"] { checkOutput(output) }
        if let period = root["period"], let text = period.text, !Period.isPeriod(text) {
            context.mistakes.add(
                .badValue, at: period.place,
                ["key": "period", "value": text, "allowed": Period.forms.joined(separator: ", ")])
        }
        let codes = FindingCatalogue.declarations.map(\.code) + context.pack.rules.map(\.code)
        for node in root.items("allow") {
            guard let code = node.text("code"), let place = node["code"]?.place, !codes.contains(code) else { continue }
            context.mistakes.addUnknown(code, .rule, at: place, known: codes)
        }
        context.unique(root.items("allow").compactMap { $0["code"] }, .rule)
        root.items("steps").forEach(checkStep)
        guard root["period"] != nil else { return }
        let all = Period.Records.all.rawValue
        for step in root.items("steps") where (step["records"] ?? root["records"])?.text != all {
            checkPeriod(of: step)
        }
    }

    /// Checks that a period has a use: it filters records by date, or the report's queries read it.
    private func checkPeriod(of step: YAMLNode) {
        guard let (name, _, kind) = product(step), let record = context.pack.record(kind), record.date == nil,
            !context.pack.asksForDays(step["export"] == nil ? .report(name) : .export(name))
        else { return }
        context.mistakes.add(
            .undated, at: (step["export"] ?? step["report"] ?? step).place, ["name": name, "record": record.name])
    }

    private func checkOutput(_ node: YAMLNode) {
        guard let text = node.text else { return }
        for name in TextCheck.placeholders(in: text) where !Self.placeholders.contains(name) {
            var arguments = [
                "placeholder": "{\(name)}", "key": "output",
                "known": Self.placeholders.map { "{\($0)}" }.joined(separator: ", "),
            ]
            arguments["nearest"] = Spelling.nearest(to: name, among: Self.placeholders)
            context.mistakes.add(.placeholder, at: node.place, arguments)
        }
        // The output must be below the output directory.
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.contains("..") || text.hasPrefix("/") || text.hasSuffix("/") || text.contains("\\") {
            context.mistakes.add(
                .badValue, at: node.place,
                ["key": "output", "value": text, "allowed": "{year}-{month}/{project}/{export}-{date}.{format}"])
        }
    }

    private func checkStep(_ node: YAMLNode) {
        if let from = node["from"], let to = node["to"], let first = from.text, let last = to.text,
            Timestamp.isDate(first),
            Timestamp.isDate(last), first > last
        {
            context.mistakes.add(.range, at: to.place, ["minimum": first, "maximum": last])
        }
        guard let (name, offered, kind) = product(node) else { return }
        context.unique(node.items("formats"), .format)
        for format in node.items("formats") {
            guard let text = format.text, let word = ExportFormat(rawValue: text), !offered.contains(word) else {
                continue
            }
            context.mistakes.add(
                .unfitFormat, at: format.place,
                ["format": text, "export": name, "allowed": offered.map(\.rawValue).joined(separator: ", ")])
        }
        guard let record = context.pack.record(kind), let root = context.pack.entity(record.root) else { return }
        context.condition(node["where"], over: root, knowsDay: true)
        checkCircle(node, record)
        checkStates(node, record, root)
        if let mark = node["markExported"], mark.boolean == true {
            let formats = node["formats"].map(\.texts) ?? offered.map(\.rawValue)
            let bundle = node.text("export").flatMap { context.pack.export($0) }?.bundle
            let writesWorkbook =
                formats.contains("xlsx") || formats.contains("pdf") || bundle?.formats.contains(.xlsx) ?? false
            let delivers =
                node.text("export").flatMap { context.pack.export($0)?.delivers }
                ?? node.text("report").flatMap { context.pack.report($0)?.delivers }
            if root.states?.exported == nil || !writesWorkbook || delivers != true {
                context.mistakes.add(.noExportedState, at: mark.place, ["entity": root.name])
            }
        }
    }

    /// The export or report of a step: its name, its formats, and its kind of record.
    private func product(_ node: YAMLNode) -> (name: String, offered: [ExportFormat], record: String)? {
        if let name = node.text("export"), let place = node["export"]?.place {
            if context.leftOut.contains("exports/" + name) { return nil }
            if let export = context.pack.export(name) {
                return (name, node["formats"] == nil ? export.formats : export.offered, export.record)
            }
            context.mistakes.addUnknown(name, .export, at: place, known: context.pack.exports.map(\.name))
        } else if let name = node.text("report"), let place = node["report"]?.place {
            if context.leftOut.contains("reports/" + name) { return nil }
            if let report = context.pack.report(name) { return (name, report.formats, report.record) }
            context.mistakes.addUnknown(name, .report, at: place, known: context.pack.reports.map(\.name))
        }
        return nil
    }

    /// Checks the keys `text`, `near` and `within` of a selection: the record must have texts or a
    /// place.
    private func checkCircle(_ node: YAMLNode, _ record: RecordKind) {
        let known = "projects, syncStates, where"
        if let text = node["text"], record.texts.isEmpty {
            context.mistakes.add(.unknownKey, at: text.place, ["key": "text", "known": known])
        }
        if let text = node["text"], let words = text.text, SearchedWords(words) == nil {
            context.mistakes.add(
                .badValue, at: text.place, ["key": "text", "value": words, "allowed": "huerto \"plaza mayor\""])
        }
        guard let place = node["near"] ?? node["within"] else { return }
        guard record.place != nil else {
            return context.mistakes.add(
                .unknownKey, at: place.place, ["key": node["near"] == nil ? "within" : "near", "known": known])
        }
        for key in ["near", "within"] where node[key] == nil {
            context.mistakes.add(.missingKey, at: place.place, ["key": key])
        }
        guard let near = node.text("near"), let within = node.text("within"),
            Nearby(place: near, distance: within) == nil
        else { return }
        context.mistakes.add(
            .badValue, at: place.place,
            ["key": "near, within", "value": "\(near), \(within)", "allowed": "-12.0677,-75.2102, 10km"])
    }

    private func checkStates(_ node: YAMLNode, _ record: RecordKind, _ root: Entity) {
        guard let states = node["states"], !states.items.isEmpty else { return }
        guard let path = record.state, let field = context.pack.field(at: path, from: root) else {
            return context.mistakes.add(
                .unknownKey, at: states.place, ["key": "states", "known": "projects, syncStates, where"])
        }
        guard let vocabulary = field.vocabulary.flatMap(context.pack.vocabulary) else { return }
        for state in states.items {
            guard let name = state.text, !vocabulary.values.contains(name) else { continue }
            context.mistakes.addUnknown(name, .state, at: state.place, known: vocabulary.values)
        }
    }
}
