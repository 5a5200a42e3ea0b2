package import Model

/// The body of an excavation log: a depth scale, with all values beside it at their depths.
struct LogBlock: Block {
    static let name = "log"
    static let keys: [BlockKey] =
        [.query] + LayerColumns.keys(of: .query) + LayerColumns.pitKeys + [
            .optional(
                "elevation", .column(.section),
                "The section's column with the ground's elevation: a scale of elevations stands beside the depths."),
            .optional("number", .column(.query), "Column with the layer's number."),
            .required("description", .value(ReportValue.object(.query), .query), "What is said of the layer."),
            .optional(
                "tracks", .objects(LogTrackKeys.object),
                "Columns of marks at their depths, such as samples and tests, from the left."),
            .optional("columns", .values(column, .query), "Further columns."),
            .optional("scale", .column(.section), "The section's column with the scale 1:n; chosen where it is empty."),
            .optional(
                "scales", .integers(1...1_000, atLeast: 1),
                "Scales 1:n to choose from; 10, 20, 25, 30, 40, 50 by default. One serves all of the section's rows."),
            .required("empty", .text(.section), "Text that stands where nothing is logged."),
        ]

    private static let column: BlockObject = {
        let plain = ValueColumn.object(.query)
        return BlockObject(
            name: "reportLogColumn", about: "A column of a log.",
            keys: plain.keys + [
                .optional(
                    "under", .text(.query),
                    """
                    Key of a text. On pages, columns beside each other with the same one stand below each other in a \
                    single column with this title.
                    """
                )
            ],
            exactlyOne: plain.exactlyOne, needs: plain.needs)
    }()

    private let layers: LayerColumns
    private let number: String?
    private let description: ReportValue
    /// Columns of the section's row: the total depth, the depth of water, the ground's elevation.
    private let total: String?
    private let water: String?
    private let elevation: String?
    private let tracks: [LogTrackKeys]
    /// Further columns, to the right of the description.
    private let columns: [(column: ValueColumn, under: ReportText?)]
    /// The section's column with the scale 1:n; `scales` are the scales to choose from without it.
    private let scale: String?
    private let scales: [Int]
    private let empty: ReportText

    init?(_ template: PackNode) {
        guard let layers = LayerColumns(template, query: "query"),
            let description = template["description"].flatMap(ReportValue.init),
            let empty = template.reportText("empty")
        else { return nil }
        self.layers = layers
        number = template.text("number")
        self.description = description
        total = template.text("total")
        water = template.text("water")
        elevation = template.text("elevation")
        tracks = template.items("tracks").compactMap(LogTrackKeys.init)
        columns = template.items("columns").compactMap { node in
            ValueColumn(node).map { ($0, node.reportText("under")) }
        }
        scale = template.text("scale")
        scales =
            template["scales"].map { $0.items.compactMap { $0.text.flatMap { Int($0) } } } ?? [10, 20, 25, 30, 40, 50]
        self.empty = empty
    }

    /// A depth of the section's row; nil if it is missing or beyond the limit.
    private func depth(_ column: String?, _ row: ReportRow?) -> Double? {
        column.flatMap { row?.number($0) }.flatMap { abs($0) < LayerColumns.deepest ? $0 : nil }
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> LogContent? {
        let rows = try context.rows(layers.query, for: row)
        guard let query = context.query(layers.query) else {
            throw ReportFailure.template(context.definition.name, Self.name)
        }
        let values = columns.map(\.column)
        let shown = ShownColumns(
            values, cells: try rows.map { row in try values.map { try context.cell($0.value, row) } })
        let heads = shown.places.enumerated().map { place, index in
            LogContent.Column(
                label: context.heading(values[index].label, values[index].value, of: query),
                isNumeric: shown.isNumeric(place),
                width: values[index].width, under: context.text(columns[index].under, nil))
        }
        let asked = scale.flatMap { row?.number($0) }.flatMap { (1...1_000).contains($0) ? Int($0) : nil }
        var content = LogContent(
            layers: [], columns: heads, total: depth(total, row), water: depth(water, row),
            scales: asked.map { [$0] } ?? scales, empty: context.text(empty, row) ?? "")
        for (row, cells) in zip(rows, shown.cells) {
            let (number, text) = (number.flatMap { row.text($0) } ?? "", try context.cell(description, row).text)
            if let stratum = layers.stratum(row) {
                content.layers.append(
                    LogContent.Layer(stratum: stratum, number: number, description: text, cells: cells))
            } else {
                content.unplaced.append(
                    [number, layers.symbol(row), text].filter { !$0.isEmpty }.joined(separator: " · "))
            }
        }
        content.elevation = elevation.flatMap { row?.number($0) }
        content.tracks = try tracks.map { try $0.content(row, context) }.filter { !$0.marks.isEmpty }
        content.usualDepth = try usualDepth(row, context)
        return content
    }

    /// The depth that determines the scale for all rows of the section: the greatest depth. A
    /// single pit more than twice as deep as the other pits uses further pages instead.
    private func usualDepth(_ row: ReportRow?, _ context: ReportContext) throws -> Double? {
        guard let total, let row else { return nil }
        let depths = try context.numbers(total, of: row.columns.query.name).filter { $0 > 0 }
        guard let deepest = depths.last else { return nil }
        return min(deepest, 2 * depths[depths.count / 2])
    }
}

/// The body of an excavation log.
package struct LogContent: BlockContent {
    package struct Column: Sendable {
        package var label: String
        package var isNumeric: Bool
        /// Share of the width that remains for the further columns; nil: sized to the content.
        package var width: Double?
        /// Title above this column and its neighbours with the same title; pages draw them as one
        /// column.
        package var under: String?

        package init(label: String, isNumeric: Bool, width: Double?, under: String? = nil) {
            self.label = label
            self.isNumeric = isNumeric
            self.width = width
            self.under = under
        }
    }

    package struct Layer: Sendable {
        package var stratum: Stratum
        package var number: String
        package var description: String
        /// One cell for each further column.
        package var cells: [ReportCell]
        /// Whether the layer represents an interval of depth in which nothing was logged.
        package var isGap = false
        /// Whether the layer's depths contradict those of other layers.
        package var isFaulty = false

        package init(stratum: Stratum, number: String, description: String, cells: [ReportCell], isGap: Bool = false) {
            self.stratum = stratum
            self.number = number
            self.description = description
            self.cells = cells
            self.isGap = isGap
        }
    }

    package struct Track: Sendable, Hashable {
        package var label: String
        package var marks: [DepthMark]

        package init(label: String, marks: [DepthMark]) {
            self.label = label
            self.marks = marks
        }
    }

    package var layers: [Layer]
    /// Descriptions of layers without depths.
    package var unplaced: [String] = []
    package var columns: [Column]
    package var tracks: [Track] = []
    /// The total depth in metres; nil: not recorded.
    package var total: Double?
    package var water: Double?
    /// The elevation of the ground in metres.
    package var elevation: Double?
    package var scales: [Int]
    /// The depth that determines the scale, for all rows of the section; nil: the log's depth.
    package var usualDepth: Double?
    /// Text shown if nothing was logged.
    package var empty: String

    package init(layers: [Layer], columns: [Column], total: Double?, water: Double?, scales: [Int], empty: String) {
        self.layers = layers
        self.columns = columns
        self.total = total
        self.water = water
        self.scales = scales
        self.empty = empty
    }

    /// The total depth, or the depth of the lowest layer.
    package var depth: Double { total ?? layers.map(\.stratum.bottom).max() ?? 0 }
}

extension LogContent {
    /// Depths are recorded in centimetres.
    private static let tolerance = 0.005

    /// The log with a separate layer for each part where nothing was logged, and with a remark on
    /// each layer whose depths contradict others.
    package func marked(_ words: ReportWords) -> LogContent {
        guard !layers.isEmpty else { return self }
        func metres(_ depth: Double) -> String {
            let centimetres = Int((depth * 100).rounded())
            return "\(centimetres / 100)\(words("decimal_point"))\(centimetres % 100 / 10)\(centimetres % 10)"
        }
        func gap(_ from: Double, _ to: Double) -> Layer {
            Layer(
                stratum: Stratum(top: from, bottom: to, symbol: ""), number: "",
                description: words("gap", ["from": metres(from), "to": metres(to)]),
                cells: columns.map { _ in .empty }, isGap: true)
        }
        var marked = self
        marked.layers = []
        var depth = 0.0
        for var layer in layers {
            let (top, bottom) = (layer.stratum.top, layer.stratum.bottom)
            var faults: [String] = []
            if top > depth + Self.tolerance { marked.layers.append(gap(depth, top)) }
            if bottom <= top { faults.append(words("upside_down", ["from": metres(top), "to": metres(bottom)])) }
            if top < depth - Self.tolerance {
                faults.append(words("overlap", ["from": metres(top), "to": metres(min(depth, max(top, bottom)))]))
            }
            if let total, bottom > total + Self.tolerance {
                faults.append(words("below_end", ["depth": metres(total)]))
            }
            if !faults.isEmpty {
                layer.isFaulty = true
                layer.description = ([layer.description] + faults).filter { !$0.isEmpty }.joined(separator: "\n")
            }
            marked.layers.append(layer)
            depth = max(depth, bottom)
        }
        if let total, total > depth + Self.tolerance { marked.layers.append(gap(depth, total)) }
        return marked
    }

    /// The text below the last layer: the end of the excavation, and layers without depths.
    package func ending(_ words: ReportWords, _ metres: (Double) -> String) -> String {
        let end = total.map { words("end", ["depth": metres($0)]) } ?? words("no_depth", ["depth": metres(depth)])
        return ([end] + unplaced.map { words("without_depths", ["stratum": $0]) }).joined(separator: "\n")
    }
}

/// A column of marks at their depths, as requested by a template.
struct LogTrackKeys: Sendable {
    static let object = BlockObject(
        name: "reportLogTrack", about: "Marks at their depths beside a log, from a query of their own.",
        keys: [
            .query, .required("label", .text(.section), "Key of the column's title."),
            .required("from", .column(.query), "Column with the depth of a mark's top, in metres."),
            .optional(
                "to", .column(.query), "Column with the depth of its bottom; where it is empty, the mark is a point."),
            .required(
                "mark", .value(ReportValue.object(.query), .query),
                "What stands beside it: a sample's name, a result."),
        ])

    private let query: String
    private let label: ReportText
    private let from: String
    private let to: String?
    private let mark: ReportValue

    init?(_ template: PackNode) {
        guard let query = template.text("query"), let label = template.reportText("label"),
            let from = template.text("from"),
            let mark = template["mark"].flatMap(ReportValue.init)
        else { return nil }
        (self.query, self.label, self.from, self.mark) = (query, label, from, mark)
        to = template.text("to")
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> LogContent.Track {
        LogContent.Track(
            label: context.text(label, row) ?? "",
            marks: try context.rows(query, for: row).compactMap { row in
                guard let top = row.number(from) else { return nil }
                return .init(
                    top: top, bottom: max(top, to.flatMap { row.number($0) } ?? top),
                    label: try context.cell(mark, row).text)
            })
    }
}
