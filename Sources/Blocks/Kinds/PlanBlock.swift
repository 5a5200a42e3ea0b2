import Model

/// The rooms of a level over its drawing. Coordinates are metres from the level's origin.
struct PlanBlock: Block {
    static let name = "plan"
    static let keys: [BlockKey] = [
        .query, .required("polygon", .column(.query), "Column with the room's ring."),
        .required("label", .text(.query), "What is written into a room, the number first, then line by line what may be left out: key of a text, or a pattern over its row."),
        .optional("state", .column(.query), "Column with the room's state; its vocabulary says names and tints."),
        .optional("count", .column(.query), "Column with how much is in the room."),
        .optional("background", .column(.section), "The section's column with the drawing: GeoJSON, or lists of points."),
        .optional("origin", .column(.section), "The section's column with the point that the drawing's coordinates are off by."),
        .optional("boundary", .column(.section), "The section's column with the boundary."),
        .optional("north", .column(.section), "The section's column with the angle of north in degrees."),
        .optional("points", .query, "A query with points."), .optional("point", .column(.points), "Its column with a point."),
        .optional("number", .column(.points), "Its column with the number beside the mark, as a list has it."),
        .optional("called", .text(.points), "How notes call a point: key of a text, or a pattern over its row; the number by default."),
        .optional("kind", .column(.points), "Its column with the kind of thing, for the legend."),
        .optional("icon", .column(.points), "Its column with the name of the kind's icon."),
        .optional("waiting", .condition(.points), "Which points wait for the server."),
        .optional("failed", .condition(.points), "Which points failed on the way to the server."),
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
    private let points: PlanPoints?
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
        points = PlanPoints(template)
        only = template.text("only")
        height = template.height
        empty = template.reportText("empty")
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> PlanContent? {
        let own = row?.text("id")
        let shown = try context.rows(query, for: row)
        var states = PlanStates(state.flatMap { context.query(query)?.column($0) }, context)
        var rooms: [PlanContent.Room] = []
        var missing: [String] = []
        for room in shown {
            let polygon = PlanJSON.ring(room.text(polygon))
            let label = context.text(label, room) ?? ""
            let isMarked = only != nil && only.flatMap { room.text($0) } == own
            if polygon.count > 2 {
                rooms.append(.init(
                    polygon: polygon, label: label, state: states.place(of: room), count: count.flatMap { room.number($0) }.map { Int($0) },
                    isMarked: isMarked))
            } else if isMarked || only == nil {
                missing.append(label.split(separator: "\n").joined(separator: " · "))
            }
        }
        var lines = background.map { PlanJSON.lines(row?.text($0)) } ?? []
        if let origin = origin.flatMap({ PlanJSON.points(row?.text($0)).first }) {
            lines = lines.map { line in line.map { Position(x: $0.x - origin.x, y: $0.y - origin.y) } }
        }
        let (points, kinds) = try points?.content(row, context) ?? ([], [])
        return PlanContent(
            rooms: rooms, missing: missing, background: lines, boundary: boundary.map { PlanJSON.ring(row?.text($0)) } ?? [],
            north: north.flatMap { row?.number($0) }, points: points, kinds: kinds, states: states.names, showsMarkedOnly: only != nil,
            millimetres: height, empty: context.text(empty, row))
    }
}

/// The states of rooms: the words of a vocabulary, in its order, or else the values that occur.
private struct PlanStates {
    private let column: QueryColumn?
    private var places: [String: Int] = [:]
    private(set) var names: [PlanContent.State] = []

    init(_ column: QueryColumn?, _ context: ReportContext) {
        self.column = column
        guard let column, let vocabulary = column.vocabulary.flatMap({ context.pack.vocabulary($0) }) else { return }
        for entry in vocabulary.entries {
            places[entry.value] = names.count
            names.append(.init(name: context.values.cell(.text(entry.value), column).text, tint: entry.tint))
        }
    }

    mutating func place(of row: ReportRow) -> Int? {
        guard let column, let value = row.text(column.name) else { return nil }
        if let known = places[value] { return known }
        places[value] = names.count
        names.append(.init(name: value))
        return names.count - 1
    }
}

extension BlockKey.Scope {
    fileprivate static let points = BlockKey.Scope.rows(of: "points")
}
