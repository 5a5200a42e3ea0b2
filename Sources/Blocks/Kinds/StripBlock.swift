package import Model

/// A column of layers without further columns.
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
            strata: try context.rows(layers.query, for: row).compactMap(layers.stratum), total: total.flatMap { row?.number($0) },
            water: water.flatMap { row?.number($0) }, millimetres: height)
    }
}

package struct StripContent: BlockContent {
    package var strata: [Stratum]
    package var total: Double?
    package var water: Double?
    package var millimetres: Double

    package init(strata: [Stratum], total: Double?, water: Double?, millimetres: Double) {
        self.strata = strata
        self.total = total
        self.water = water
        self.millimetres = millimetres
    }
}
