import Model

/// Puts a table's own name, columns and key where a mapping speaks of them (`{table: columns}`).
/// From then on they are read as if the mapping had named each column.
extension ImportMapping.Table {
    func bound(to table: ForeignTable) -> ImportMapping.Table {
        guard targets.contains(where: { $0.fields.contains(where: \.isOfTable) }) else { return self }
        var part = self
        let columns = table.columns ?? (try? HeadingSearch(table, self).heading(wanting: []).names) ?? []
        let named = columns.reduce(into: [String]()) { if !$1.allSatisfy(\.isWhitespace), !$0.contains($1) { $0.append($1) } }
        let key = table.key.isEmpty ? Array(named.prefix(1)) : table.key
        part.targets = targets.map { target in
            var target = target
            target.fields = target.fields.map { $0.bound(to: table.ownName, columns: named, key: key) }
            return target
        }
        return part
    }
}

extension ImportMapping.Field {
    var isOfTable: Bool {
        switch value {
        case .ofTable: true
        case .parent(_, let by), .identifier(let by), .object(let by), .merge(let by): by.contains(where: \.isOfTable)
        case .other(let other): other.by.contains(where: \.isOfTable)
        default: false
        }
    }

    fileprivate func bound(to name: String, columns: [String], key: [String]) -> ImportMapping.Field {
        func all(_ fields: [ImportMapping.Field]) -> [ImportMapping.Field] { fields.map { $0.bound(to: name, columns: columns, key: key) } }
        var field = self
        switch value {
        case .ofTable(.name): field.value = .constant(name)
        case .ofTable(.columns): field.value = .object(columns.map { ImportMapping.Field($0, .column([$0])) })
        case .ofTable(.key): field.value = .join(key, separator: " / ")
        case .parent(let entity, let by): field.value = .parent(entity: entity, by: all(by))
        case .identifier(let parts): field.value = .identifier(all(parts))
        case .object(let members): field.value = .object(all(members))
        case .merge(let parts): field.value = .merge(all(parts))
        case .other(var other):
            other.by = all(other.by)
            field.value = .other(other)
        default: break
        }
        return field
    }
}
