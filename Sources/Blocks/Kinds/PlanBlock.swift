internal import JSONReading
package import Model

/// A floor plan: the rooms of a level over its drawing. Coordinates are metres from its origin.
struct PlanBlock: Block {
    static let name = "plan"
    static let keys: [BlockKey] = [
        .query, .required("polygon", .column(.query), "Column with the room's ring."),
        .required(
            "label", .text(.query),
            """
            What is written into a room, the number first, then line by line what may be left out: key of a text, or \
            a pattern over its row.
            """
        ),
        .optional("state", .column(.query), "Column with the room's state; its vocabulary says names and tints."),
        .optional("count", .column(.query), "Column with how much is in the room."),
        .optional(
            "background", .column(.section), "The section's column with the drawing: GeoJSON, or lists of points."),
        .optional(
            "origin", .column(.section),
            "The section's column with the point that the drawing's coordinates are off by."),
        .optional("boundary", .column(.section), "The section's column with the boundary."),
        .optional("north", .column(.section), "The section's column with the angle of north in degrees."),
        .optional("points", .query, "A query with points."),
        .optional("point", .column(.points), "Its column with a point."),
        .optional("number", .column(.points), "Its column with the number beside the mark, as a list has it."),
        .optional(
            "called", .text(.points),
            "How notes call a point: key of a text, or a pattern over its row; the number by default."),
        .optional("kind", .column(.points), "Its column with the kind of thing, for the legend."),
        .optional("icon", .column(.points), "Its column with the name of the kind's icon."),
        .optional("waiting", .condition(.points), "Which points wait for the server."),
        .optional("failed", .condition(.points), "Which points failed on the way to the server."),
        .optional("only", .column(.query), "Column of the rooms that equals the section's id in the room to show."),
        .height, .empty,
    ]

    /// The query of the rooms, and its columns: the room's outline (a ring of points), label, state
    /// and count. The state determines the room's colour.
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
    /// The column that equals the section's id in the only room to show; nil shows all rooms.
    private let only: String?
    /// Nil: the plan fills the page's height.
    private let height: Double?
    private let empty: ReportText?

    init?(_ template: PackNode) {
        guard let query = template.text("query"), let polygon = template.text("polygon"),
            let label = template.reportText("label")
        else { return nil }
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
                rooms.append(
                    .init(
                        polygon: polygon, label: label, state: states.place(of: room),
                        count: count.flatMap { room.number($0) }.map { Int($0) },
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
            rooms: rooms, missing: missing, background: lines,
            boundary: boundary.map { PlanJSON.ring(row?.text($0)) } ?? [],
            north: north.flatMap { row?.number($0) }, points: points, kinds: kinds, states: states.names,
            showsMarkedOnly: only != nil,
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

/// The points on a plan: a query's rows, with their texts for marks and lists.
struct PlanPoints {
    private let query: String
    private let point: String
    private let number: String?
    private let called: ReportText?
    private let kind: String?
    private let icon: String?
    private let waiting: Expression?
    private let failed: Expression?

    init?(_ template: PackNode) {
        guard let query = template.text("points"), let point = template.text("point") else { return nil }
        self.query = query
        self.point = point
        number = template.text("number")
        called = template.reportText("called")
        kind = template.text("kind")
        icon = template.text("icon")
        waiting = template.expression("waiting")
        failed = template.expression("failed")
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> (
        points: [PlanContent.Mark], kinds: [PlanContent.Kind]
    ) {
        var points: [PlanContent.Mark] = []
        var kinds: [PlanContent.Kind] = []
        for row in try context.rows(query, for: row) {
            let kind = PlanContent.Kind(name: self.kind.flatMap { row.text($0) }, icon: icon.flatMap { row.text($0) })
            if !kinds.contains(kind) { kinds.append(kind) }
            let number = number.flatMap { row.text($0) } ?? ""
            var progress = PlanContent.Progress.settled
            if let waiting, try context.holds(waiting, row) { progress = .waiting }
            if let failed, try context.holds(failed, row) { progress = .failed }
            let positions = PlanJSON.points(row.text(point)).map { Optional($0) }
            for position in positions.isEmpty ? [nil] : positions {
                points.append(
                    .init(
                        position: position, kind: kinds.firstIndex(of: kind) ?? 0, number: number,
                        called: context.text(called, row) ?? number,
                        progress: progress))
            }
        }
        return (points, kinds)
    }
}

/// Points, rings and drawings of plans in the replica's stored form: JSON arrays of `[x, y]`, or
/// GeoJSON (RFC 7946). Other values give an empty result, because the validation already reports
/// them.
enum PlanJSON {
    /// A ring `[[x, y], …]`, or the outer ring of a GeoJSON polygon.
    static func ring(_ text: String?) -> [Position] {
        guard let value = value(text) else { return [] }
        return value.items.map(positions) ?? shapes(value).first ?? []
    }

    /// One or several points.
    static func points(_ text: String?) -> [Position] {
        guard let value = value(text) else { return [] }
        return position(value).map { [$0] } ?? positions(value.items ?? [])
    }

    /// The lines of a drawing: a list of lists of points, or every shape of a GeoJSON object.
    static func lines(_ text: String?) -> [[Position]] {
        guard let value = value(text) else { return [] }
        guard let items = value.items else { return shapes(value) }
        if items.first.flatMap(position) != nil { return [positions(items)] }
        return lists(value).filter { $0.count > 1 }
    }

    private static func value(_ text: String?) -> JSONValue? { text.flatMap { try? JSONValue.parse($0) } }

    private static func position(_ value: JSONValue) -> Position? {
        guard case .number(let x)? = value[0], case .number(let y)? = value[1], let x = Double(x), let y = Double(y),
            x.isFinite, y.isFinite
        else { return nil }
        return Position(x: x, y: y)
    }

    private static func positions(_ items: [JSONValue]) -> [Position] { items.compactMap(position) }

    /// The positions in each inner list of a list.
    private static func lists(_ value: JSONValue?) -> [[Position]] {
        (value?.items ?? []).compactMap(\.items).map(positions)
    }

    /// Every line and ring of a GeoJSON object, at most eight levels deep.
    private static func shapes(_ value: JSONValue?, depth: Int = 0) -> [[Position]] {
        guard depth < 8, let value else { return [] }
        let coordinates = value["coordinates"]
        switch value["type"]?.text {
        case "FeatureCollection": return (value["features"]?.items ?? []).flatMap { shapes($0, depth: depth + 1) }
        case "Feature": return shapes(value["geometry"], depth: depth + 1)
        case "GeometryCollection": return (value["geometries"]?.items ?? []).flatMap { shapes($0, depth: depth + 1) }
        case "LineString": return [positions(coordinates?.items ?? [])]
        case "MultiLineString", "Polygon": return lists(coordinates)
        case "MultiPolygon": return (coordinates?.items ?? []).flatMap { lists($0) }
        default: return []
        }
    }
}

/// The rooms of a level over its background drawing, in metres from the level's origin, y upwards.
package struct PlanContent: BlockContent {
    /// A state of rooms, as readable text.
    package struct State: Sendable, Hashable {
        package var name: String
        package var tint: Tint?
    }

    package struct Room: Sendable {
        package var polygon: [Position]
        package var label: String
        /// The index of the room's state in the plan's `states`.
        package var state: Int?
        package var count: Int?
        /// Whether the section is about this room.
        package var isMarked: Bool
    }

    /// A kind of object, with its name for the legend; nil: it has no name.
    package struct Kind: Sendable, Hashable {
        package var name: String?
        package var icon: String?
    }

    /// The progress of a record's upload to the server.
    package enum Progress: Sendable, Hashable, CaseIterable { case settled, waiting, failed }

    package struct Mark: Sendable, Hashable {
        /// Nil if no position was recorded.
        package var position: Position?
        /// The index of the point's kind in the plan's `kinds`.
        package var kind: Int
        package var number: String
        /// The point's name in the notes below the plan.
        package var called: String
        package var progress: Progress
    }

    package var rooms: [Room]
    /// Rooms without an outline, which cannot be drawn.
    package var missing: [String]
    /// Lines of the background drawing under the rooms.
    package var background: [[Position]]
    package var boundary: [Position]
    /// Clockwise angle from up to north, in degrees; nil: not known.
    package var north: Double?
    package var points: [Mark]
    package var kinds: [Kind]
    package var states: [State]
    /// Whether only the marked room and its surroundings are shown.
    package var showsMarkedOnly: Bool
    package var millimetres: Double?
    package var empty: String?
}
