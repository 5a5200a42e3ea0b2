internal import Canvas

/// The label of a room: its number, name and note where the room is widest, as large as fits.
struct RoomLabel {
    let room: PlanDrawing.Room
    let style: DrawingStyle

    func draw(on canvas: Canvas, polygon: [Point], in map: Box, _ placement: inout LabelPlacement) {
        guard let bounds = Box(around: polygon), bounds.overlaps(map) else { return }
        let anchors = anchors(polygon, bounds)
        // All lines are tried first, as large as possible; then without the name; then the number
        // alone.
        let all = [room.number, room.name, room.note].filter { !$0.isEmpty }
        let some = [room.number, room.note].filter { !$0.isEmpty }
        for (lines, factors) in [(all, [1.0, 0.85, 0.7, 0.6]), (some, [0.85, 0.7, 0.6]), ([room.number], [0.7, 0.55, 0.45])] {
            for factor in factors {
                for wrap in [nil, bounds.width * 0.8] {
                    let layouts = lines.enumerated().map { index, line in
                        canvas.layout(line, style.text(factor, index == 0 ? .bold : .regular, alignment: .centre), width: wrap.map { max(10, $0) }, maximumLines: wrap == nil ? nil : 3)
                    }
                    guard layouts.allSatisfy({ !$0.isEllipsized }) else { continue }
                    let (width, height) = (layouts.map(\.width).max() ?? 0, layouts.map(\.height).reduce(0, +))
                    for anchor in anchors {
                        let box = Box(x: anchor.x - width / 2, y: anchor.y - height / 2, width: width, height: height)
                        guard map.contains(box), Self.holds(polygon, box.inset(by: -1.5)), !placement.taken.contains(where: { $0.overlaps(box) }) else { continue }
                        placement.block(box)
                        canvas.rectangle(box.inset(dx: -1, dy: 0))
                        canvas.fill(.white)
                        var y = box.y
                        for layout in layouts {
                            // The layout is centred here, since wrapped lines are centred in the
                            // width that wraps them.
                            let left = layout.lines.map(\.box.x).min() ?? 0
                            canvas.draw(layout, at: Point(x: anchor.x - layout.width / 2 - left, y: y))
                            y += layout.height
                        }
                        return
                    }
                }
            }
        }
    }

    /// Points inside the room, those furthest from all walls first.
    private func anchors(_ polygon: [Point], _ bounds: Box) -> [Point] {
        var found: [(Point, Double)] = []
        let steps = 12
        for row in 0..<steps {
            for column in 0..<steps {
                let point = Point(
                    x: bounds.x + (Double(column) + 0.5) * bounds.width / Double(steps), y: bounds.y + (Double(row) + 0.5) * bounds.height / Double(steps))
                guard Self.holds(polygon, point) else { continue }
                found.append((point, Self.distance(polygon, point)))
            }
        }
        // The middle of the room is preferred to points that are about as far from the walls.
        if Self.holds(polygon, bounds.middle) { found.append((bounds.middle, Self.distance(polygon, bounds.middle) * 1.15)) }
        return found.enumerated().sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }.map(\.element.0)
    }

    static func holds(_ polygon: [Point], _ point: Point) -> Bool {
        var isInside = false
        for (index, start) in polygon.enumerated() {
            let end = polygon[(index + 1) % polygon.count]
            if (start.y > point.y) != (end.y > point.y), point.x < (end.x - start.x) * (point.y - start.y) / (end.y - start.y) + start.x { isInside.toggle() }
        }
        return isInside
    }

    /// Whether a box lies inside a polygon: all its corners do, and no edge crosses the box.
    static func holds(_ polygon: [Point], _ box: Box) -> Bool {
        let corners = [Point(x: box.x, y: box.y), Point(x: box.right, y: box.y), Point(x: box.right, y: box.bottom), Point(x: box.x, y: box.bottom)]
        guard corners.allSatisfy({ holds(polygon, $0) }) else { return false }
        for (index, start) in polygon.enumerated() where crosses(start, polygon[(index + 1) % polygon.count], box) { return false }
        return true
    }

    /// Whether a segment touches a box (Liang and Barsky).
    private static func crosses(_ start: Point, _ end: Point, _ box: Box) -> Bool {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        var (enter, leave) = (0.0, 1.0)
        for (direction, distance) in [(-dx, start.x - box.x), (dx, box.right - start.x), (-dy, start.y - box.y), (dy, box.bottom - start.y)] {
            if direction == 0 {
                if distance < 0 { return false }
                continue
            }
            let share = distance / direction
            if direction < 0 { enter = max(enter, share) } else { leave = min(leave, share) }
        }
        return enter <= leave
    }

    private static func distance(_ polygon: [Point], _ point: Point) -> Double {
        var nearest = Double.infinity
        for (index, start) in polygon.enumerated() {
            let end = polygon[(index + 1) % polygon.count]
            let (dx, dy) = (end.x - start.x, end.y - start.y)
            let length = dx * dx + dy * dy
            let share = length == 0 ? 0 : max(0, min(1, ((point.x - start.x) * dx + (point.y - start.y) * dy) / length))
            let (x, y) = (start.x + share * dx - point.x, start.y + share * dy - point.y)
            nearest = min(nearest, x * x + y * y)
        }
        return nearest.squareRoot()
    }
}
