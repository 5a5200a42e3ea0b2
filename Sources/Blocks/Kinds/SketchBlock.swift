import Model

/// Points at their UTM coordinates in metres, with north arrow and scale bar.
struct SketchBlock: Block {
    static let name = "sketch"
    static let keys: [BlockKey] = [
        .query, .required("easting", .column(.query), "Column with the UTM easting."),
        .required("northing", .column(.query), "Column with the UTM northing."), .required("label", .column(.query), "Column with the name."), .height,
    ]

    private let query: String
    private let easting: String
    private let northing: String
    private let label: String
    private let height: Double

    init?(_ template: PackNode) {
        guard let query = template.text("query"), let easting = template.text("easting"), let northing = template.text("northing"),
            let label = template.text("label")
        else { return nil }
        self.query = query
        self.easting = easting
        self.northing = northing
        self.label = label
        height = template.height ?? 90
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> SketchContent? {
        let rows = try context.rows(query, for: row)
        let points = rows.compactMap { row -> SketchContent.Point? in
            guard let east = row.number(easting), let north = row.number(northing) else { return nil }
            return SketchContent.Point(label: row.text(label) ?? "", east: east, north: north)
        }
        return SketchContent(points: points, missing: rows.count - points.count, millimetres: height)
    }
}

/// Points at their coordinates in metres.
package struct SketchContent: BlockContent {
    package struct Point: Sendable, Hashable {
        package var label: String
        package var east: Double
        package var north: Double
    }

    package var points: [Point]
    /// How many points have no coordinates.
    package var missing: Int
    package var millimetres: Double
}
