package import Model

/// The body of an excavation log: a depth scale, with everything beside it at its depth.
struct LogBlock: Block {
    static let name = "log"
    static let keys: [BlockKey] = [.query] + LayerColumns.keys(of: .query) + LayerColumns.pitKeys + [
        .optional("number", .column(.query), "Column with the layer's number."),
        .required("description", .value(ReportValue.object(.query), .query), "What is said of the layer."),
        .optional("sample", .column(.query), "Column with the sample's name."),
        .optional("sampleDepth", .column(.query), "Column with the sample's depth."),
        .optional("columns", .values(ValueColumn.object(.query), .query), "Further columns."),
        .optional("scales", .integers(1...1_000, atLeast: 1), "Scales 1:n to choose from; 10, 20, 25, 50 by default."),
        .required("empty", .text(.section), "Text that stands where nothing is logged."),
    ]

    private let layers: LayerColumns
    private let number: String?
    private let description: ReportValue
    /// Columns of the section's row: the whole depth, and the depth of water.
    private let total: String?
    private let water: String?
    private let sample: String?
    private let sampleDepth: String?
    /// Further columns, to the right of the description.
    private let columns: [ValueColumn]
    /// Scales 1:n to choose from. The first that fits the page is used; if none fits, the last one,
    /// over several pages.
    private let scales: [Int]
    private let empty: ReportText

    init?(_ template: PackNode) {
        guard let layers = LayerColumns(template, query: "query"), let description = template["description"].flatMap(ReportValue.init),
            let empty = template.reportText("empty")
        else { return nil }
        self.layers = layers
        number = template.text("number")
        self.description = description
        total = template.text("total")
        water = template.text("water")
        sample = template.text("sample")
        sampleDepth = template.text("sampleDepth")
        columns = template.items("columns").compactMap(ValueColumn.init)
        scales = template["scales"].map { $0.items.compactMap { $0.text.flatMap { Int($0) } } } ?? [10, 20, 25, 50]
        self.empty = empty
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> LogContent? {
        let rows = try context.rows(layers.query, for: row)
        guard let query = context.query(layers.query) else { throw ReportFailure.template(context.definition.name, Self.name) }
        let shown = ShownColumns(columns, cells: try rows.map { row in try columns.map { try context.cell($0.value, row) } })
        let heads = shown.places.enumerated().map { place, index in
            LogContent.Column(
                label: context.heading(columns[index].label, columns[index].value, of: query),
                isNumeric: shown.isNumeric(place), width: columns[index].width)
        }
        let layers = try zip(rows, shown.cells).compactMap { row, cells -> LogContent.Layer? in
            guard let stratum = self.layers.stratum(row) else { return nil }
            return LogContent.Layer(
                stratum: stratum, number: number.flatMap { row.text($0) } ?? "", description: try context.cell(description, row).text,
                sample: sample.flatMap { row.text($0) }, sampleDepth: sampleDepth.flatMap { row.number($0) }, cells: cells)
        }
        return LogContent(
            layers: layers, columns: heads, total: total.flatMap { row?.number($0) }, water: water.flatMap { row?.number($0) },
            scales: scales, empty: context.text(empty, row) ?? "")
    }
}

/// The body of an excavation log.
package struct LogContent: BlockContent {
    package struct Column: Sendable {
        package var label: String
        package var isNumeric: Bool
        /// Share of the width that remains for the further columns; nil: sized to the content.
        package var width: Double?
    }

    package struct Layer: Sendable {
        package var stratum: Stratum
        package var number: String
        package var description: String
        package var sample: String?
        /// In metres.
        package var sampleDepth: Double?
        /// One for each further column.
        package var cells: [ReportCell]

        package init(stratum: Stratum, number: String, description: String, sample: String?, sampleDepth: Double?, cells: [ReportCell]) {
            self.stratum = stratum
            self.number = number
            self.description = description
            self.sample = sample
            self.sampleDepth = sampleDepth
            self.cells = cells
        }
    }

    package var layers: [Layer]
    package var columns: [Column]
    /// The whole depth in metres; nil: down to the bottom of the layers.
    package var total: Double?
    package var water: Double?
    /// Whether any layer names a sample.
    package var hasSamples: Bool { layers.contains { $0.sample != nil } }
    package var scales: [Int]
    /// Shown where nothing is logged.
    package var empty: String
}
