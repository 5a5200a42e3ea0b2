import Model

/// The rooms of a level over its drawing. Coordinates are metres from the level's origin.
struct PlanBlock: Block {
    static let name = "plan"
    static let keys: [BlockKey] = [
        .query, .required("polygon", .column(.query), "Column with the room's ring."),
        .required("label", .text(.query), "What is written into a room: key of a text, or a pattern over its row."),
        .optional("state", .column(.query), "Column with empty, inProgress, complete or approved."),
        .optional("count", .column(.query), "Column with how much is in the room."),
        .optional("background", .column(.section), "The section's column with the drawing: GeoJSON, or lists of points."),
        .optional("origin", .column(.section), "The section's column with the point that the drawing's coordinates are off by."),
        .optional("boundary", .column(.section), "The section's column with the boundary."),
        .optional("north", .column(.section), "The section's column with the angle of north in degrees."),
        .optional("points", .query, "A query with points."), .optional("point", .column(.rows(of: "points")), "Its column with a point."),
        .optional("only", .column(.query), "Column of the rooms that equals the section's id in the room to show."), .height, .empty,
    ]

    /// The query of the rooms, and its columns: the ring, the label written into it, the state that
    /// colours it, and the count shown in it.
    private let query: String
    private let polygon: String
    private let label: ReportText
    private let state: String?
    private let count: String?
    /// Columns of the section's row.
    private let background: String?
    private let origin: String?
    private let boundary: String?
    private let north: String?
    /// The query of points, and the column with the point of each row.
    private let points: String?
    private let point: String?
    private let only: String?
    /// Nil: the page's height.
    private let height: Double?
    private let empty: ReportText?

    init?(_ template: PackNode) {
        guard let query = template.text("query"), let polygon = template.text("polygon"), let label = template.reportText("label") else { return nil }
        self.query = query
        self.polygon = polygon
        self.label = label
        state = template.text("state")
        count = template.text("count")
        background = template.text("background")
        origin = template.text("origin")
        boundary = template.text("boundary")
        north = template.text("north")
        points = template.text("points")
        point = template.text("point")
        only = template.text("only")
        height = template.height
        empty = template.reportText("empty")
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> PlanContent? {
        let own = row?.text("id")
        let rooms = try context.rows(query, for: row).compactMap { room -> PlanContent.Room? in
            let polygon = PlanJSON.ring(room.text(polygon))
            guard polygon.count > 2 else { return nil }
            return PlanContent.Room(
                polygon: polygon, label: context.text(label, room) ?? "",
                state: state.flatMap { room.text($0) }.flatMap(PlanContent.State.init),
                count: count.flatMap { room.number($0) }.map { Int($0) },
                isMarked: only != nil && only.flatMap { room.text($0) } == own)
        }
        var positions: [PlanContent.Position] = []
        if let points, let point {
            positions = try context.rows(points, for: row).flatMap { PlanJSON.points($0.text(point)) }
        }
        var lines = background.map { PlanJSON.lines(row?.text($0)) } ?? []
        if let origin = origin.flatMap({ PlanJSON.points(row?.text($0)).first }) {
            lines = lines.map { line in line.map { PlanContent.Position(x: $0.x - origin.x, y: $0.y - origin.y) } }
        }
        let names = PlanContent.State.allCases.map { ($0, context.head.words("state_" + $0.rawValue)) }
        return PlanContent(
            rooms: rooms, background: lines,
            boundary: boundary.map { PlanJSON.ring(row?.text($0)) } ?? [], north: north.flatMap { row?.number($0) }, points: positions,
            stateNames: Dictionary(names) { first, _ in first }, showsMarkedOnly: only != nil, millimetres: height,
            empty: context.text(empty, row))
    }
}

/// The rooms of a level over its drawing, in metres from the level's origin, y upwards.
package struct PlanContent: BlockContent {
    package struct Position: Sendable, Hashable {
        package var x: Double
        package var y: Double
    }

    package enum State: String, Sendable, Hashable, CaseIterable {
        case empty, inProgress, complete, approved
    }

    package struct Room: Sendable {
        package var polygon: [Position]
        package var label: String
        package var state: State?
        package var count: Int?
        /// The room that the section is about.
        package var isMarked: Bool
    }

    package var rooms: [Room]
    /// Lines of the drawing under the rooms.
    package var background: [[Position]]
    package var boundary: [Position]
    /// Clockwise angle from up to north, in degrees; nil: not known.
    package var north: Double?
    package var points: [Position]
    /// Names of the states, for the legend.
    package var stateNames: [State: String]
    /// Whether only the marked room and its surroundings are shown.
    package var showsMarkedOnly: Bool
    package var millimetres: Double?
    package var empty: String?
}
