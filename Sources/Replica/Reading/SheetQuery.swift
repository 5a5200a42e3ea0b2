import Model

/// The query behind one sheet of an export: rows of the selection, values over references, in an order that indexes give.
struct SheetQuery {
    /// Everything after SELECT's columns.
    private(set) var source: String
    private(set) var columns: [String]
    /// The sheet's rows without order and without the joins that only lend values: for counting and for the fingerprint.
    private(set) var rowSource: String

    /// - Parameters:
    ///   - each: the id of the `forEach` row, when the sheet is one of several.
    ///   - parameters: the parameters in the place of each column that a schema gives.
    init(
        _ sheet: ExportSheet, entity: Entity, session: ReadSession, each: String? = nil,
        parameters: [String: [ParameterColumn]] = [:]
    ) {
        let pack = session.pack
        var joins = PathJoins(from: entity, pack: pack)
        let name = SQLText.name(entity.name)
        let rows = Rows(sheet, entity: entity, session: session)
        if let parent = rows.drivenBy { joins.seed(parent.by, alias: "r", entity: parent.entity) }
        columns = sheet.columns.flatMap { column in
            Self.values(of: column, sheet, &joins, parameters: parameters, project: session.selection?.project.id)
        }
        let order = Self.order(sheet, entity, &joins, pack)
        var conditions = rows.conditions
        if let each, let path = sheet.forEach { conditions.append("\(joins.column(path)) = \(SQLText.literal(each))") }
        let filter = ReadSession.filter(conditions)
        // The parent's table drives: CROSS JOIN keeps SQLite from turning the order round and sorting a million rows.
        let from = rows.drivenBy.map { "\(SQLText.name($0.entity.name)) AS r CROSS JOIN \(name) AS t0 ON t0.\(SQLText.name($0.by)) = r.id" }
            ?? "\(name) AS t0"
        source = " FROM \(from)\(joins.sql)\(filter) ORDER BY \(order)"
        var plain = PathJoins(from: entity, pack: pack)
        if let parent = rows.drivenBy { plain.seed(parent.by, alias: "r", entity: parent.entity) }
        var plainConditions = rows.conditions
        if let each, let path = sheet.forEach { plainConditions.append("\(plain.column(path)) = \(SQLText.literal(each))") }
        rowSource = " FROM \(from)\(plain.sql)" + ReadSession.filter(plainConditions)
    }

    var sql: String { "SELECT " + columns.joined(separator: ", ") + source }

    private static func values(
        of column: ExportColumn, _ sheet: ExportSheet, _ joins: inout PathJoins, parameters: [String: [ParameterColumn]], project: String?
    ) -> [String] {
        switch column {
        case .field(let path, _, _, _):
            let owner = joins.alias(of: path.parts.dropLast())
            let value = joins.column(path)
            return [owner.entity.field(path.parts.last ?? "")?.type == .list ? "joined(\(value))" : value]
        case .number(let numbering, _, _):
            return ["(SELECT n.number FROM temp.numbers AS n WHERE n.numbering = \(SQLText.literal(numbering)) AND n.row_id = t0.id)"]
        case .count(let entity, let by, _, _):
            return ["(SELECT count(*) FROM \(SQLText.name(entity)) AS k WHERE k.\(SQLText.name(by)) = t0.id)"]
        case .parameters(let path, let scope):
            let value = joins.column(path)
            return (parameters[scope] ?? []).map { "parameter(\(value), \(SQLText.literal($0.key)), \(SQLText.literal($0.id ?? "")))" }
        }
    }

    /// The sheet's order, each parent's id after its last key, so that equal names do not mix; the row's id at the end makes it total.
    /// What lies on the project is the same for all rows and is left out, so that indexes serve the rest.
    private static func order(_ sheet: ExportSheet, _ entity: Entity, _ joins: inout PathJoins, _ pack: Pack) -> String {
        var terms: [String] = []
        var last: (alias: String, entity: Entity)?
        for path in sheet.order {
            let owner = joins.alias(of: path.parts.dropLast())
            if owner.entity.name == pack.project.entity, owner.alias != PathJoins.rootAlias { continue }
            if let previous = last, previous.alias != owner.alias, previous.alias != PathJoins.rootAlias { terms.append(previous.alias + ".id") }
            terms.append(joins.column(path))
            last = owner
        }
        if let previous = last, previous.alias != PathJoins.rootAlias { terms.append(previous.alias + ".id") }
        return (terms + ["t0.id"]).joined(separator: ", ")
    }

    /// Which rows of the entity belong to the sheet, and which table drives the query.
    private struct Rows {
        var conditions: [String] = []
        var drivenBy: (entity: Entity, by: String)?

        init(_ sheet: ExportSheet, entity: Entity, session: ReadSession) {
            guard let selection = session.selection else {
                conditions = ["0"]
                return
            }
            if sheet.rows == .project {
                if let path = entity.projectPath {
                    conditions = [ReadSession.projectCondition(path, alias: "t0", entity, session.pack, project: selection.project.id)]
                }
            } else if entity.name == selection.root.name, sheet.rows == .record {
                conditions = session.selectedConditions(alias: "t0")
            } else if let part = selection.kind.parts.first(where: { $0.entity == entity.name }), !part.isList, sheet.rows == .record {
                drivenBy = (selection.root, part.by)
                conditions = session.selectedConditions(alias: "r")
            } else {
                conditions = ["t0.id IN (\(session.idsReached(entity.name)))"]
            }
        }
    }
}
