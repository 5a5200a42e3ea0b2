/// Reads `CREATE TABLE`, `ALTER TABLE … ADD`, `CREATE TYPE … AS ENUM`, `CREATE UNIQUE INDEX` and
/// `COMMENT ON`. Understands the forms of SQLite (Data Definition,
/// https://www.sqlite.org/lang_createtable.html) and PostgreSQL 15 (SQL Commands). All other
/// statements are skipped. Nothing is executed.
package struct DefinitionReader {
    let tokens: [SQLToken]
    private let lines: [Int]
    var index = 0
    var end = 0
    var result = DatabaseDefinition()
    /// Tables by their names in lower case, including the schema if it is written.
    var places: [String: Int] = [:]
    /// The schema of the last name read.
    var qualifier: String?
    /// Indexes in `result.tables` of tables that a later statement dropped.
    var gone: Set<Int> = []
    /// Whether a table was created with its schema's name.
    private var isQualified: [Int: Bool] = [:]

    private static let maximumTables = 10_000
    static let maximumColumns = 2_000
    /// Words that end the type of a column.
    private static let afterType: Set<String> = [
        "constraint", "primary", "not", "null", "unique", "check", "default", "collate", "references", "generated",
        "as", "autoincrement", "on", "storage", "compression",
    ]

    /// Reads the declarations of a text's statements, in the order of the text.
    package static func read(_ text: String) throws(SQLMistake) -> DatabaseDefinition {
        var reader = DefinitionReader(try SQLTokens(text))
        try reader.readAll()
        let gone = reader.gone
        reader.result.tables = reader.result.tables.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
        return reader.result
    }

    private init(_ tokens: SQLTokens) { (self.tokens, lines) = (tokens.tokens, tokens.lines) }

    private mutating func readAll() throws(SQLMistake) {
        while index < tokens.count {
            end = statementEnd(index)
            let next = end + 1
            try readStatement()
            index = next
        }
    }

    /// Index of the semicolon that ends a statement, skipping those within a trigger's body.
    private func statementEnd(_ begin: Int) -> Int {
        let isTrigger =
            tokens[begin].isWord("create")
            && tokens[begin..<min(begin + 4, tokens.count)].contains { $0.isWord("trigger") }
        var position = begin, isBody = false
        while position < tokens.count {
            if isTrigger, tokens[position].isWord("begin") { isBody = true }
            if tokens[position] == .sign(";"), !isBody || (position > begin && tokens[position - 1].isWord("end")) {
                return position
            }
            position += 1
        }
        return tokens.count
    }

    // MARK: Pieces

    var token: SQLToken? { index < end ? tokens[index] : nil }

    func mistake(_ expected: String) -> SQLMistake {
        .unexpected(
            line: lines[min(max(index, 0), lines.count - 1)], found: token?.written ?? "the end", expected: expected)
    }

    /// Moves past these words if they come next; returns whether they did.
    mutating func has(_ words: String...) -> Bool {
        guard index + words.count <= end, zip(words, tokens[index...]).allSatisfy({ $1.isWord($0) }) else {
            return false
        }
        index += words.count
        return true
    }

    mutating func hasSign(_ sign: String) -> Bool {
        guard token == .sign(sign) else { return false }
        index += 1
        return true
    }

    /// Reads a name, without its schema.
    mutating func name() throws(SQLMistake) -> String {
        // SQLite also accepts a text as a name.
        guard var name = token?.identifier ?? textName else { throw mistake("a name") }
        index += 1
        qualifier = nil
        while hasSign(".") {
            guard let next = token?.identifier ?? textName else { throw mistake("a name") }
            qualifier = name
            name = next
            index += 1
        }
        return name
    }

    private var textName: String? { if case .text(let text) = token { text } else { nil } }

    private func key(_ name: String) -> String { (qualifier.map { $0 + "." } ?? "").lowercased() + name.lowercased() }

    /// Index of the table with the last name read. In a dump, some statements include the schema in
    /// the name and others omit it.
    func place(_ name: String) -> Int? {
        places[key(name)]
            ?? (qualifier == nil ? nil : places[name.lowercased()].flatMap { isQualified[$0] == true ? nil : $0 })
    }

    mutating func names() throws(SQLMistake) -> [String] {
        guard hasSign("(") else { throw mistake("(") }
        var names: [String] = []
        repeat {
            names.append(try name())
            // Skips an order, a collation, or an operator class.
            skip(to: ",", ")")
        } while hasSign(",")
        guard hasSign(")") else { throw mistake(")") }
        return names
    }

    /// Moves to the next of some signs, or to the statement's end.
    mutating func skip(to signs: String...) {
        while let token, !signs.contains(where: { token == .sign($0) }) { index += 1 }
    }

    /// Reads what is between brackets, without the brackets.
    mutating func bracketed() throws(SQLMistake) -> [SQLToken] {
        guard hasSign("(") else { throw mistake("(") }
        let begin = index
        var depth = 1
        while let token {
            if token == .sign("(") { depth += 1 }
            if token == .sign(")") { depth -= 1 }
            index += 1
            if depth == 0 { return Array(tokens[begin..<index - 1]) }
        }
        throw mistake(")")
    }

    // MARK: Statements

    private mutating func readStatement() throws(SQLMistake) {
        if has("create") {
            while has("temp") || has("temporary") || has("unlogged") || has("global") || has("local")
                || has("or", "replace") || has("materialized") || has("recursive")
            {}
            if has("table") { return try readTable() }
            if has("type") { return try readType() }
            if has("unique", "index") { return try readUniqueIndex() }
            if has("virtual", "table") || has("view") || has("domain") {
                let kind = tokens[index - 1].written.lowercased()
                _ = has("if", "not", "exists")
                result.others.append(kind + " " + (try name()))
            }
        } else if has("alter", "table") {
            try readAlteration()
        } else if has("drop", "table") {
            try readDrop()
        } else if has("comment", "on") {
            try readComment()
        }
    }

    private mutating func readTable() throws(SQLMistake) {
        _ = has("if", "not", "exists")
        var table = TableDefinition(name: try name())
        let (own, schema) = (key(table.name), qualifier)
        guard token == .sign("(") else {
            // The table copies a query, or is a partition, so it has no column list.
            result.others.append("table " + table.name)
            return
        }
        index += 1
        repeat {
            if try readConstraint(into: &table) { continue }
            if has("like") {
                _ = try name()
                skip(to: ",", ")")
                continue
            }
            guard table.columns.count < Self.maximumColumns else {
                throw .tooLarge(limit: "\(Self.maximumColumns) columns")
            }
            try readColumn(into: &table)
        } while hasSign(",")
        guard hasSign(")") else { throw mistake(")") }
        guard result.tables.count < Self.maximumTables else { throw .tooLarge(limit: "\(Self.maximumTables) tables") }
        let bare = table.name.lowercased()
        if let known = places[own] {
            result.tables[known] = table
            gone.remove(known)
        } else if places[bare] != nil {
            // Another schema has a table of this name.
            result.others.append("table " + (schema.map { $0 + "." } ?? "") + table.name)
        } else {
            (places[own], places[bare]) = (result.tables.count, result.tables.count)
            isQualified[result.tables.count] = schema != nil
            result.tables.append(table)
        }
    }

    mutating func readColumn(into table: inout TableDefinition) throws(SQLMistake) {
        var column = TableDefinition.Column(name: try name())
        var words: [String] = []
        while let identifier = token?.identifier, !(Self.afterType.contains(identifier.lowercased()) && isWord) {
            index += 1
            // The schema of a type is ignored.
            if hasSign(".") { continue }
            words.append(identifier.lowercased())
            if token == .sign("(") {
                column.sizes = try bracketed().compactMap { if case .number(let text) = $0 { Int(text) } else { nil } }
            }
        }
        column.type = words.joined(separator: " ")
        while hasSign("[") {
            column.isArray = true
            skip(to: "]")
            _ = hasSign("]")
        }
        if column.type.hasSuffix(" array") { (column.isArray, column.type) = (true, String(column.type.dropLast(6))) }
        try readColumnConstraints(of: &column, into: &table)
        table.columns.append(column)
    }

    private var isWord: Bool { if case .word = token { true } else { false } }

    private mutating func readColumnConstraints(
        of column: inout TableDefinition.Column, into table: inout TableDefinition
    ) throws(SQLMistake) {
        while let next = token, next != .sign(","), next != .sign(")") {
            if has("constraint") {
                _ = try name()
            } else if has("primary", "key") {
                table.primaryKey = [column.name]
                column.isRequired = true
            } else if has("not", "null") {
                column.isRequired = true
            } else if has("unique") {
                column.isUnique = true
            } else if has("check") {
                table.checks.append(try bracketed())
            } else if has("references") {
                table.references.append(try reference(from: [column.name]))
            } else if has("generated", "always", "as") || has("as") {
                // An identity column's number is stored; other generated values are computed.
                if !has("identity") {
                    column.isGenerated = true
                    _ = try bracketed()
                } else if token == .sign("(") {
                    _ = try bracketed()
                }
            } else if next == .sign("(") {
                _ = try bracketed()
            } else if next == .sign("[") {
                skip(to: "]")
                _ = hasSign("]")
            } else {
                index += 1
            }
        }
    }

    private mutating func reference(from columns: [String]) throws(SQLMistake) -> TableDefinition.Reference {
        let table = try name()
        let targets = token == .sign("(") ? try names() : []
        var isCascading = false
        while true {
            if has("on", "delete") {
                isCascading = skipAction() == "cascade"
            } else if has("on", "update") {
                _ = skipAction()
            } else if has("match") {
                index += 1
            } else {
                return TableDefinition.Reference(
                    columns: columns, table: table, targets: targets, isCascading: isCascading)
            }
        }
    }

    /// Skips and returns an action: `cascade`, `restrict`, `set null`, `no action`.
    private mutating func skipAction() -> String {
        let action = token?.identifier?.lowercased() ?? ""
        index += action == "set" || action == "no" ? 2 : 1
        return action
    }

    /// Reads a constraint of the table; returns false, and reads nothing, if there is none.
    mutating func readConstraint(into table: inout TableDefinition) throws(SQLMistake) -> Bool {
        let begin = index
        if has("constraint") { _ = try name() }
        if has("primary", "key") {
            // The columns are those of an existing index, which this reader does not know.
            if has("using", "index") { _ = try name() } else { table.primaryKey = try names() }
        } else if has("unique") {
            _ = has("nulls", "not", "distinct") || has("nulls", "distinct")
            if has("using", "index") { _ = try name() } else { table.uniques.append(try names()) }
        } else if has("foreign", "key") {
            let columns = try names()
            guard has("references") else { throw mistake("REFERENCES") }
            table.references.append(try reference(from: columns))
        } else if has("check") {
            table.checks.append(try bracketed())
        } else if index + 1 < end, tokens[index + 1].isWord("using") || tokens[index + 1] == .sign("("), has("exclude")
        {
            skip(to: "(")
            _ = try bracketed()
        } else {
            index = begin
            return false
        }
        skipToComma()
        return true
    }

    /// Moves to the next comma, or to the bracket that ends the list.
    mutating func skipToComma() {
        var depth = 0
        while let token, depth > 0 || (token != .sign(",") && token != .sign(")")) {
            if token == .sign("(") { depth += 1 }
            if token == .sign(")") { depth -= 1 }
            index += 1
        }
    }
}
