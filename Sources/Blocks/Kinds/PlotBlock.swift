import Model

/// Points of a query over two measured axes: grading curves, plasticity charts, one quantity
/// against another.
struct PlotBlock: Block {
    static let name = "plot"
    static let keys: [BlockKey] = [
        .title, .query, .required("x", .column(.query), "The column along the horizontal axis."),
        .required("y", .column(.query), "The column along the vertical axis."),
        .optional("series", .column(.query), "A column whose values make a series each."),
        .optional("mark", .column(.query), "A column whose value stands beside the point."),
        .optional("joined", .boolean, "Whether a line joins the points of a series, in the order of the rows."),
        .optional(
            "logarithmic", .boolean, "Whether the horizontal axis is logarithmic; what is not above 0 is left out."),
        .optional("reversed", .boolean, "Whether the horizontal axis points to the left."),
        .optional(
            "xLimits", .numbers(atLeast: 2),
            "First and last value of the horizontal axis, unless points lie beyond; by default it fits the points."),
        .optional(
            "yLimits", .numbers(atLeast: 2), "First and last value of the vertical axis, unless points lie beyond."),
        .optional("guides", .objects(guide), "Lines of reference."),
        .optional("zones", .objects(zone), "Words within the plot."), .height,
    ]

    private static let guide = BlockObject(
        name: "reportGuide", about: "A line of reference.",
        keys: [
            .required("points", .numbers(atLeast: 4), "Horizontal and vertical values in turn."),
            .optional("label", .text(.section), "Key of the text at its end, or a pattern."),
            .optional("dashed", .boolean, "Whether it is dashed."),
        ])

    private static let zone = BlockObject(
        name: "reportZone", about: "A word at a place within the plot.",
        keys: [
            .required("text", .text(.section), "Key of the text, or a pattern."),
            .required("at", .numbers(atLeast: 2), "Horizontal and vertical value of its middle."),
        ])

    private let title: ReportText?
    private let query: String
    private let x: String
    private let y: String
    private let series: String?
    private let mark: String?
    private let isJoined: Bool
    private let isLogarithmic: Bool
    private let isReversed: Bool
    private let limits: (x: ClosedRange<Double>?, y: ClosedRange<Double>?)
    /// Reference lines.
    private let guides: [(points: [Position], label: ReportText?, isDashed: Bool)]
    /// Words at a position within the plot.
    private let zones: [(text: ReportText, at: Position)]
    private let height: Double

    init?(_ template: PackNode) {
        guard let query = template.text("query"), let x = template.text("x"), let y = template.text("y") else {
            return nil
        }
        title = template.reportText("title")
        self.query = query
        self.x = x
        self.y = y
        series = template.text("series")
        mark = template.text("mark")
        isJoined = template.isTrue("joined")
        isLogarithmic = template.isTrue("logarithmic")
        isReversed = template.isTrue("reversed")
        limits = (Self.limits(template.numbers("xLimits")), Self.limits(template.numbers("yLimits")))
        guides = template.items("guides").map {
            (Self.positions($0.numbers("points")), $0.reportText("label"), $0.isTrue("dashed"))
        }
        zones = template.items("zones").compactMap { zone in
            guard let text = zone.reportText("text"), let at = Self.positions(zone.numbers("at")).first else {
                return nil
            }
            return (text, at)
        }
        height = template.height ?? 90
    }

    private static func limits(_ numbers: [Double]) -> ClosedRange<Double>? {
        numbers.count >= 2 && numbers[0] < numbers[1] ? numbers[0]...numbers[1] : nil
    }

    private static func positions(_ numbers: [Double]) -> [Position] {
        stride(from: 0, to: numbers.count - 1, by: 2).map { Position(x: numbers[$0], y: numbers[$0 + 1]) }
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> PlotContent? {
        guard let query = context.query(self.query), let x = query.column(self.x), let y = query.column(self.y) else {
            return nil
        }
        let rows = try context.rows(self.query, for: row)
        var names: [String] = [], points: [String: [PlotContent.Mark]] = [:]
        for row in rows {
            guard let across = row.number(x.name), let up = row.number(y.name), !isLogarithmic || across > 0 else {
                continue
            }
            let name =
                series.flatMap { query.column($0) }.map { context.values.cell(row.value($0.name), $0).text } ?? ""
            if points[name] == nil { names.append(name) }
            points[name, default: []].append(
                PlotContent.Mark(
                    x: across, y: up,
                    label: mark.flatMap { query.column($0) }.map { context.values.cell(row.value($0.name), $0).text }
                        ?? ""))
        }
        func axis(_ column: QueryColumn, _ limits: ClosedRange<Double>?) -> PlotContent.Axis {
            PlotContent.Axis(context.heading(nil, .column(column.name), of: query), limits: limits)
        }
        var content = PlotContent(
            title: context.text(title, row, totalsOf: rows, query), x: axis(x, limits.x), y: axis(y, limits.y),
            series: names.map { ($0, points[$0] ?? []) }, isJoined: isJoined,
            millimetres: names.isEmpty ? ChartContent.emptyHeight : height)
        content.x.isLogarithmic = isLogarithmic
        content.x.isReversed = isReversed
        content.guides = guides.map { guide in
            .init(
                points: guide.points.map { .init(x: $0.x, y: $0.y) }, label: context.text(guide.label, row) ?? "",
                isDashed: guide.isDashed)
        }
        content.zones = zones.compactMap { zone in
            context.text(zone.text, row).map { .init(x: zone.at.x, y: zone.at.y, label: $0) }
        }
        return content
    }
}

/// Points over two measured axes, with reference lines and words: grading curves over a logarithmic
/// axis, a plasticity chart.
package struct PlotContent: BlockContent {
    /// A point, or the middle of a word.
    package struct Mark: Sendable, Hashable {
        package var x: Double
        package var y: Double
        /// The text beside the point; empty: none.
        package var label = ""
    }

    /// A reference line with the label at its end.
    package struct Guide: Sendable, Hashable {
        package var points: [Mark]
        package var label: String
        package var isDashed: Bool
    }

    package struct Axis: Sendable, Hashable {
        /// The label and the unit.
        package var title: String
        /// First and last value of the axis, extended to points outside of them; nil: the range of
        /// the points.
        package var limits: ClosedRange<Double>?
        package var isLogarithmic = false
        package var isReversed = false

        init(_ title: String, limits: ClosedRange<Double>? = nil) {
            self.title = title
            self.limits = limits
        }
    }

    package var title: String?
    package var x: Axis
    package var y: Axis
    package var series: [(name: String, marks: [Mark])]
    /// Whether a line joins the points of a series.
    package var isJoined = false
    package var guides: [Guide] = []
    package var zones: [Mark] = []
    package var millimetres: Double?
}
