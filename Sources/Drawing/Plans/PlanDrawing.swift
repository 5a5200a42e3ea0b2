package import Blocks
package import Canvas

/// The plan of a level of a building: rooms in the tint and hatch of their state, their assets with
/// icon and number, and a background drawing.
package struct PlanDrawing {
    /// A state of rooms: its name in the reader's language, and its colour. Hatches distinguish
    /// states in black and white.
    package struct State: Sendable, Hashable {
        package var name: String
        package var colour: Colour?

        package init(name: String, colour: Colour? = nil) {
            self.name = name
            self.colour = colour
        }
    }

    package struct Room: Sendable, Hashable {
        /// The corners in metres, y upwards as in the drawing.
        package var polygon: [Point]
        package var number: String
        /// The lines below the number, such as name and area, the most important ones first.
        package var details: [String]
        /// The index of the room's state in the plan's states; nil: the room has no state.
        package var state: Int?

        package init(polygon: [Point], number: String, details: [String] = [], state: Int? = nil) {
            self.polygon = polygon
            self.number = number
            self.details = details.filter { !$0.isEmpty }
            self.state = state
        }
    }

    package struct Asset: Sendable, Hashable {
        package typealias Progress = PlanContent.Progress

        /// Nil if no place was recorded.
        package var point: Point?
        /// The index of the asset's kind in the plan's kinds.
        package var kind: Int
        /// The number beside the mark, used for the asset in lists.
        package var number: String
        package var progress: Progress

        package init(point: Point?, kind: Int, number: String = "", progress: Progress = .settled) {
            self.point = point
            self.kind = kind
            self.number = number
            self.progress = progress
        }
    }

    /// A kind of asset. A kind without an icon is drawn as a shape.
    package struct Kind: Sendable, Hashable {
        package var name: String
        package var icon: String?

        package init(name: String, icon: String? = nil) {
            self.name = name
            self.icon = icon
        }
    }

    package var rooms: [Room]
    /// The lines of the background drawing, in metres.
    package var background: [[Point]] = []
    package var boundary: [Point] = []
    package var assets: [Asset] = []
    /// The angle clockwise from the drawing's y axis to north, in radians; nil: no arrow.
    package var north: Double?
    package var states: [State] = []
    package var kinds: [Kind] = []
    /// The legend's words for assets with waiting and with failed uploads.
    package var progressNames: [Asset.Progress: String] = [:]
    /// The index in `rooms` of the only visible room, with its surroundings; nil: all rooms.
    package var extract: Int?
    package var emptyLabel = ""
    package var style = DrawingStyle()

    package init(rooms: [Room]) { self.rooms = rooms }

    /// The only visible room.
    var extractRoom: Room? { extract.flatMap { rooms.indices.contains($0) ? rooms[$0] : nil } }

    /// Finds the position of all parts. The result lists the parts that did not fit.
    package func arranged(width: Double, height: Double, typesetter: Typesetter) -> PlanArrangement {
        var arranger = PlanArranger(self, width: width, height: height, typesetter)
        return arranger.arrange()
    }

    /// - Returns: the denominator of the scale as drawn; nil if there was nothing to draw.
    @discardableResult
    package func draw(on canvas: Canvas, in box: Box) -> Double? {
        let arrangement = arranged(width: box.width, height: box.height, typesetter: canvas.typesetter)
        arrangement.draw(on: canvas, at: Point(x: box.x, y: box.y))
        return arrangement.ratio
    }
}

extension PlanContent: DrawnContent {
    package static var usualSize: (width: Double, height: Double) { (270, 180) }

    package func draw(on canvas: Canvas, in box: Box, _ setting: DrawingSetting) {
        drawing(setting).draw(on: canvas, in: box)
    }

    package func figure(_ setting: DrawingSetting) -> String {
        setting.figure("plan", rooms.map { room in
            let label = room.label.split(whereSeparator: \.isNewline).joined(separator: " ")
            return ([label] + [room.state.map { states[$0].name }].compactMap { $0 }).joined(separator: ", ")
        })
    }

    /// The drawing, for pages and their notes.
    package func drawing(_ setting: DrawingSetting) -> PlanDrawing {
        let words = setting.words
        var drawing = PlanDrawing(rooms: rooms.map { room in
            let lines = room.label.split(separator: "\n").map(String.init)
            let count = room.count.map { $0 > 0 ? words("assets", ["count": String($0)]) : "" } ?? ""
            return PlanDrawing.Room(
                polygon: room.polygon.map(Self.point), number: lines.first ?? "",
                details: lines.dropFirst() + [count], state: room.state)
        })
        drawing.background = background.map { $0.map(Self.point) }
        drawing.boundary = boundary.map(Self.point)
        drawing.assets = points.map { point in
            .init(
                point: point.position.map(Self.point), kind: point.kind, number: point.number, progress: point.progress)
        }
        drawing.north = north.map { $0 * .pi / 180 }
        drawing.states = states.map { .init(name: $0.name, colour: $0.tint.map { Colour($0) }) }
        drawing.kinds = kinds.map { .init(name: $0.name ?? words("asset"), icon: $0.icon) }
        drawing.progressNames = [.waiting: words("plan_waiting"), .failed: words("plan_failed")]
        if showsMarkedOnly { drawing.extract = rooms.firstIndex { $0.isMarked } }
        drawing.emptyLabel = empty ?? words("no_plan")
        drawing.style = setting.style
        return drawing
    }

    private static func point(_ position: Position) -> Point { Point(x: position.x, y: position.y) }

    /// The notes below a plan: names of rooms that the drawing shows as short keys, and parts that
    /// it does not show.
    package func notes(_ plan: PlanArrangement, _ setting: DrawingSetting) -> [String] {
        let words = setting.words
        func labels(_ indices: [Int]) -> [String] {
            indices.map { rooms[$0].label.split(separator: "\n").joined(separator: " · ") }
        }
        func names(_ indices: [Int]) -> [String] {
            indices.map { points[$0].called.isEmpty ? words("asset") : points[$0].called }
        }
        let leftOut = plan.leftOut
        let lists = [
            ("plan_keys", labels(leftOut.keyed).enumerated().map { "(\($0.offset + 1)) \($0.element)" }),
            ("plan_unlabelled", labels(leftOut.unlabelled)),
            ("plan_missing", missing), ("plan_outside", names(leftOut.outside)),
            ("plan_unplaced", names(leftOut.unplaced)),
            ("plan_crowded", names(leftOut.crowded)),
        ]
        return lists.filter { !$0.1.isEmpty }.map { words($0.0, ["list": $0.1.joined(separator: "; ")]) }
    }
}
