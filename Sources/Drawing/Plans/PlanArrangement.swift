internal import Blocks
package import Canvas

/// A plan with the position of each of its parts, in points from the upper left corner of its box.
package struct PlanArrangement {
    /// Rooms and assets missing or shortened in the drawing, as indexes into the plan's lists.
    package struct LeftOut: Sendable, Hashable {
        /// Rooms with a short key instead of their label.
        package var keyed: [Int] = []
        /// Rooms with neither a label nor a key.
        package var unlabelled: [Int] = []
        /// Assets whose point is not on the drawing.
        package var outside: [Int] = []
        /// Assets without a point.
        package var unplaced: [Int] = []
        /// Assets whose mark or number did not fit.
        package var crowded: [Int] = []
    }

    struct Label {
        let lines: RoomLabel.Lines
        let box: Box
        /// The colour below the label.
        let ground: Colour
        /// The point in the room, for a label outside the room.
        var leader: Point?
    }

    struct Mark {
        /// The asset's place in the plan's list.
        let index: Int
        let asset: PlanDrawing.Asset
        let centre: Point
        /// Where the line from a mark beside its point ends: at the point, or at a nearer mark of the same point.
        var leader: Point?
        var number: (layout: TextLayout, box: Box)?
        /// Whether a line leads from the number to the mark.
        var hasFarNumber = false
    }

    let plan: PlanDrawing
    let box: Box
    let map: Box
    let legend: PlanLegend
    /// The denominator of the scale; nil: the plan is empty.
    package private(set) var ratio: Double?
    /// Converts metres to points on the page.
    let onPage: (Point) -> Point
    var markSize = 0.0
    var labels: [Label] = []
    var marks: [Mark] = []
    package internal(set) var leftOut = LeftOut()

    init(
        _ plan: PlanDrawing, box: Box, map: Box, legend: PlanLegend, ratio: Double?, onPage: @escaping (Point) -> Point
    ) {
        self.plan = plan
        self.box = box
        self.map = map
        self.legend = legend
        self.ratio = ratio
        self.onPage = onPage
    }

    private var style: DrawingStyle { plan.style }

    package func draw(on canvas: Canvas, at corner: Point) {
        canvas.inGroup {
            canvas.translate(x: corner.x, y: corner.y)
            guard let ratio else { return canvas.drawNothing(plan.emptyLabel, in: box, style) }
            canvas.inGroup {
                canvas.clip(map)
                drawRooms(on: canvas)
                canvas.polygon(plan.boundary.map(onPage))
                canvas.stroke(style.ink, width: 1.8)
            }
            drawLabels(on: canvas)
            if plan.extractRoom != nil {
                canvas.rectangle(map)
                canvas.stroke(style.line, width: 0.6)
            }
            drawFurniture(on: canvas, ratio)
        }
    }

    private func drawRooms(on canvas: Canvas) {
        for (index, room) in plan.rooms.enumerated() {
            let polygon = room.polygon.map(onPage)
            // Rooms outside the map are left out.
            guard let bounds = Box(around: polygon), bounds.overlaps(map) else { continue }
            canvas.newPath()
            canvas.polygon(polygon)
            if plan.extractRoom == nil || plan.extract == index {
                plan.ink(ofState: room.state).fillPath(on: canvas, phase: Point(x: map.x, y: map.y))
            } else {
                canvas.fill(Colour(grey: 0.97))
            }
        }
        for line in plan.background { canvas.polyline(line.map(onPage)) }
        canvas.stroke(Colour(grey: 0.62), width: 0.3)
        for (index, room) in plan.rooms.enumerated() {
            canvas.polygon(room.polygon.map(onPage))
            canvas.stroke(style.ink, width: plan.extract == index ? 1.6 : 0.8)
        }
    }

    private func drawLabels(on canvas: Canvas) {
        for label in labels {
            guard let end = label.leader else { continue }
            leader(on: canvas, from: label.box.nearest(to: end), to: end)
        }
        for mark in marks {
            if let point = mark.leader { leader(on: canvas, from: mark.centre, to: point) }
            if mark.hasFarNumber, let box = mark.number?.box {
                leader(on: canvas, from: box.nearest(to: mark.centre), to: mark.centre)
            }
        }
        for label in labels {
            canvas.rectangle(label.box.inset(dx: -1, dy: 0))
            canvas.fill(label.ground)
            label.lines.draw(on: canvas, in: label.box)
        }
        // A line may pass below a number.
        if marks.contains(where: { $0.leader != nil || $0.hasFarNumber }) {
            for mark in marks { mark.number.map { canvas.rectangle($0.box.inset(dx: -0.5, dy: 0.5)) } }
            canvas.fill(.white)
        }
        for mark in marks {
            plan.mark(mark.asset).draw(on: canvas, at: mark.centre, size: markSize)
            if let (layout, box) = mark.number { canvas.draw(layout, at: Point(x: box.x, y: box.y)) }
        }
    }

    private func leader(on canvas: Canvas, from start: Point, to end: Point) {
        canvas.segment(start, end)
        canvas.stroke(style.line, width: 0.4)
        canvas.circle(end, radius: 0.9)
        canvas.fill(style.line)
    }

    private func drawFurniture(on canvas: Canvas, _ ratio: Double) {
        let perMetre = DrawingStyle.points(perMetreAt: ratio)
        let bar = ScaleBar(pointsPerMetre: perMetre, style: style).draw(
            on: canvas, at: Point(x: box.x + 2, y: map.bottom + 10), maximumWidth: min(160, box.width * 0.4))
        canvas.draw(
            "1:\(style.number(ratio, decimals: ratio == ratio.rounded() ? 0 : 1))", style.text(1, .bold),
            at: Point(x: bar.right + 12, y: map.bottom + 8),
            width: max(10, box.right - bar.right - 60))
        if let north = plan.north {
            NorthArrow(angle: north, style: style).draw(
                on: canvas, centre: Point(x: box.right - 16, y: map.bottom + 18), size: 15)
        }
        legend.draw(
            on: canvas, in: Box(x: box.x, y: box.bottom - legend.height, width: box.width, height: legend.height))
    }
}

extension PlanDrawing {
    /// The tint and the hatch of a state; pale grey for rooms without a state.
    func ink(ofState index: Int?) -> ChartInk {
        guard let index, states.indices.contains(index) else { return ChartInk(0, colour: Colour(grey: 0.97)) }
        return ChartInk(index, colour: states[index].colour)
    }

    func mark(_ asset: Asset) -> AssetMark {
        AssetMark(
            kind: asset.kind, icon: kinds.indices.contains(asset.kind) ? kinds[asset.kind].icon : nil,
            progress: asset.progress, style: style)
    }
}

/// The legend below a plan: its states, its kinds of assets, and the meanings of the signs on
/// marks, in rows.
struct PlanLegend {
    private enum Sample {
        case state(ChartInk)
        case mark(AssetMark)
    }

    private let style: DrawingStyle
    private let rows: [[(sample: Sample, layout: TextLayout, x: Double)]]

    private static let rowHeight = 16.0
    private static let markSize = 6.4

    init(plan: PlanDrawing, width: Double, _ typesetter: Typesetter) {
        style = plan.style
        let states = Set((plan.extractRoom.map { [$0] } ?? plan.rooms).compactMap(\.state))
        var entries = plan.states.indices.filter(states.contains).map {
            (Sample.state(plan.ink(ofState: $0)), plan.states[$0].name)
        }
        let kinds = Set(plan.assets.map(\.kind))
        entries += plan.kinds.indices.filter(kinds.contains).map { kind in
            (.mark(plan.mark(.init(point: nil, kind: kind))), plan.kinds[kind].name)
        }
        let progresses = Set(plan.assets.map(\.progress))
        for progress in PlanDrawing.Asset.Progress.allCases where progress != .settled && progresses.contains(progress)
        {
            guard let name = plan.progressNames[progress] else { continue }
            entries.append((.mark(AssetMark(kind: 0, icon: "", progress: progress, style: plan.style)), name))
        }
        var rows: [[(sample: Sample, layout: TextLayout, x: Double)]] = []
        var x = 0.0
        for (sample, name) in entries where !name.isEmpty {
            let layout = TextLayout(
                name, plan.style.text(0.9), width: max(20, min(170, width - 30)), maximumLines: 1,
                typesetter: typesetter)
            let needed = 24 + layout.width + 12
            if rows.isEmpty || x + needed > width {
                rows.append([])
                x = 0
            }
            rows[rows.count - 1].append((sample, layout, x))
            x += needed
        }
        self.rows = rows
    }

    var height: Double { Double(rows.count) * Self.rowHeight }

    func draw(on canvas: Canvas, in box: Box) {
        for (index, row) in rows.enumerated() {
            let middle = box.y + (Double(index) + 0.5) * Self.rowHeight
            for entry in row {
                let sample = Box(x: box.x + entry.x, y: middle - 5, width: 20, height: 10)
                switch entry.sample {
                case .state(let ink): ink.fill(sample, on: canvas, style)
                case .mark(let mark):
                    mark.draw(
                        on: canvas, at: Point(x: sample.right - Self.markSize - 1, y: middle), size: Self.markSize)
                }
                canvas.draw(entry.layout, at: Point(x: sample.right + 4, y: middle - entry.layout.height / 2))
            }
        }
    }
}

/// The label of a room: its number, and below it as much of the rest as fits. No text is smaller
/// than 6 points, and no word is broken.
struct RoomLabel {
    let room: PlanDrawing.Room
    let style: DrawingStyle
    let typesetter: Typesetter

    /// Centred texts below each other.
    struct Lines {
        let layouts: [TextLayout]

        var width: Double { layouts.map(\.width).max() ?? 0 }
        var height: Double { layouts.map(\.height).reduce(0, +) }

        func draw(on canvas: Canvas, in box: Box) {
            var y = box.y
            for layout in layouts {
                canvas.draw(layout, at: Point(x: box.middle.x - layout.width / 2, y: y))
                y += layout.height
            }
        }
    }

    private static let factors = [1.0, 0.9, 0.8]

    /// The possible texts for the room, the fullest first: all lines as large as possible, then
    /// without the last ones. All candidates of a group have the same text in different sizes or
    /// lines.
    func candidates(width: Double) -> [[Lines]] {
        stride(from: room.details.count, through: 0, by: -1).map { count in
            Self.factors.flatMap { factor in
                [nil, width * 0.9, width * 0.6].compactMap { lines(count, factor, $0) }
            }
        }
    }

    /// The number alone, for a place outside the room.
    var short: Lines? { lines(0, Self.factors.last ?? 1, nil) }

    private func lines(_ count: Int, _ factor: Double, _ width: Double?) -> Lines? {
        var layouts = [layout(room.number, factor, .bold)]
        for detail in room.details.prefix(count) {
            guard let text = width.map({ wrapped(detail, factor, $0) }) ?? detail else { return nil }
            layouts.append(layout(text, factor, .regular))
        }
        return Lines(layouts: layouts)
    }

    private func layout(_ text: String, _ factor: Double, _ weight: TextStyle.Weight) -> TextLayout {
        TextLayout(text, style.text(factor, weight, alignment: .centre), typesetter: typesetter)
    }

    /// The text wrapped between words, into at most three lines; nil if a word is too wide.
    private func wrapped(_ text: String, _ factor: Double, _ width: Double) -> String? {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            let longer = (lines.last.map { $0 + " " } ?? "") + word
            if layout(longer, factor, .regular).width <= width {
                lines = lines.dropLast() + [longer]
            } else if layout(String(word), factor, .regular).width <= width, lines.count < 3 {
                lines.append(String(word))
            } else {
                return nil
            }
        }
        return lines.joined(separator: "\n")
    }
}
