import Importing
import Model

/// Drafts a pack from an XLSForm. The form becomes a table, each repeat a table of parts, each list
/// of choices a vocabulary. The drafted mapping reads submissions of the form.
///
/// Source: https://xlsform.org/en/ref-table/, https://docs.getodk.org/form-logic/.
struct XLSFormDraft {
    /// A group or repeat whose `end` row has not been read yet.
    private struct Scope {
        var isRepeat: Bool
        var name: String
        /// Index of the table that contains the questions.
        var table: Int
        var relevant: String?
    }

    /// A question whose conditions are read later, when all fields are known.
    private struct Asked {
        var table: Int
        var field: String
        var row: XLSFormSheet.Row
        var relevant: [String]
    }

    /// The form's default language.
    private let own: Language
    private let choices: [String: [XLSFormSheet.Row]]
    private var draft: PackDraft
    private var names: [DraftNames] = []
    private var tableNames: DraftNames
    private var scopes: [Scope] = []
    private var asked: [Asked] = []
    private var photos: [(table: Int, question: String, column: String, labels: [Language: String])] = []
    private var codes = DraftNames(reserved: [])
    /// The vocabulary made from each list of choices, by the list's name.
    private var lists: [String: String] = [:]
    private var listNames = DraftNames(reserved: ["roles"])

    /// The mapping's value for the submission's id, as YAML.
    private static func identifier(_ levels: Int) -> String {
        let up = String(repeating: "../", count: levels)
        return "{column: [\(up)_uuid, \(up)meta/instanceID], convert: [{replace: \"uuid:\", with: \"\"}]}"
    }

    /// Whether a workbook is a form: a sheet `survey` has types and names, or the only sheet
    /// contains mostly types of questions.
    static func isForm(_ tables: [ForeignTable]) throws -> Bool {
        guard let survey = survey(tables) else { return false }
        let rows = try XLSFormSheet(survey).rows.filter { $0["type"] != nil && $0["name"] != nil }
        let isNamed = survey.name.lowercased().trimmingSpaces == "survey"
        return !rows.isEmpty && (isNamed || rows.count { XLSFormQuestion($0["type"] ?? "") != .other } > rows.count / 2)
    }

    private static func survey(_ tables: [ForeignTable]) -> ForeignTable? {
        tables.first { $0.name.lowercased().trimmingSpaces == "survey" }
            ?? (tables.count == 1 && tables[0].columns == nil ? tables[0] : nil)
    }

    static func draft(_ tables: [ForeignTable], name: String, language: Language, reserved: Set<String>) throws
        -> PackDraft
    {
        func sheet(_ names: String...) throws -> [XLSFormSheet.Row] {
            try tables.first { names.contains($0.name.lowercased().trimmingSpaces) }.map { try XLSFormSheet($0).rows }
                ?? []
        }
        let settings = try sheet("settings").first
        let own = settings?["default_language"].flatMap(XLSFormSheet.language) ?? language
        let lists = Dictionary(grouping: try sheet("choices", "choices and columns"), by: { $0["list_name"] ?? "" })
        var reader = XLSFormDraft(name: name, own: own, choices: lists, settings: settings, reserved: reserved)
        for row in try survey(tables).map({ try XLSFormSheet($0).rows }) ?? [] { reader.read(row) }
        reader.finish()
        return reader.draft
    }

    private init(
        name: String, own: Language, choices: [String: [XLSFormSheet.Row]], settings: XLSFormSheet.Row?,
        reserved: Set<String>
    ) {
        (self.own, self.choices) = (own, choices)
        draft = PackDraft(name: name, languages: [own])
        draft.accepts = ["submissions"]
        tableNames = DraftNames(reserved: reserved.union(["projects"]))
        let title = settings?["form_title"] ?? settings?["form_id"] ?? name
        draft.title = [own: DraftNames.cleaned(title)]
        addTable(settings?["form_id"] ?? name, source: "submissions", labels: draft.title)
        draft.tables[0].idReading = Self.identifier(0)
    }

    private mutating func addTable(_ text: String, source: String, labels: [Language: String]) {
        var table = DraftTable(tableNames.name(text, other: "forms"), source: source)
        table.labels = labels
        table.reading = DraftTable.RowOrigin(table: source)
        draft.tables.append(table)
        names.append(DraftNames(reserved: DraftNames.reservedFields))
    }

    // MARK: Questions

    private var table: Int { scopes.last?.table ?? 0 }

    /// The prefix of names in submissions: the open groups within the current table.
    private var prefix: String {
        scopes.reversed().prefix { !$0.isRepeat }.reversed().map { $0.name + "/" }.joined()
    }

    private mutating func read(_ row: XLSFormSheet.Row) {
        guard let type = row["type"], row["disabled"]?.lowercased() != "yes" else { return }
        let kind = XLSFormQuestion(type)
        let labels = XLSFormSheet.texts(row, "label", own: own)
        switch kind {
        case .begin(let isRepeat): begin(row, isRepeat: isRepeat, labels)
        case .end: if !scopes.isEmpty { scopes.removeLast() }
        case .note: break
        default:
            guard let name = row["name"] ?? unnamed(type) else { return }
            add(kind, row, name: name, labels: labels, type: type)
        }
    }

    /// The default name of a question that records a fact about the submission.
    private func unnamed(_ type: String) -> String? {
        ["start", "end", "today", "deviceid", "username"].contains(type.lowercased()) ? type.lowercased() : nil
    }

    private mutating func begin(_ row: XLSFormSheet.Row, isRepeat: Bool, _ labels: [Language: String]) {
        let name = row["name"] ?? "group"
        var scope = Scope(isRepeat: isRepeat, name: name, table: table, relevant: row["relevant"])
        if isRepeat {
            let outer = table
            let path =
                (draft.tables[outer].reading.map { $0.table == "submissions" ? "" : $0.table + "/" } ?? "") + prefix
                + name
            addTable(name, source: path, labels: labels)
            scope.table = draft.tables.count - 1
            join(scope.table, to: outer)
        }
        scopes.append(scope)
    }

    /// Adds the reference from a repeat's table to the enclosing table. In a submission, rows of a
    /// repeat have no id: they are identified by their position.
    private mutating func join(_ part: Int, to outer: Int) {
        var reference = DraftField(names[part].name(draft.tables[outer].name + "_id", other: "parent_id"), .uuid)
        reference.references = draft.tables[outer].name
        (reference.isRequired, reference.deletesWithParent) = (true, true)
        reference.labels = draft.tables[outer].labels
        var number = DraftField(names[part].name("number", other: "number"), .integer)
        (number.isRequired, number.minimum) = (true, 1)
        if outer == 0 {
            reference.reading = Self.identifier(1)
            number.reading = "{ordinal: [\"../_uuid\", \"../meta/instanceID\"]}"
        } else {
            draft.tables[part].reading = nil
            draft.tables[part].notes.append(DraftNote("nested", ["table": draft.tables[outer].name]))
        }
        draft.tables[part].fields = [reference, number]
        draft.tables[part].parent = DraftTable.Parent(table: draft.tables[outer].name, field: reference.name)
        (draft.tables[part].key, draft.tables[part].within) = ([number.name], reference.name)
        draft.tables[part].reading?.key = [reference.name, number.name]
    }

    private mutating func add(
        _ kind: XLSFormQuestion, _ row: XLSFormSheet.Row, name: String, labels: [Language: String], type: String
    ) {
        let column = prefix + name
        if kind == .photo { return photos.append((table, name, column, labels)) }
        if kind == .place { return addPlace(row, name: name, column: column, labels) }
        var field = DraftField(names[table].name(name, other: "field"), .text, source: name)
        field.labels = labels
        field.isPersonal = DraftNames.isPersonal(name)
        field.reading = SuggestedYAML.quoted(column)
        if field.name != name { field.synonyms = [name] }
        setType(of: &field, to: kind, row, column: column, type: type)
        if let vocabulary = field.vocabulary,
            draft.vocabularies.first(where: { $0.name == vocabulary })?.values.isEmpty != false
        {
            (field.vocabulary, field.type, field.reading) = (nil, .text, SuggestedYAML.quoted(column))
            field.notes.append(DraftNote("list", ["list": vocabulary]))
        }
        draft.tables[table].fields.append(field)
        asked.append(Asked(table: table, field: field.name, row: row, relevant: relevants(row)))
        if kind.isOpen {
            var other = DraftField(names[table].name(name + "_other", other: "other"), .text, source: name + "_other")
            other.labels = labels.mapValues { $0 + " …" }
            other.reading = SuggestedYAML.quoted(column + "_other")
            draft.tables[table].fields.append(other)
        }
    }

    /// Sets the type of a question's field, and how its values are read.
    private mutating func setType(
        of field: inout DraftField, to kind: XLSFormQuestion, _ row: XLSFormSheet.Row, column: String, type: String
    ) {
        let read = SuggestedYAML.quoted(column)
        switch kind {
        case .integer: field.type = .integer
        case .decimal: field.type = .decimal
        case .date: field.type = .date
        case .time:
            field.type = .time
            // Forms write a time with fraction and zone: 16:31:00.000-05:00.
            field.reading = "{column: \(read), convert: [{match: \"([0-9]{2}:[0-9]{2}(?::[0-9]{2})?)\"}]}"
        case .instant: field.type = .datetime
        case .confirmation:
            field.type = .boolean
            field.reading =
                """
                {column: \(read), convert: [{match: \"OK|ok|true|yes\"}, {replace: OK, with: \"true\"}, {replace: ok, \
                with: \"true\"}, {replace: \"yes\", with: \"true\"}]}
                """
        case .one(let list, let isOpen):
            field.vocabulary = vocabulary(list, isOpen: isOpen)
            field.reading = "{column: \(read), convert: [trim]}"
        case .several(let list, let isOpen):
            (field.type, field.vocabulary) = (.list, vocabulary(list, isOpen: isOpen))
            field.reading = "{column: \(read), convert: [{list: \" \"}]}"
        case .range: readRange(row["parameters"] ?? "", into: &field)
        case .calculation:
            field.notes.append(DraftNote("calculated", ["text": row["calculation"] ?? row["default"] ?? type]))
        case .other: field.notes.append(DraftNote("type", ["type": type]))
        case .text, .begin, .end, .note, .photo, .place: break
        }
    }

    /// The conditions under which a question is asked: those of the question and of its groups
    /// within the table. A repeat's condition is not needed, because a repeat that is not asked has
    /// no rows.
    private func relevants(_ row: XLSFormSheet.Row) -> [String] {
        scopes.reversed().prefix { !$0.isRepeat }.reversed().compactMap(\.relevant)
            + [row["relevant"]].compactMap(\.self)
    }

    /// Reads the bounds of a number from `start=0 end=10 step=0.5`.
    private func readRange(_ text: String, into field: inout DraftField) {
        let pairs = text.matches(of: /([a-z]+)\s*=\s*(-?[0-9.]+)/).map { (String($0.1), String($0.2)) }
        let values = Dictionary(pairs) { first, _ in first }
        field.type = values.values.contains { $0.contains(".") } ? .decimal : .integer
        field.minimum = min(Double(values["start"] ?? "1") ?? 1, Double(values["end"] ?? "10") ?? 10)
        field.maximum = max(Double(values["start"] ?? "1") ?? 1, Double(values["end"] ?? "10") ?? 10)
    }

    /// Adds fields for a place, which is latitude, longitude, altitude and accuracy in one text.
    private mutating func addPlace(_ row: XLSFormSheet.Row, name: String, column: String, _ labels: [Language: String])
    {
        for (piece, (ending, bound)) in [("latitude", 90.0), ("longitude", 180.0), ("altitude", nil as Double?)]
            .enumerated()
        {
            var field = DraftField(names[table].name(name + "_" + ending, other: ending), .decimal, source: name)
            (field.unit, field.decimals) = bound == nil ? ("m", 1) : ("°", 7)
            (field.minimum, field.maximum) = (bound.map { -$0 }, bound)
            field.labels = labels.mapValues { $0 + " (" + ["lat.", "lon.", "alt."][piece] + ")" }
            field.reading = "{column: \(SuggestedYAML.quoted(column)), convert: [{split: \" \", piece: \(piece + 1)}]}"
            field.isRequired = bound != nil && Self.isYes(row["required"]) && relevants(row).isEmpty
            draft.tables[table].fields.append(field)
            if piece == 0, draft.tables[table].latitude == nil { draft.tables[table].latitude = field.name }
            if piece == 1, draft.tables[table].longitude == nil { draft.tables[table].longitude = field.name }
        }
    }

    private mutating func vocabulary(_ list: String, isOpen: Bool) -> String {
        let name = lists[list] ?? listNames.name(list, other: "list")
        if lists.updateValue(name, forKey: list) != nil,
            let known = draft.vocabularies.firstIndex(where: { $0.name == name })
        {
            if isOpen, !draft.vocabularies[known].values.contains(where: { $0.name == "other" }) {
                draft.vocabularies[known].values.append(.init(name: "other"))
            }
            return name
        }
        var values: [PackDraft.Vocabulary.Value] = []
        for row in choices[list] ?? [] {
            guard let value = row["name"], !values.contains(where: { $0.name == value }) else { continue }
            values.append(.init(name: value, labels: XLSFormSheet.texts(row, "label", own: own)))
        }
        if isOpen, !values.contains(where: { $0.name == "other" }) { values.append(.init(name: "other")) }
        draft.vocabularies.append(.init(name: name, values: values))
        return name
    }

    static func isYes(_ text: String?) -> Bool {
        ["yes", "true", "true()", "1", "sí", "si"].contains(text?.lowercased() ?? "")
    }

    // MARK: Conditions

    private mutating func finish() {
        for question in asked { readConditions(question) }
        // A record is identified by its first required text, or else by its first text.
        let texts = draft.tables[0].fields.filter { $0.type == .text && $0.vocabulary == nil && $0.notes.isEmpty }
        draft.tables[0].key = ((texts.first(where: \.isRequired) ?? texts.first).map { [$0.name] } ?? []) + ["id"]
        draft.vocabularies.removeAll { vocabulary in
            !draft.tables.contains { $0.fields.contains { $0.vocabulary == vocabulary.name } }
        }
        addPhotos()
        let found = Set(draft.tables.flatMap { [$0.labels.keys] + $0.fields.map(\.labels.keys) }.joined())
        draft.languages = [own] + Language.allCases.filter { $0 != own && found.contains($0) }
    }

    private mutating func readConditions(_ question: Asked) {
        guard let place = draft.tables[question.table].fields.firstIndex(where: { $0.name == question.field }) else {
            return
        }
        let table = draft.tables[question.table]
        var field = table.fields[place]
        let names = ConditionTerm.Names(own: field.name) { source in
            // Fields of lists and places do not have a single value that can be compared.
            table.fields.first { $0.source == source && $0.type != .list }.flatMap {
                table.latitude == $0.name || table.longitude == $0.name ? nil : $0
            }
        }
        if let text = question.row["constraint"] {
            let name = field.source
            let isOwn: (ConditionTerm) -> Bool = { $0 == .own || $0 == .field(name) }
            let rest = FormCondition.term(text).map { DraftLimits.add($0, to: &field, isOwn: isOwn) }
            if let rest, !rest.isEmpty, let requirement = Self.all(rest)?.expression(names) {
                let others = rest.flatMap(\.fields).compactMap { names.field($0)?.name }
                var rule = DraftTable.Rule(
                    code: codes.name(field.name + "_check", other: "check").uppercased().replacing("_", with: "-"),
                    field: field.name, requirement: requirement,
                    arguments: ([field.name] + others).reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
                rule.messages = XLSFormSheet.texts(question.row, "constraint_message", own: own)
                draft.tables[question.table].rules.append(rule)
            } else if rest?.isEmpty != true {
                field.notes.append(DraftNote("constraint", ["text": text]))
            }
        }
        if let required = question.row["required"], !["no", "false", "false()", "0"].contains(required.lowercased()) {
            let terms = ((Self.isYes(required) ? [] : [required]) + question.relevant).map(FormCondition.term)
            let known = terms.compactMap(\.self)
            if terms.isEmpty {
                field.isRequired = true
            } else if known.count == terms.count, let condition = Self.all(known)?.expression(names) {
                field.requiredWhen = condition
            } else {
                field.notes.append(DraftNote("required", ["text": question.relevant.joined(separator: " and ")]))
            }
        }
        draft.tables[question.table].fields[place] = field
    }

    private static func all(_ terms: [ConditionTerm]) -> ConditionTerm? {
        terms.first.map { terms.dropFirst().reduce($0) { .operation("and", $0, $1) } }
    }

    // MARK: Photos

    /// Adds a table of photos for each table with photo questions, and a vocabulary of them.
    private mutating func addPhotos() {
        for index in draft.tables.indices {
            let own = photos.filter { $0.table == index }
            guard !own.isEmpty else { continue }
            let outer = draft.tables[index]
            var table = DraftTable(tableNames.name(outer.name + "_photos", other: "photos"), source: outer.source)
            table.isPhotos = true
            var reference = DraftField(outer.name + "_id", .uuid)
            (reference.references, reference.isRequired, reference.deletesWithParent) = (outer.name, true, true)
            reference.labels = outer.labels
            reference.reading = index == 0 ? Self.identifier(0)
                : outer.reading == nil ? nil
                    : """
                        {parent: \(outer.name), by: {\(outer.fields[0].name): \(outer.fields[0].reading ?? ""), \
                        \(outer.fields[1].name): \(outer.fields[1].reading ?? "")}}
                        """
            var question = DraftField("question", .text)
            question.isRequired = true
            question.vocabulary = outer.name + "_photo_questions"
            draft.vocabularies.append(
                .init(
                    name: outer.name + "_photo_questions",
                    values: own.map { .init(name: $0.question, labels: $0.labels) }))
            table.fields = [reference, question]
            table.parent = DraftTable.Parent(table: outer.name, field: reference.name)
            (table.key, table.within) = (["file_name"], reference.name)
            if outer.reading != nil {
                table.readings = own.map { photo in
                    let read = SuggestedYAML.quoted(photo.column)
                    var reading = DraftTable.RowOrigin(table: outer.source)
                    reading.key = [reference.name, "file_name"]
                    reading.requires = [photo.column]
                    reading.photo = "{column: \(read)}"
                    reading.values = [
                        question.name: "{value: \(SuggestedYAML.quoted(photo.question))}", "file_name": read,
                    ]
                    return reading
                }
            }
            draft.tables.append(table)
        }
    }
}
