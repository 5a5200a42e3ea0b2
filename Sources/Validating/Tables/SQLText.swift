/// Pieces of SQL made from names and values, whatever characters these hold.
enum SQLText {
    static func name(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    /// A text as SQL; through hexadecimal when it could end the statement or the quotes early.
    static func literal(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "'") }) { return "'" + text + "'" }
        let digits = text.utf8.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        return "CAST(x'" + digits + "' AS TEXT)"
    }

    /// A list field's items as a table `j(value)`; text that is no JSON array has none instead of ending the query.
    static func items(of column: String) -> String {
        "json_each(CASE WHEN json_valid(\(column)) AND json_type(\(column)) = 'array' THEN \(column) ELSE '[]' END) AS j"
    }
}
