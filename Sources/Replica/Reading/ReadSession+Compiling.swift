extension ReadSession {
    /// Why a query of the pack cannot be compiled, in SQLite's own words; nil: it can.
    ///
    /// - Parameter columns: those that are taken from its rows; empty: all.
    package func faults(inQuery sql: String, columns: [String]) -> String? {
        let names = columns.isEmpty ? "*" : columns.map(SQLText.name).joined(separator: ", ")
        return switch connection.compile(asked: "SELECT \(names) FROM (\(sql)\n)") {
        case .statement: nil
        case .nothing: "it is empty"
        case .several: "several statements"
        case .refused: "it does not only read the pack's tables"
        case .tooLarge: "too large"
        case .wrong(let reason): reason
        }
    }
}
