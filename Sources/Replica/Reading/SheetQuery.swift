import Model

/// The query for one sheet of an export: rows of the selection, with values through references, in
/// an order that indexes supply.
struct SheetQuery {
    /// Everything after the columns of SELECT.
    private(set) var source: String
    private(set) var columns: [String]
    /// The sheet's rows without order and without joins that only supply values; used for counting
    /// and for the fingerprint.
    private(set) var rowSource: String

    /// Identifies one of the sheets that `forEach` of a sheet's definition creates.
    enum Each {
        /// The sheet of the row with this id, or of this value.
        case value(String)
        /// The sheet of the rows without a reference or value.
        case nothing
    }

    /// - Parameters:
    ///   - each: the sheet to query, if a `forEach` creates several.
    ///   - parameters: the parameters that replace each column which is defined by a schema.
    ///   - shown: how values are shown; default: words of vocabularies as they are stored.
    ///   - place: the place of the rows, whose latitude and longitude follow the sheet's columns.
    ///   - isPlain: whether the query is self-contained, over the plain table names.
    init(
        _ sheet: ExportSheet, entity: Entity, session: ReadSession, each: Each? = nil,
        parameters: [String: [ParameterColumn]] = [:], shown: SheetValueSQL? = nil,
        place: RecordKind.Place? = nil, isPlain: Bool = false
    ) {
        let pack = session.pack
        let shown = shown ?? SheetValueSQL(pack: pack)
        var joins = PathJoins(from: entity, pack: pack)
        let rows = Rows(sheet, entity: entity, session: session)
        rows.way.forEach { joins.seed($0.reference, alias: $0.alias, entity: $0.entity) }
        columns = sheet.columns.flatMap { column in
            Self.values(of: column, sheet, &joins, parameters: parameters, shown: shown)
        }
        if let place { columns += place.degrees(&joins) }
        let order = (rows.leading + Self.order(sheet, entity, &joins, pack)).joined(separator: ", ")
        let filter = ReadSession.filter(rows.conditions + Self.conditions(each, sheet, &joins))
        // The root's table comes first, then the tables from it down to the rows. CROSS JOIN
        // prevents SQLite from reversing the order and sorting a million rows.
        var from = ""
        var above: Rows.Owner?
        func add(_ entity: Entity, _ alias: String, keepsToProject: Bool) {
            from +=
                """
                \(keepsToProject && !isPlain ? session.views.everyProject(entity) : SQLText.name(entity.name)) AS \
                \(alias)
                """
            if let above { from += " ON \(alias).\(SQLText.name(above.reference.last ?? "id")) = \(above.alias).id" }
        }
        for owner in rows.way.reversed() {
            add(owner.entity, owner.alias, keepsToProject: owner.keepsToProject)
            from += " CROSS JOIN "
            above = owner
        }
        add(entity, PathJoins.rootAlias, keepsToProject: rows.keepsToProject)
        source = " FROM \(from)\(joins.sql)\(filter) ORDER BY \(order)"
        var plain = PathJoins(from: entity, pack: pack)
        rows.way.forEach { plain.seed($0.reference, alias: $0.alias, entity: $0.entity) }
        let plainFilter = ReadSession.filter(rows.conditions + Self.conditions(each, sheet, &plain))
        rowSource = " FROM \(from)\(plain.sql)" + plainFilter
    }

    var sql: String { "SELECT " + columns.joined(separator: ", ") + source }

    private static func conditions(_ each: Each?, _ sheet: ExportSheet, _ joins: inout PathJoins) -> [String] {
        guard let each, let path = sheet.forEach else { return [] }
        let isReference = joins.alias(of: path.parts.dropLast()).entity.field(path.parts.last ?? "")?.references != nil
        switch each {
        case .value(let value): return ["\(joins.column(path)) = \(SQLText.literal(value))"]
        case .nothing:
            return [
                isReference
                    ? "\(joins.alias(of: path.parts).alias).id IS NULL" : "coalesce(\(joins.column(path)), '') = ''"
            ]
        }
    }

    /// - Parameter shown: how values are shown; nil: as they are stored.
    static func values(
        of column: ExportColumn, _ sheet: ExportSheet, _ joins: inout PathJoins,
        parameters: [String: [ParameterColumn]] = [:], shown: SheetValueSQL?
    ) -> [String] {
        switch column {
        case .field(let path, _, _, _):
            let owner = joins.alias(of: path.parts.dropLast())
            let value = joins.column(path)
            guard let shown, let field = owner.entity.field(path.parts.last ?? "") else { return [value] }
            return [shown.sql(value, type: field.type, vocabulary: field.vocabulary)]
        case .number(let numbering, _, _):
            return [
                """
                (SELECT n.number FROM temp.numbers AS n WHERE n.numbering = \(SQLText.literal(numbering)) \
                AND n.row_id = t0.id)
                """
            ]
        case .count(let entity, let by, _, _):
            return ["(SELECT count(*) FROM \(joins.counted(entity, by: by)))"]
        case .parameters(let path, let scope):
            let value = joins.column(path)
            return (parameters[scope] ?? []).map {
                "parameter(\(value), \(SQLText.literal($0.key)), \(SQLText.literal($0.id ?? "")))"
            }
        }
    }

    /// The sheet's order: each parent's id comes after its last key, so that rows of parents with
    /// equal names do not mix. The row's id at the end makes the order total. The project's columns
    /// are equal for all rows and are omitted, so that indexes can supply the rest.
    static func order(_ sheet: ExportSheet, _ entity: Entity, _ joins: inout PathJoins, _ pack: Pack) -> [String] {
        var terms: [String] = []
        var last: (alias: String, entity: Entity)?
        for path in sheet.order {
            let owner = joins.alias(of: path.parts.dropLast())
            if owner.entity.name == pack.project.entity, owner.alias != PathJoins.rootAlias { continue }
            if let previous = last, previous.alias != owner.alias, previous.alias != PathJoins.rootAlias {
                terms.append(previous.alias + ".id")
            }
            terms.append(joins.column(path) + (sheet.descending.contains(path) ? " DESC" : ""))
            last = owner
        }
        if let previous = last, previous.alias != PathJoins.rootAlias { terms.append(previous.alias + ".id") }
        return terms + ["t0.id"]
    }

    /// The rows of the entity that belong to the sheet, and the tables from which the query starts.
    private struct Rows {
        /// A row that a part refers to, directly or through other rows.
        struct Owner {
            var alias: String
            var entity: Entity
            /// The path from the part to this row.
            var reference: [String]
            var keepsToProject: Bool
        }

        var conditions: [String] = []
        /// The rows that a part refers to, from the nearest row to the root.
        var way: [Owner] = []
        /// The project of the rows from which the query starts, equal for all. As the first term of
        /// the order, it makes SQLite choose the index that supplies the rest of the order.
        /// Statistics alone make all indexes on the project look alike.
        var leading: [String] = []
        /// Whether the conditions alone restrict the entity's rows to the selected project.
        var keepsToProject = false

        init(_ sheet: ExportSheet, entity: Entity, session: ReadSession) {
            guard let selection = session.selection else {
                conditions = ["0"]
                return
            }
            if sheet.rows == .project {
                if let path = entity.projectPath {
                    conditions = [
                        ReadSession.projectCondition(
                            path, alias: "t0", entity, session.pack, project: selection.project.id)
                    ]
                    keepsToProject = true
                }
            } else if entity.name == selection.root.name, sheet.rows == .record {
                conditions = session.selectedConditions(alias: "t0")
                keepsToProject = true
                leading = Self.project(entity, alias: "t0")
            } else if let part = selection.kind.parts.first(where: { $0.entity == entity.name }), !part.isList,
                sheet.rows == .record
            {
                way = Self.way(part.by.parts[...], from: entity, selection.root, session.pack)
                conditions = session.selectedConditions(alias: "r")
                leading = Self.project(selection.root, alias: "r")
                keepsToProject = Self.keepsToProject(entity, part.by.parts[...], selection.root)
            } else {
                conditions = ["t0.id IN (\(session.idsReached(entity.name)))"]
            }
        }

        private static func way(_ path: ArraySlice<String>, from part: Entity, _ root: Entity, _ pack: Pack) -> [Owner]
        {
            let owners = pack.owners(along: FieldPath(parts: Array(path)), from: part).dropFirst()
            return owners.enumerated().map { index, owner in
                Owner(
                    alias: "r\(index + 1)", entity: owner, reference: Array(path.prefix(index + 1)),
                    keepsToProject: keepsToProject(owner, path.dropFirst(index + 1), root))
            } + [Owner(alias: "r", entity: root, reference: Array(path), keepsToProject: true)]
        }

        /// Whether a row on a path is in its root's project: a part that refers to a project
        /// directly might refer to another project than its root does.
        private static func keepsToProject(_ entity: Entity, _ path: ArraySlice<String>, _ root: Entity) -> Bool {
            entity.projectPath?.parts == root.projectPath.map { path + $0.parts }
        }

        private static func project(_ entity: Entity, alias: String) -> [String] {
            guard let path = entity.projectPath, path.isLocal else { return [] }
            return [alias + "." + SQLText.name(path.parts[0])]
        }
    }
}

/// SQL for a value as the sheets of an export show it: a list as one text, and a computed number
/// with its column's decimals.
struct SheetValueSQL {
    let pack: Pack
    /// The language of the labels that replace a vocabulary's words; nil: the words are shown.
    var labels: Language?

    func sql(_ column: String, type: FieldType, vocabulary: String?) -> String {
        guard type == .list else { return label(of: column, vocabulary) ?? column }
        guard let label = label(of: "j.value", vocabulary) else { return "joined(\(column))" }
        let labels = "SELECT json_group_array(\(label)) FROM \(ReadSession.items(of: column)) AS j"
        return
            """
            CASE WHEN json_valid(\(column)) AND json_type(\(column)) = 'array' THEN joined((\(labels))) \
            ELSE \(column) END
            """
    }

    /// A column of a pack's query, with its name.
    func sql(_ column: QueryColumn) -> String {
        let name = SQLText.name(column.name)
        var value = sql(name, type: column.type, vocabulary: column.vocabulary)
        // Stored numbers keep all their digits, unless the column specifies fewer.
        if let decimals = column.roundedTo {
            value = "CASE typeof(\(value)) WHEN 'real' THEN round(\(value), \(decimals)) ELSE \(value) END"
        }
        return value == name ? name : value + " AS " + name
    }

    /// SQL for the label of a word; a value that is not in the vocabulary is not changed.
    private func label(of column: String, _ name: String?) -> String? {
        guard let labels, let vocabulary = name.flatMap({ pack.vocabulary($0) }) else { return nil }
        let cases = vocabulary.values.compactMap { value in
            let word = vocabulary.word(for: value, pack.texts, in: labels)
            return word == value ? nil : " WHEN \(SQLText.literal(value)) THEN \(SQLText.literal(word))"
        }
        return cases.isEmpty ? nil : "CASE \(column)\(cases.joined()) ELSE \(column) END"
    }
}

extension RecordKind.Place {
    /// SQL for the latitude and the longitude in degrees on WGS 84. Both are NULL for metres on
    /// another datum: they differ by hundreds of metres, and nothing says how.
    func degrees(_ joins: inout PathJoins) -> [String] {
        let columns = paths.map { joins.column($0) }
        guard case .grid(_, _, _, let datum) = self else { return columns }
        return ["utm_latitude", "utm_longitude"].map { function in
            let value = "\(function)(\(columns.joined(separator: ", ")))"
            guard let datum else { return value }
            return "CASE WHEN \(joins.column(datum)) = \(SQLText.literal(Self.worldDatum)) THEN \(value) END"
        }
    }
}
