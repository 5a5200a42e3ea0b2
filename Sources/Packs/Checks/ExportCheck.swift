internal import Model

/// Checks an export beyond its shape: its sheets and columns, or its bundle.
struct ExportCheck {
    let context: CheckContext

    func check(_ root: YAMLNode) {
        let record = root["record"].flatMap { node in node.text.flatMap { name in self.record(name, at: node.place) } }
        let name = root.text("export") ?? ""
        let formats = root.items("formats") + root.items("onRequest")
        context.unique(formats, .format)
        for format in formats {
            let allowed = root["bundle"] == nil ? ExportFormat.allCases.filter(\.isOfSheets).map(\.rawValue) : ["zip"]
            guard let text = format.text, ExportFormat(rawValue: text) != nil, !allowed.contains(text) else { continue }
            context.mistakes.add(
                .unfitFormat, at: format.place,
                ["format": text, "export": name, "allowed": allowed.joined(separator: ", ")])
        }
        context.condition(root["finalWhen"], over: context.pack.entity(context.pack.project.entity))
        context.unique(root.items("sheets").compactMap { $0["sheet"] }, .sheet)
        let isAnonymous = root["anonymous"]?.boolean == true
        for sheet in root.items("sheets") {
            checkSheet(sheet, record)
            if isAnonymous { checkAnonymous(sheet) }
            if let built = ExportSheet(sheet.plain ?? .keys([]), of: context.pack) {
                let columns = SheetColumnCheck(built, isAnonymous: isAnonymous, context: context)
                if let calendar = sheet["calendar"] { columns.checkCalendar(calendar) }
                if let suppression = sheet["suppress"] { columns.checkSuppression(suppression) }
            }
        }
        for format in formats {
            guard let key = format.text.flatMap(ExportFormat.init)?.neededKey else { continue }
            let isThere = root.items("sheets").contains { $0[key] != nil } || key == "place" && record?.place != nil
            // An anonymous export has no exact places.
            if !isThere || key == "place" && isAnonymous {
                context.mistakes.add(.missingKey, at: format.place, ["key": key])
            }
        }
        if let bundle = root["bundle"] { checkBundle(bundle, own: name) }
    }

    private func record(_ name: String, at place: PackPlace) -> RecordKind? {
        if let record = context.pack.record(name) { return record }
        context.mistakes.addUnknown(name, .record, at: place, known: context.pack.records.map(\.name))
        return nil
    }

    private func checkBundle(_ node: YAMLNode, own: String) {
        context.unique(node.items("exports"), .export)
        context.unique(node.items("formats"), .format)
        let known = context.pack.exports.filter { $0.bundle == nil && $0.name != own }
        for export in node.items("exports") {
            guard let name = export.text else { continue }
            guard let definition = known.first(where: { $0.name == name }) else {
                context.mistakes.addUnknown(name, .export, at: export.place, known: known.map(\.name))
                continue
            }
            for format in node.items("formats") {
                guard let text = format.text, let word = ExportFormat(rawValue: text),
                    !definition.offered.contains(word)
                else {
                    continue
                }
                context.mistakes.add(
                    .unfitFormat, at: format.place,
                    [
                        "format": text, "export": name,
                        "allowed": definition.offered.map(\.rawValue).joined(separator: ", "),
                    ])
            }
        }
    }

    private func checkSheet(_ node: YAMLNode, _ record: RecordKind?) {
        if let sql = node["sql"] { return checkQuery(node, sql) }
        if let columns = node["columns"], !columns.pairs.isEmpty {
            context.mistakes.add(.unfitKey, at: columns.place, ["key": "columns", "type": "entity", "allowed": "sql"])
        }
        guard let entity = context.entity(node["entity"]) else { return }
        if let record, node.text("rows") ?? "record" == "record", let place = node["entity"]?.place {
            let known = [record.root] + record.parts.map(\.entity)
            if !known.contains(entity.name) {
                context.mistakes.add(
                    .sheetEntity, at: place,
                    ["entity": entity.name, "record": record.name, "known": known.joined(separator: ", ")])
            }
        }
        node.items("order").compactMap { $0["field"] ?? $0 }.forEach { _ = context.path($0, from: entity) }
        checkForEach(node, entity)
        var names: Set<String> = []
        for column in node.items("columns") {
            checkColumn(column, entity, forEach: node.text("forEach").map { FieldPath($0) })
            guard let name = column.plain.flatMap({ ExportColumn($0) })?.name, !names.insert(name).inserted else {
                continue
            }
            context.mistakes.add(.columnName, at: column.place, ["name": name, "sheet": node.text("sheet") ?? ""])
        }
    }

    /// Checks a sheet whose rows come from a query.
    private func checkQuery(_ node: YAMLNode, _ sql: YAMLNode) {
        if let text = sql.text {
            if !RuleCheck.isOneQuery(text) { context.mistakes.add(.sql, at: sql.place) }
            for name in ReportParameters.names(in: text) where !ReportParameters.builtIn.contains(name) {
                context.mistakes.addUnknown(
                    ":" + name, .placeholder, at: sql.place, known: ReportParameters.builtIn.map { ":" + $0 }.sorted())
            }
        }
        for key in ["rows", "forEach", "eachName", "order"] {
            if let wrong = node[key] {
                context.mistakes.add(.unfitKey, at: wrong.place, ["key": key, "type": "sql", "allowed": "entity"])
            }
        }
        guard let columns = node["columns"], !columns.pairs.isEmpty else {
            return context.mistakes.add(.missingKey, at: node.place, ["key": "columns"])
        }
        columns.pairs.map(\.value).forEach(context.queryColumn)
    }

    /// Refuses in an anonymous sheet: assigned numbers, columns named by a schema, and sheets named
    /// after rows.
    private func checkAnonymous(_ node: YAMLNode) {
        if node.text("rows") == ExportSheet.Rows.referenced.rawValue, let rows = node["rows"] {
            context.mistakes.add(
                .badValue, at: rows.place, ["key": "rows", "value": "referenced", "allowed": "record, project"])
        }
        let wrong = [node["forEach"]] + node.items("columns").flatMap { [$0["number"], $0["parameters"]] }
        for wrong in wrong.compactMap(\.self) {
            context.mistakes.add(
                .unfitKey, at: wrong.place, ["key": wrong.text ?? "", "type": "anonymous", "allowed": "field, count"])
        }
    }

    private func checkForEach(_ node: YAMLNode, _ entity: Entity) {
        if node["forEach"] == nil, node["eachName"] != nil {
            return context.mistakes.add(.missingKey, at: node.place, ["key": "forEach"])
        }
        if node["forEach"] != nil, let wrong = node["suppress"] {
            context.mistakes.add(
                .unfitKey, at: wrong.place, ["key": "suppress", "type": "forEach", "allowed": "entity, sql"])
        }
        guard let path = node["forEach"], let field = context.path(path, from: entity) else { return }
        if field.type == .text, field.references == nil {
            // The value is also the sheet's name.
            if let name = node["eachName"] {
                context.mistakes.add(.unfitKey, at: name.place, ["key": "eachName", "type": "text", "allowed": "uuid"])
            }
            return
        }
        guard field.type != .list, let target = field.references else {
            return context.require(false, path, in: entity, .reference, target: "*")
        }
        if node["eachName"] == nil { return context.mistakes.add(.missingKey, at: node.place, ["key": "eachName"]) }
        if let target = context.pack.entity(target) { _ = context.field(node["eachName"], of: target) }
    }

    func checkColumn(_ node: YAMLNode, _ entity: Entity, forEach: FieldPath?) {
        if node.text != nil {
            _ = context.path(node, from: entity)
        } else if let field = node["field"] {
            _ = context.path(field, from: entity)
        } else if let number = node["number"], let name = number.text {
            let known = context.pack.numberings.filter { $0.entity == entity.name }
            if !known.contains(where: { $0.name == name }) {
                context.mistakes.addUnknown(name, .numbering, at: number.place, known: known.map(\.name))
            }
        } else if let count = node["count"] {
            if let counted = context.entity(count) { context.checkCount(by: node["by"], of: counted, for: entity) }
        } else if let parameters = node["parameters"], let field = context.path(parameters, from: entity) {
            guard forEach != nil else { return context.mistakes.add(.missingKey, at: node.place, ["key": "forEach"]) }
            // The schema belongs to the forEach row, so the path from the values to their schema
            // must pass through that row.
            let owner = FieldPath(parameters.text ?? "").parts.dropLast()
            let schema = field.schemaPath.map { owner + $0.parts.dropLast() }
            let isRight =
                field.type == .json && field.schemaScope == node.text("scope")
                && schema.map(Array.init) == forEach?.parts
            context.require(isRight, parameters, in: entity, .schemaField)
        }
    }
}

extension ExportColumn {
    /// The key of the text that this column needs besides its field's text.
    var labelKey: String? {
        switch self {
        case .field(_, _, let label, _): label
        case .number(_, let name, let label), .count(_, _, let name, let label): label ?? "label." + name
        case .parameters: nil
        }
    }
}

/// Checks the parts of a sheet that refer to its columns: its calendar and its suppression.
struct SheetColumnCheck {
    let context: CheckContext
    let columns: [SheetColumn]

    init(_ sheet: ExportSheet, isAnonymous: Bool, context: CheckContext) {
        self.context = context
        columns = context.pack.columns(
            of: sheet, in: context.pack.languages.first ?? .spanish, isAnonymous: isAnonymous
        ).compactMap(\.self)
    }

    /// The kinds of columns for a calendar's properties; other properties allow any kind.
    private static let kinds: [String: (word: PackWord, fits: @Sendable (SheetColumn.Kind) -> Bool)] = {
        let day = (PackWord.dateField, { @Sendable (kind: SheetColumn.Kind) in kind == .date || kind == .dateTime })
        let instant = (PackWord.timeField, { @Sendable (kind: SheetColumn.Kind) in kind == .dateTime })
        let number = (PackWord.numberField, { @Sendable (kind: SheetColumn.Kind) in kind.isNumber })
        return [
            "start": day, "end": day, "due": day, "done": instant, "cancelled": instant, "changed": instant,
            "minutes": number, "alarm": number,
            "priority": number, "latitude": number, "longitude": number,
        ]
    }()

    func checkCalendar(_ node: YAMLNode) {
        for pair in node.pairs where pair.key != "as" {
            if ["minutes", "alarm"].contains(pair.key), pair.value.integer != nil { continue }
            guard let column = column(pair.value), let kind = Self.kinds[pair.key] else { continue }
            if !kind.fits(column.kind) {
                context.mistakes.add(
                    .wrongField, at: pair.value.place,
                    ["path": column.name, "entity": "calendar", "expected": kind.word.rawValue, "target": ""])
            }
        }
        let isTodo = node.text("as") == CalendarColumns.Component.todo.rawValue
        for key in isTodo ? ["end", "minutes"] : ["due", "done"] {
            if let wrong = node[key] {
                context.mistakes.add(
                    .unfitKey, at: wrong.place,
                    ["key": key, "type": isTodo ? "todo" : "event", "allowed": isTodo ? "event" : "todo"])
            }
        }
        let needed = [
            isTodo ? nil : "start", node["time"] == nil ? nil : "start",
            node["longitude"] == nil ? nil : "latitude", node["latitude"] == nil ? nil : "longitude",
        ]
        for key in Set(needed.compactMap(\.self)).sorted() where node[key] == nil {
            context.mistakes.add(.missingKey, at: node.place, ["key": key])
        }
    }

    func checkSuppression(_ node: YAMLNode) {
        node.items("by").forEach { _ = column($0) }
        _ = node["of"].flatMap(column)
        context.unique(node.items("by"), .column)
    }

    private func column(_ node: YAMLNode) -> SheetColumn? {
        guard let name = node.text else { return nil }
        if let column = columns.first(where: { $0.name == name }) { return column }
        context.mistakes.addUnknown(name, .column, at: node.place, known: columns.map(\.name))
        return nil
    }
}

extension SheetColumn.Kind {
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .decimal: true
        default: false
        }
    }
}
