import Importing
package import Model
import Replica

/// A workbook of an export as a form: people correct it, and `import` reads it again. Says which
/// columns may be changed, and by which column a row is known.
package struct CorrectionForm {
    private let session: WorkSession
    private let actor: Actor
    /// The export with a column of ids on each sheet of rows.
    package let definition: ExportDefinition

    package init(_ definition: ExportDefinition, for actor: Actor, in session: WorkSession) {
        (self.session, self.actor) = (session, actor)
        var form = definition
        for index in form.sheets.indices where Self.comesBack(form.sheets[index], of: form) {
            guard Self.idColumn(of: form.sheets[index]) == nil else { continue }
            form.sheets[index].columns.append(
                .field(FieldPath(parts: ["id"]), name: Self.addedID, label: nil, isLink: false))
        }
        self.definition = form
    }

    private static let addedID = "row_id"

    /// Whether the sheet's rows are those of a table, one for each row: only these can be changed.
    static func comesBack(_ sheet: ExportSheet, of definition: ExportDefinition) -> Bool {
        sheet.query == nil && sheet.suppression == nil && !definition.isAnonymous
    }

    /// Whether any sheet of an export can come back.
    package static func comesBack(_ definition: ExportDefinition) -> Bool {
        definition.sheets.contains { comesBack($0, of: definition) }
    }

    /// The name of the column that has the rows' ids.
    static func idColumn(of sheet: ExportSheet) -> String? {
        sheet.columns.lazy.compactMap { column in
            if case .field(let path, let name, _, _) = column, path.parts == ["id"] { name } else { nil }
        }.first
    }

    /// The fields of the sheet's rows by the names of the columns that change them. Other columns only show something.
    func fields(of sheet: ExportSheet) -> [String: Field] {
        guard Self.comesBack(sheet, of: definition), let entity = session.pack.entity(sheet.entity),
            mayChange(entity)
        else { return [:] }
        var fields: [String: Field] = [:]
        for case .field(let path, let name, _, _) in sheet.columns where path.parts.count == 1 {
            guard let field = entity.field(path.parts[0]), isOpen(field, of: entity) else { continue }
            fields[name] = field
        }
        return fields
    }

    private func mayChange(_ entity: Entity) -> Bool {
        switch entity.writer {
        case .people: actor.role.isEditor(of: entity)
        case .administrators: actor.role.permissions.contains(.administer)
        case .fichero, .claims: false
        }
    }

    /// Ids, places of files and what Fichero notes itself are never a person's to write, and shapes have no form that
    /// a cell can hold. A row's owner is named by its code, never by its id.
    private func isOpen(_ field: Field, of entity: Entity) -> Bool {
        let ofFile: [Entity.FileFact] = [.path, .name, .stored, .bytes, .sha256, .type, .width, .height]
        let kept = Set(["id", "created_at", "updated_at", "created_by"] + ofFile.compactMap { entity.file[$0] })
        guard !kept.contains(field.name), actor.sees(field, of: session.pack) else { return false }
        switch field.type {
        case .json, .point, .polygon, .uuid: return false
        case .list: return field.references == nil
        default: return true
        }
    }

    /// The path to a row's owner and the column that shows the owner's key; nil where no column does.
    func owner(of sheet: ExportSheet) -> (field: Field, column: String)? {
        guard let entity = session.pack.entity(sheet.entity), let first = entity.projectPath?.parts.first,
            let field = entity.field(first), let target = field.references.flatMap({ session.pack.entity($0) })
        else { return nil }
        for case .field(let path, let name, _, _) in sheet.columns {
            if path.parts.count == 2, path.parts[0] == first, target.key.contains(path.parts[1]) {
                return (field, name)
            }
        }
        return nil
    }

    /// The sheet with its locked and hidden columns and the column for actions.
    func marked(_ sheet: Sheet) -> Sheet {
        guard let described = definition.sheets.first(where: { $0.name == sheet.name }),
            Self.comesBack(described, of: definition)
        else { return sheet }
        let open = fields(of: described), owner = owner(of: described)?.column
        var locked: [String: String] = [:]
        for column in sheet.columns where open[column.name] == nil {
            locked[column.name] = session.text(column.name == owner ? "sheet.locked.owner" : "sheet.locked")
        }
        var marked = sheet
        marked.corrections = SheetCorrections(
            actionHeader: session.text("sheet.action"), actions: RowAction.allCases.map { session.text($0.textKey) },
            locked: locked, hidden: ids(of: described))
        return marked
    }

    /// The columns with ids of rows, which mean nothing to people.
    private func ids(of sheet: ExportSheet) -> Set<String> {
        guard let entity = session.pack.entity(sheet.entity) else { return [] }
        var names: Set<String> = []
        for case .field(let path, let name, _, _) in sheet.columns
        where session.pack.field(at: path, from: entity)?.type == .uuid {
            names.insert(name)
        }
        return names
    }
}

/// What a person says, in the last column, is to become of a row.
enum RowAction: String, CaseIterable {
    case delete, new

    var textKey: String { "sheet.action." + rawValue }

    /// The action that a cell says in any language.
    init?(_ text: String, _ texts: Texts) {
        let said = ColumnName.folded(text)
        guard let action = Self.allCases.first(where: { action in
            action.rawValue == said || Language.allCases.contains { language in
                texts.textIfAny(action.textKey, in: language).map(ColumnName.folded) == said
            }
        }) else { return nil }
        self = action
    }
}
