import GRDB
import Model

/// Checks of names, owners and references.
extension Judge {
    /// Refuses to empty a row's name or the reference to its owner: without them the row could not
    /// be found.
    func judgeOwners(_ entity: Entity, _ rows: EntityRows) throws {
        // A file that may not update rows cannot empty a value; it only causes conflicts.
        guard request.origin == .person || request.policy.updates else { return }
        let names = Set(entity.key + [entity.keyScope, entity.projectPath?.parts.first].compactMap(\.self)).subtracting(
            ["id"])
        for field in entity.fields where names.contains(field.name) && field.isRequired {
            let isEmptied = "\(isStated(field, entity)) AND s.\(StagedEntity.column(field)) IS NULL"
            let isNew = request.origin == .person ? " OR t.id IS NULL AND s.\(StagedEntity.column(field)) IS NULL" : ""
            try refuse(
                "CHANGE-REQUIRED", field: field.name, ["field": SQLText.literal(field.name)],
                """
                \(joined(rows)) WHERE t.id IS NOT NULL AND \(isEmptied) \
                AND t.\(SQLText.name(field.name)) IS NOT NULL\(isNew)
                """
            )
        }
    }

    /// Refuses rows that the replica does not have, where the file may only update.
    func judgeNew(_ entity: Entity, _ rows: EntityRows) throws {
        guard request.policy == .updateOnly else { return }
        try refuse(
            "IMPORT-NOT-HERE", field: entity.key.last ?? "id", ["name": SQLText.literal(entity.name)],
            "\(joined(rows)) WHERE t.id IS NULL")
    }

    /// Refuses a name that another row has. Files may still import duplicate records, which
    /// validation reports. But two projects with one code, or two profiles with one address, could
    /// not be distinguished.
    func judgeKeys(_ entity: Entity, _ rows: EntityRows) throws {
        guard request.origin == .person || entity.name == pack.project.entity || entity.name == "profiles" else {
            return
        }
        var keys = entity.key.isEmpty ? [] : [Key(entity, entity.keyScope, entity.key)]
        for field in entity.fields {
            switch field.uniqueness {
            case nil: break
            case .replica: keys.append(Key(entity, nil, [field.name]))
            case .within(let scope): keys.append(Key(entity, scope, [field.name]))
            }
        }
        for key in keys {
            // A profile that `init` created is a stand-in for a profile that arrives later.
            let isOther = entity.name == "profiles" && request.origin == .file ? " AND NOT \(StandIns.isOne("o"))" : ""
            try refuse(
                "CHANGE-KEY", field: key.field, ["name": SQLText.literal(entity.name)],
                """
                \(rows.staged) AS s LEFT JOIN \(rows.table) AS t ON t.id = s.f_id
                WHERE EXISTS (SELECT 1 FROM \(rows.table) AS o WHERE \(key.isSame) AND o.id <> s.f_id\(isOther))
                  AND (\(Key.areStated(key.columns).joined(separator: " OR ")))
                """)
            try refuse(
                "CHANGE-KEY", field: key.field, ["name": SQLText.literal(entity.name)],
                """
                (SELECT s.n, s.f_id, first_value(s.f_id) OVER (PARTITION BY \(key.values) ORDER BY s.n) AS first
                 FROM \(rows.staged) AS s LEFT JOIN \(rows.table) AS t ON t.id = s.f_id
                 WHERE \
                \(Key.areStated(key.fields).joined(separator: " AND "))) \
                AS s WHERE s.f_id <> s.first
                """)
        }
    }

    /// The fields that name a row, as SQL. The staged rows are `s`, the same rows in the replica
    /// `t`, and other rows `o`.
    private struct Key {
        let fields: [String]
        let columns: [String]
        /// The column whose normalized form is stored beside it.
        private let textColumn: String?

        init(_ entity: Entity, _ scope: String?, _ fields: [String]) {
            self.fields = fields
            columns = (scope.map { [$0] } ?? []) + fields
            textColumn = entity.keyText?.name
        }

        /// The field at which a refusal is reported.
        var field: String { fields.last ?? "id" }

        /// Conditions: the change states values for these columns.
        static func areStated(_ columns: [String]) -> [String] {
            columns.map { "s.\(SQLText.name("f_" + $0)) IS NOT NULL" }
        }

        /// Condition: the other row has the name that the staged row will have.
        var isSame: String {
            // Mail addresses are compared without regard to case.
            let folds = { (text: String) in columns == ["email"] ? "lower(\(text))" : text }
            return columns.map { (column: String) -> String in
                let name = SQLText.name(column), value = "coalesce(s.\(SQLText.name("f_" + column)), t.\(name))"
                guard column == textColumn, column != "email" else {
                    return "\(folds("o." + name)) = \(folds(value))"
                }
                let form =
                    """
                    CASE WHEN s.\(SQLText.name("f_" + column)) IS NULL THEN coalesce(t.\(KeyText.column), t.\(name)) \
                    ELSE coalesce(s.\(KeyText.column), \(value)) END
                    """
                return "(o.\(name) = \(form) OR o.\(KeyText.column) = \(form))"
            }.joined(separator: " AND ")
        }

        /// The values of the name that the staged row will have.
        var values: String {
            columns.map { (column: String) -> String in
                let staged = "s." + SQLText.name("f_" + column), here = "t." + SQLText.name(column)
                guard column == textColumn else { return "coalesce(\(staged), \(here))" }
                return
                    """
                    CASE WHEN \(staged) IS NULL THEN coalesce(t.\(KeyText.column), \(here)) \
                    ELSE coalesce(s.\(KeyText.column), \(staged)) END
                    """
            }.joined(separator: ", ")
        }
    }

    /// Refuses a person's references to records of other projects, except the row's owner. Files
    /// are accepted as they are: a device's catalogue may belong to another project.
    func judgeReferences(_ entity: Entity, _ rows: EntityRows) throws {
        guard request.origin == .person, let first = entity.projectPath?.parts.first, first != "id" else { return }
        let project = "coalesce(\(statedProject(entity, first)), \(RowProject(of: entity, in: pack).expression("t")))"
        for field in entity.fields where field.name != first && field.type != .list {
            guard let target = field.references.flatMap({ pack.entity($0) }), target.projectPath != nil,
                target.name != pack.project.entity
            else { continue }
            try refuse(
                "CHANGE-OTHER-PROJECT", field: field.name, ["field": SQLText.literal(field.name)],
                """
                \(rows.staged) AS s LEFT JOIN \(rows.table) AS t ON t.id = s.f_id \
                JOIN main.\(SQLText.name(target.name)) AS r ON r.id = s.\(StagedEntity.column(field))
                WHERE \(project) <> \(RowProject(of: target, in: pack).expression("r"))
                """)
        }
    }
}
