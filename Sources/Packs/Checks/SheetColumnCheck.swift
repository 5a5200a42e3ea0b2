internal import Model

/// Checks the parts of a sheet that name its own columns: its calendar, and what it suppresses.
struct SheetColumnCheck {
    let context: CheckContext
    let columns: [SheetColumn]

    init(_ sheet: ExportSheet, isAnonymous: Bool, context: CheckContext) {
        self.context = context
        columns = context.pack.columns(of: sheet, in: context.pack.languages.first ?? .spanish, isAnonymous: isAnonymous).compactMap(\.self)
    }

    /// What the columns of a calendar may hold; other columns may hold anything.
    private static let kinds: [String: (word: PackWord, fits: @Sendable (SheetColumn.Kind) -> Bool)] = {
        let day = (PackWord.dateField, { @Sendable (kind: SheetColumn.Kind) in kind == .date || kind == .dateTime })
        let instant = (PackWord.timeField, { @Sendable (kind: SheetColumn.Kind) in kind == .dateTime })
        let number = (PackWord.numberField, { @Sendable (kind: SheetColumn.Kind) in kind.isNumber })
        return [
            "start": day, "end": day, "due": day, "done": instant, "cancelled": instant, "changed": instant, "minutes": number, "alarm": number,
            "priority": number, "latitude": number, "longitude": number,
        ]
    }()

    func checkCalendar(_ node: YAMLNode) {
        for pair in node.pairs where pair.key != "as" {
            if ["minutes", "alarm"].contains(pair.key), pair.value.integer != nil { continue }
            guard let column = column(pair.value), let kind = Self.kinds[pair.key] else { continue }
            if !kind.fits(column.kind) {
                context.mistakes.add(.wrongField, at: pair.value.place, ["path": column.name, "entity": "calendar", "expected": kind.word.rawValue, "target": ""])
            }
        }
        let isTodo = node.text("as") == CalendarColumns.Component.todo.rawValue
        for key in isTodo ? ["end", "minutes"] : ["due", "done"] {
            if let wrong = node[key] {
                context.mistakes.add(.unfitKey, at: wrong.place, ["key": key, "type": isTodo ? "todo" : "event", "allowed": isTodo ? "event" : "todo"])
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
