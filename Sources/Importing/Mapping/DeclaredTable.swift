import Model
import SQLReading

/// A table that a text declares, as the JSON Schema of its rows: a server may state at run time
/// which tables there are.
enum DeclaredTable {
    /// The schema of the one table that a `CREATE TABLE` statement declares: a member for each
    /// column. Types are those of SQLite (Datatypes, https://www.sqlite.org/datatype3.html, 3.1):
    /// numbers and texts are told apart, and days, which SQLite keeps as either, are both.
    static func schema(_ statement: String) throws(CellConversion.Misfit) -> String {
        guard let tables = try? DefinitionReader.read(statement).tables, tables.count == 1, !tables[0].columns.isEmpty else {
            throw CellConversion.Misfit(code: "IMPORT-NO-TABLE-STATEMENT")
        }
        let table = tables[0]
        let properties = table.columns.map { column in JSONMember(column.name, type(of: column) + #","title":"# + text(column.name)) }
        let required = table.columns.filter { $0.isRequired || table.primaryKey.contains($0.name) }.map { text($0.name) }
        return #"{"type":"object","title":"# + text(table.name) + #","properties":{"# + properties.map(\.text).joined(separator: ",") + #"},"required":["# + required.joined(separator: ",") + "]}"
    }

    private struct JSONMember {
        let text: String

        init(_ name: String, _ members: String) { text = DeclaredTable.text(name) + ":{" + members + "}" }
    }

    private static func text(_ text: String) -> String {
        var quoted = ""
        JSONString.append(text, to: &quoted)
        return quoted
    }

    private static func type(of column: TableDefinition.Column) -> String {
        let words = column.type
        func has(_ parts: String...) -> Bool { parts.contains { words.contains($0) } }
        if has("bool") { return #""type":"integer","minimum":0,"maximum":1"# }
        if has("date", "time") { return #""type":["string","number"]"# }
        if has("int") { return #""type":"integer""# }
        if has("char", "text", "clob") { return #""type":"string""# + (column.sizes.first.map { $0 > 0 ? ",\"maxLength\":\($0)" : "" } ?? "") }
        if has("real", "floa", "doub", "num", "dec") { return #""type":"number""# }
        return #""type":["string","number"]"#
    }
}
