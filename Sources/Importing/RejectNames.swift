package import Model

/// The valid names in a rejected row: those of its file's columns, or of its table's fields.
package struct RejectNames {
    /// Names to be shown: those that the row has, or the fields that may be set.
    package let names: [String]
    private let accepted: Set<String>
    private let isOfColumns: Bool

    /// Nil where the names are unknown, as for rows of a mapping that the pack does not contain.
    package init?(in keys: [String], entity: String?, mapping address: String?, pack: Pack) {
        if let address, !address.hasPrefix("entity ") {
            guard let mapping = pack.mapping(MappingIdentity(ofAddress: address).name) else { return nil }
            // A row may end before its table's last column.
            let others = mapping.tables.flatMap(\.allHeadings) + mapping.forms.flatMap { form in
                form.values.map(\.name) + form.tables.flatMap { $0.columns.map(\.name) } + ImportMapping.FormTarget.photoColumns
            }
            (names, isOfColumns) = (keys, true)
            accepted = Set((keys + others).map(ColumnName.normal))
        } else {
            guard let entity = pack.entities.first(where: { $0.name == entity || $0.aliases.contains(entity ?? "") }) else { return nil }
            (names, isOfColumns) = (entity.fields.map(\.name), false)
            accepted = Set(keys + entity.fields.flatMap { [$0.name] + $0.otherNames })
        }
    }

    package func contains(_ name: String) -> Bool {
        isOfColumns ? accepted.contains(ColumnName.normal(name)) : accepted.contains(name) || RowStateName(name) != nil
    }
}
