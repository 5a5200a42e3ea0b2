// Later statements about tables that earlier statements created.

extension DefinitionReader {
    mutating func readAlteration() throws(SQLMistake) {
        _ = has("if", "exists")
        _ = has("only")
        let name = try name()
        guard let place = place(name), !gone.contains(place) else { return }
        // The table is removed from the list meanwhile, so that it is changed without a copy.
        var table = result.tables[place]
        result.tables[place] = TableDefinition(name: name)
        defer { result.tables[place] = table }
        repeat {
            if has("add") {
                if try readConstraint(into: &table) { continue }
                _ = has("column")
                _ = has("if", "not", "exists")
                guard table.columns.count < Self.maximumColumns else {
                    throw .tooLarge(limit: "\(Self.maximumColumns) columns")
                }
                try readColumn(into: &table)
            } else if has("attach", "partition") {
                // The partition's rows belong to the whole table.
                let part = try self.name()
                if let other = self.place(part), other != place { gone.insert(other) }
                return
            } else if has("rename", "to") {
                table.name = try self.name()
                (places[table.name.lowercased()], places[name.lowercased()]) = (place, nil)
            } else if has("rename") {
                _ = has("column")
                let former = try self.name()
                guard has("to") else { return }
                table.rename(former, to: try self.name())
            } else if has("drop") {
                guard has("column") || token?.isWord("constraint") == false else { return skipToComma() }
                _ = has("if", "exists")
                table.drop(try self.name())
                skipToComma()
            } else if has("alter") {
                _ = has("column")
                let column = try self.name()
                if has("set", "not", "null"), let at = table.columns.firstIndex(where: { $0.name == column }) {
                    table.columns[at].isRequired = true
                }
                skipToComma()
            } else {
                skipToComma()
            }
        } while hasSign(",")
    }

    mutating func readDrop() throws(SQLMistake) {
        _ = has("if", "exists")
        repeat {
            let name = try name()
            if let place = place(name) {
                gone.insert(place)
                places = places.filter { $0.value != place }
            }
        } while hasSign(",")
    }

    mutating func readType() throws(SQLMistake) {
        let name = try name()
        guard has("as", "enum") else { return }
        result.enumerations[name.lowercased()] = try bracketed().compactMap {
            if case .text(let text) = $0 { text } else { nil }
        }
    }

    /// A unique index over plain columns without a condition counts as a UNIQUE constraint.
    mutating func readUniqueIndex() throws(SQLMistake) {
        while index < end, !tokens[index].isWord("on") { index += 1 }
        guard has("on") else { return }
        _ = has("only")
        let name = try name()
        if has("using") { index += 1 }
        guard let place = place(name), token == .sign("(") else { return }
        let pieces = try bracketed()
        guard token == nil, !pieces.contains(.sign("(")) else { return }
        let columns = pieces.split(separator: .sign(",")).compactMap { $0.first?.identifier }
        if !columns.isEmpty { result.tables[place].uniques.append(columns) }
    }

    mutating func readComment() throws(SQLMistake) {
        let isColumn = has("column")
        guard isColumn || has("table") else { return }
        var parts: [String] = []
        repeat {
            guard let part = token?.identifier else { throw mistake("a name") }
            parts.append(part)
            index += 1
        } while hasSign(".")
        guard has("is"), case .text(let comment) = token else { return }
        let names = isColumn ? Array(parts.suffix(2)) : Array(parts.suffix(1))
        qualifier = parts.count > names.count ? parts[parts.count - names.count - 1] : nil
        guard let place = place(names[0]) else { return }
        if !isColumn { result.tables[place].comment = comment }
        if isColumn, names.count == 2, let at = result.tables[place].columns.firstIndex(where: { $0.name == names[1] })
        {
            result.tables[place].columns[at].comment = comment
        }
    }
}
