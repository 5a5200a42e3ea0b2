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
    private let limits: (x: PlotContent.Limits?, y: PlotContent.Limits?)
    /// Reference lines; `zones` are words within the plot.
    private let guides: [(points: [Position], label: ReportText?, isDashed: Bool)]
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

    private static func limits(_ numbers: [Double]) -> PlotContent.Limits? {
        numbers.count >= 2 && numbers[0] < numbers[1] ? PlotContent.Limits(low: numbers[0], high: numbers[1]) : nil
    }

    private static func positions(_ numbers: [Double]) -> [Position] {
        stride(from: 0, to: numbers.count - 1, by: 2).map { Position(x: numbers[$0], y: numbers[$0 + 1]) }
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> PlotContent? {
        guard let query = context.query(self.query), let x = query.column(self.x), let y = query.column(self.y) else {
            return nil
        }
        let rows = try context.rows(self.query, for: row)
        if rows.isEmpty { return nil }
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
                    position: .init(x: across, y: up),
                    label: mark.flatMap { query.column($0) }.map { context.values.cell(row.value($0.name), $0).text }
                        ?? ""))
        }
        return PlotContent(
            title: context.text(title, row, totalsOf: rows, query), x: context.heading(nil, .column(x.name), of: query),
            y: context.heading(nil, .column(y.name), of: query),
            isJoined: isJoined, isLogarithmic: isLogarithmic, isReversed: isReversed, xLimits: limits.x,
            yLimits: limits.y,
            series: names.map { ($0, points[$0] ?? []) },
            guides: guides.map { ($0.points, context.text($0.label, row) ?? "", $0.isDashed) },
            zones: zones.compactMap { zone in context.text(zone.text, row).map { ($0, zone.at) } },
            millimetres: height)
    }
}

/// Points over two measured axes, with reference lines and words.
package struct PlotContent: BlockContent {
    package struct Mark: Sendable, Hashable {
        package var position: Position
        /// The text beside the point; empty: none.
        package var label: String
    }

    package struct Limits: Sendable, Hashable {
        package var low: Double
        package var high: Double
    }

    package var title: String?
    /// Labels and units of the axes.
    package var x: String
    package var y: String
    package var isJoined: Bool
    package var isLogarithmic: Bool
    package var isReversed: Bool
    package var xLimits: Limits?
    package var yLimits: Limits?
    package var series: [(name: String, marks: [Mark])]
    package var guides: [(points: [Position], label: String, isDashed: Bool)]
    package var zones: [(text: String, at: Position)]
    package var millimetres: Double
}
