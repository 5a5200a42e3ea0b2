/// The columns of an export's sheet, known before any row is read and the same for writers, XSD and
/// descriptions.
extension Pack {
    /// The columns of an export's sheet, in order. `nil` is the place of columns that depend on
    /// data: the reader of a family's schema inserts them.
    ///
    /// - Parameters:
    ///   - isAnonymous: whether fields are shown as their `Anonymity` requires.
    ///   - labelled: whether words of vocabularies are shown by their labels.
    package func columns(
        of sheet: ExportSheet, in language: Language, isAnonymous: Bool = false, labelled: Bool = false
    ) -> [SheetColumn?] {
        if let query = sheet.query { return query.columns.map { queryColumn($0, language, labelled: labelled) } }
        guard let entity = entity(sheet.entity) else { return [] }
        return sheet.columns.map { column in
            switch column {
            case .field(let path, let name, let label, let isLink):
                var shown = fieldColumn(
                    path, from: entity, name: name, label: label, isLink: isLink, language, labelled: labelled)
                if isAnonymous,
                    let kind = ownerAndField(at: path, from: entity).flatMap({ anonymity(of: $0.1).sheetKind })
                {
                    shown?.kind = kind
                }
                return shown
            case .number(_, let name, let label):
                return SheetColumn(
                    name: name, label: texts.text(label ?? "label." + name, in: language), kind: .integer)
            case .count(_, _, let name, let label):
                return SheetColumn(
                    name: name, label: texts.text(label ?? "label." + name, in: language), kind: .integer)
            case .parameters:
                return nil
            }
        }
    }

    private func fieldColumn(
        _ path: FieldPath, from entity: Entity, name: String, label: String?, isLink: Bool, _ language: Language,
        labelled: Bool
    ) -> SheetColumn? {
        guard let (owner, field) = ownerAndField(at: path, from: entity) else { return nil }
        let vocabulary = choices(field.vocabulary, field.type)
        var column = SheetColumn(
            name: name, label: texts.text(label ?? owner.textKey(of: field), in: language), unit: field.unit,
            kind: isLink ? .link : field.type.sheetKind(decimals: field.decimals),
            options: options(vocabulary, labelled ? language : nil),
            isClosed: vocabulary != nil && vocabulary?.alsoPattern == nil,
            expectedWidth: field.maximumLength, joint: joint(path, owner, field))
        column.isJSON = field.type.isJSON
        column.isOfKey = owner.key.contains(field.name)
        return column
    }

    private func queryColumn(_ column: QueryColumn, _ language: Language, labelled: Bool) -> SheetColumn {
        let vocabulary = choices(column.vocabulary, column.type)
        var shown = SheetColumn(
            name: column.name, label: texts.text(column.labelKey, in: language), unit: column.unit,
            kind: column.type.sheetKind(decimals: column.decimals),
            options: options(vocabulary, labelled ? language : nil),
            isClosed: vocabulary != nil && vocabulary?.alsoPattern == nil)
        shown.isJSON = column.type.isJSON
        return shown
    }

    /// The vocabulary of a cell with a single word. Nil for lists, whose cells join several words.
    private func choices(_ name: String?, _ type: FieldType) -> Vocabulary? {
        type == .list ? nil : name.flatMap { vocabulary($0) }
    }

    private func options(_ vocabulary: Vocabulary?, _ labels: Language?) -> [String] {
        guard let vocabulary, let labels else { return vocabulary?.values ?? [] }
        return vocabulary.values.map { vocabulary.word(for: $0, texts, in: labels) }
    }

    private func joint(_ path: FieldPath, _ owner: Entity, _ field: Field) -> SheetColumn.Joint? {
        let isOwn = path.parts.count == 1
        if isOwn, field.type != .list, let target = field.references { return .reference(entity: target, field: "id") }
        guard field.name == "id" || (owner.key == [field.name] && owner.keyScope == nil) else { return nil }
        return isOwn ? .key(field: field.name) : .reference(entity: owner.name, field: field.name)
    }

    /// The field at the end of a path, and its entity.
    package func ownerAndField(at path: FieldPath, from entity: Entity) -> (Entity, Field)? {
        var owner = entity
        for part in path.parts.dropLast() {
            guard let target = owner.field(part)?.references, let next = self.entity(target) else { return nil }
            owner = next
        }
        guard let last = path.parts.last, let field = owner.field(last) else { return nil }
        return (owner, field)
    }
}

extension FieldType {
    /// Whether its values are stored as JSON text. A sheet writes a list as one plain text instead.
    var isJSON: Bool { self == .json || self == .point || self == .polygon }

    /// How a sheet shows values of this type.
    package func sheetKind(decimals: Int?) -> SheetColumn.Kind {
        switch self {
        case .integer: .integer
        case .decimal: .decimal(decimals: decimals)
        case .boolean: .boolean
        case .date: .date
        case .time: .time
        case .datetime: .dateTime
        case .text, .uuid, .json, .point, .polygon, .list: .text
        }
    }
}

extension Pack {
    /// The name of one row of an export's sheet in XML: the entity's first alias in lower case,
    /// which is its singular (`calicata`), else the name of the table, or of the sheet of a query,
    /// with the suffix `_row`.
    package func rowName(of sheet: ExportSheet) -> String {
        if sheet.query != nil { return sheet.name + "_row" }
        let alias = entity(sheet.entity)?.aliases.first { alias in alias.allSatisfy { $0.isLowercase || $0 == "_" } }
        return alias ?? sheet.entity + "_row"
    }
}
