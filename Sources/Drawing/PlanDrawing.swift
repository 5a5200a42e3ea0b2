package import Canvas

/// The plan of a level of a building: rooms in the colour and hatch of their state, their assets,
/// and the drawing behind.
package struct PlanDrawing {
    /// The state of a room: grey, blue, green or dark green, as the survey app shows it. Hatches
    /// tell the states apart in black and white.
    package enum State: Int, Sendable, Hashable, CaseIterable {
        case empty, inProgress, complete, approved

        var colour: Colour {
            switch self {
            case .empty: Colour(red: 0.90, green: 0.90, blue: 0.90)
            case .inProgress: Colour(red: 0.72, green: 0.84, blue: 0.96)
            case .complete: Colour(red: 0.72, green: 0.90, blue: 0.70)
            case .approved: Colour(red: 0.30, green: 0.62, blue: 0.36)
            }
        }
    }

    package struct Room: Sendable, Hashable {
        /// The corners in metres, y upwards as in the drawing.
        package var polygon: [Point]
        package var number: String
        package var name: String
        /// The text below the name, such as the number of assets.
        package var note: String
        package var state: State

        package init(polygon: [Point], number: String, name: String = "", note: String = "", state: State) {
            self.polygon = polygon
            self.number = number
            self.name = name
            self.note = note
            self.state = state
        }
    }

    package struct Asset: Sendable, Hashable {
        package var point: Point
        /// The number of the mark, the same for all assets of a kind. After the last shape the
        /// first is used again, in another colour.
        package var kind: Int

        package init(point: Point, kind: Int) {
            self.point = point
            self.kind = kind
        }
    }

    package var rooms: [Room]
    /// The lines of the drawing behind, in metres.
    package var background: [[Point]] = []
    package var boundary: [Point] = []
    package var assets: [Asset] = []
    /// The angle clockwise from the drawing's y axis to north, in radians; nil: no arrow.
    package var north: Double?
    /// The names of the states that occur, in the reader's language.
    package var stateNames: [State: String] = [:]
    /// The names of the kinds of assets, by number.
    package var kindNames: [String] = []
    /// The index in `rooms` of the only room that is shown, with its surroundings; nil: all rooms.
    package var extract: Int?
    package var emptyLabel = ""
    package var style = DrawingStyle()

    package init(rooms: [Room]) { self.rooms = rooms }

    /// The assets of the extract's room, or all assets.
    var shownAssets: [Asset] {
        guard let extract, rooms.indices.contains(extract) else { return assets }
        return assets.filter { RoomLabel.holds(rooms[extract].polygon, $0.point) }
    }

    var shownRooms: [Room] { extract.flatMap { rooms.indices.contains($0) ? [rooms[$0]] : nil } ?? rooms }

    static let footer = 32.0

    /// - Returns: the denominator of the scale as drawn; nil when there was nothing to draw.
    @discardableResult
    package func draw(on canvas: Canvas, in box: Box) -> Double? {
        let shown = extract.flatMap { rooms.indices.contains($0) ? rooms[$0].polygon : nil } ?? (rooms.flatMap(\.polygon) + boundary + (rooms.isEmpty ? background.flatMap { $0 } : []))
        let finite = shown.filter { $0.x.isFinite && $0.y.isFinite }
        guard let extent = Box(around: finite), extent.width > 0 || extent.height > 0 else {
            canvas.drawNothing(emptyLabel, in: box, style)
            return nil
        }
        let legend = PlanLegend(plan: self)
        let legendHeight = legend.height(width: box.width, canvas.typesetter)
        let map = Box(x: box.x, y: box.y, width: box.width, height: max(20, box.height - Self.footer - legendHeight))
        let margin = extract == nil ? 8.0 : min(map.width, map.height) * 0.12
        let room = map.inset(by: margin)
        let fitting = min(room.width / max(extent.width, 0.01), room.height / max(extent.height, 0.01))
        // The scale is the largest of the usual ones at which the plan fits.
        let exact = DrawingStyle.points(perMetreAt: 1) / fitting
        let ratio = [5, 10, 20, 25, 50, 75, 100, 125, 150, 200, 250, 300, 400, 500, 750, 1000, 1250, 1500, 2000, 2500, 5000, 10_000].first { $0 >= exact } ?? exact
        let perMetre = DrawingStyle.points(perMetreAt: ratio)
        let centre = extent.middle
        let onPage = { (point: Point) in Point(x: map.middle.x + (point.x - centre.x) * perMetre, y: map.middle.y - (point.y - centre.y) * perMetre) }

        canvas.inGroup {
            canvas.clip(map)
            drawRooms(on: canvas, map, onPage)
            canvas.polygon(boundary.map(onPage))
            canvas.stroke(style.ink, width: 1.8)
        }
        drawTexts(on: canvas, map, onPage, perMetre)
        if extract != nil {
            canvas.rectangle(map)
            canvas.stroke(style.line, width: 0.6)
        }
        let bar = ScaleBar(pointsPerMetre: perMetre, style: style).draw(
            on: canvas, at: Point(x: box.x + 2, y: map.bottom + 10), maximumWidth: min(160, box.width * 0.4))
        canvas.draw(
            "1:\(style.number(ratio, decimals: ratio == ratio.rounded() ? 0 : 1))", style.text(1, .bold), at: Point(x: bar.right + 12, y: map.bottom + 8), width: max(10, box.right - bar.right - 60))
        if let north { NorthArrow(angle: north, style: style).draw(on: canvas, centre: Point(x: box.right - 16, y: map.bottom + 18), size: 15) }
        legend.draw(on: canvas, in: Box(x: box.x, y: box.bottom - legendHeight, width: box.width, height: legendHeight))
        return ratio
    }

    private func drawRooms(on canvas: Canvas, _ map: Box, _ onPage: (Point) -> Point) {
        for (index, room) in rooms.enumerated() {
            let polygon = room.polygon.map(onPage)
            // Rooms outside the map are left out.
            guard let bounds = Box(around: polygon), bounds.overlaps(map) else { continue }
            canvas.newPath()
            canvas.polygon(polygon)
            if extract == nil || extract == index {
                room.state.fill(on: canvas, phase: Point(x: map.x, y: map.y))
            } else {
                canvas.fill(Colour(grey: 0.97))
            }
        }
        for line in background { canvas.polyline(line.map(onPage)) }
        canvas.stroke(Colour(grey: 0.62), width: 0.3)
        for (index, room) in rooms.enumerated() {
            canvas.polygon(room.polygon.map(onPage))
            canvas.stroke(style.ink, width: extract == index ? 1.6 : 0.8)
        }
    }

    private func drawTexts(on canvas: Canvas, _ map: Box, _ onPage: (Point) -> Point, _ perMetre: Double) {
        var placement = LabelPlacement(frame: map)
        let size = max(2.2, min(3.6, perMetre * 0.25))
        let marks = shownAssets.map { (onPage($0.point), $0.kind) }.filter { map.inset(by: size).contains($0.0) }
        for (point, _) in marks { placement.block(Box(x: point.x - size, y: point.y - size, width: 2 * size, height: 2 * size)) }
        for (index, room) in rooms.enumerated() where extract == nil || extract == index {
            RoomLabel(room: room, style: style).draw(on: canvas, polygon: room.polygon.map(onPage), in: map, &placement)
        }
        for (point, kind) in marks { AssetMark(kind: kind).draw(on: canvas, at: point, size: size) }
    }
}

extension PlanDrawing.State {
    /// Fills the path with the state's colour and hatch: none over grey, thin diagonals over blue,
    /// crossed diagonals over green, horizontal lines over dark green.
    func fill(on canvas: Canvas, phase: Point) {
        canvas.fill(colour, keepsPath: true)
        let ink = colour.mixed(with: .black, 0.32)
        let lines: [(Point, Point)] = switch self {
        case .empty: []
        case .inProgress: [(Point(x: 0, y: 8), Point(x: 8, y: 0))]
        case .complete: [(Point(x: 0, y: 0), Point(x: 8, y: 8)), (Point(x: 0, y: 8), Point(x: 8, y: 0))]
        case .approved: [(Point(x: 0, y: 4), Point(x: 8, y: 4)), (Point(x: 0, y: 8), Point(x: 8, y: 8))]
        }
        let layer = Tile.Layer(path: { for (start, end) in lines { $0.segment(start, end) } }, paint: { $0.stroke(ink, width: 0.3) })
        canvas.fill(Tile(width: 8, height: 8, layers: lines.isEmpty ? [] : [layer]), phase: phase)
    }
}
