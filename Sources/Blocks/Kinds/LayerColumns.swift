package import Model

/// Names of the columns that describe a layer of soil. Depths are in metres.
struct LayerColumns: Sendable {
    let query: String
    private let from: String
    private let to: String
    private let symbol: String

    /// - Parameter query: the key with the query's name.
    init?(_ template: PackNode, query key: String) {
        guard let query = template.text(key), let from = template.text("from"), let to = template.text("to"),
            let symbol = template.text("symbol")
        else { return nil }
        self.query = query
        self.from = from
        self.to = to
        self.symbol = symbol
    }

    /// The limit of a plausible depth, in metres: a greater one cannot be drawn.
    static let deepest = 1000.0

    /// A row's stratum; nil if a depth is missing or beyond the limit.
    func stratum(_ row: ReportRow) -> Stratum? {
        guard let from = row.number(from), let to = row.number(to), abs(from) < Self.deepest, abs(to) < Self.deepest
        else { return nil }
        return Stratum(top: from, bottom: to, symbol: symbol(row))
    }

    func symbol(_ row: ReportRow) -> String { row.text(symbol) ?? "" }

    static func keys(of scope: BlockKey.Scope) -> [BlockKey] {
        [
            .required("from", .column(scope), "Column with the depth of a layer's top, in metres."),
            .required("to", .column(scope), "Column with the depth of a layer's bottom."),
            .required("symbol", .column(scope), "Column with the layer's symbol."),
        ]
    }

    /// Keys for the section row's values about the whole pit.
    static let pitKeys: [BlockKey] = [
        .optional("total", .column(.section), "The section's column with the whole depth."),
        .optional("water", .column(.section), "The section's column with the depth of water."),
    ]
}

/// A drawing of a pit's layers as one column, without the texts of a log.
struct StripBlock: Block {
    static let name = "strip"
    static let keys: [BlockKey] = [.query] + LayerColumns.keys(of: .query) + LayerColumns.pitKeys + [.height]

    private let layers: LayerColumns
    private let total: String?
    private let water: String?
    private let height: Double

    init?(_ template: PackNode) {
        guard let layers = LayerColumns(template, query: "query") else { return nil }
        self.layers = layers
        total = template.text("total")
        water = template.text("water")
        height = template.height ?? 100
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> StripContent? {
        StripContent(
            strata: try context.rows(layers.query, for: row).compactMap(layers.stratum),
            total: total.flatMap { row?.number($0) },
            water: water.flatMap { row?.number($0) }, millimetres: height)
    }
}

package struct StripContent: BlockContent {
    package var strata: [Stratum]
    package var total: Double?
    package var water: Double?
    package var millimetres: Double?

    package init(strata: [Stratum], total: Double?, water: Double?, millimetres: Double?) {
        self.strata = strata
        self.total = total
        self.water = water
        self.millimetres = millimetres
    }
}
