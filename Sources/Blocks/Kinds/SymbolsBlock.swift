import Model

/// The symbols that a query's rows use, with their names.
struct SymbolsBlock: Block {
    static let name = "symbols"
    static let keys: [BlockKey] = [.query, .required("symbol", .column(.query), "Column with the symbols.")]

    private let query: String
    private let symbol: String

    init?(_ template: PackNode) {
        guard let query = template.text("query"), let symbol = template.text("symbol") else { return nil }
        self.query = query
        self.symbol = symbol
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> SymbolsContent? {
        guard let described = context.query(query)?.column(symbol) else { return nil }
        var seen: Set<String> = []
        let symbols = try context.rows(query, for: row).compactMap { row -> SymbolContent? in
            guard let symbol = row.text(symbol), seen.insert(symbol).inserted else { return nil }
            return SymbolContent(symbol: symbol, name: context.values.cell(.text(symbol), described).text)
        }.sorted { $0.symbol < $1.symbol }
        return symbols.isEmpty ? nil : SymbolsContent(symbols)
    }
}

package struct SymbolsContent: BlockContent {
    package var symbols: [SymbolContent]

    package init(_ symbols: [SymbolContent]) { self.symbols = symbols }
}

package struct SymbolContent: Sendable, Hashable {
    package var symbol: String
    package var name: String
    /// Whether the name is the symbol again: «RELLENO», «Relleno».
    package var saysNothingMore: Bool { name.lowercased() == symbol.lowercased() }
}
