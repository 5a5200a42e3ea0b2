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

/// The fields to which the values of a rejected row would go, by the names of its columns: a value
/// has the class of its field also while it waits.
package struct RejectColumns {
    /// Names, or patterns of them with `*`.
    private var known: [(name: String, field: Field)] = []

    /// - Parameters:
    ///   - address: of the mapping by which the row was read; nil: by names of fields.
    ///   - pack: with that mapping; without it no column is known.
    package init(entity: String?, mapping address: String?, in pack: Pack) {
        if let address, !address.hasPrefix("entity ") {
            let identity = MappingIdentity(ofAddress: address)
            guard let mapping = pack.mapping(identity.text) ?? pack.mapping(identity.name) else { return }
            for target in mapping.tables.flatMap(\.targets) + mapping.forms.flatMap(\.rows).map(\.target) {
                for field in target.fields { add(field, of: pack.entity(target.entity), pack) }
            }
        } else {
            let entity = pack.entities.first { $0.name == entity || $0.aliases.contains(entity ?? "") }
            for field in entity?.fields ?? [] {
                known += ([field.name] + field.otherNames + field.synonyms).map { ($0, field) }
            }
        }
    }

    private mutating func add(_ read: ImportMapping.Field, of entity: Entity?, _ pack: Pack) {
        // A record is found by values of its own.
        if case .parent(let owner, let by) = read.value { by.forEach { add($0, of: pack.entity(owner), pack) } }
        guard let field = entity?.field(read.name) else { return }
        known += read.headings.map { ($0.replacing("{n}", with: "*"), field) }
    }

    /// Empty: the column goes nowhere, or nobody knows where.
    package func fields(of column: String) -> [Field] {
        known.filter { ColumnName.matches(column, $0.name) }.map(\.field)
    }
}
