internal import Canvas

/// A closed outline on the page, with tests for points and boxes inside it, and the distance from
/// its edges.
struct Outline {
    let points: [Point]

    init(_ points: [Point]) { self.points = points }

    private var edges: some Sequence<(Point, Point)> { zip(points, points.dropFirst() + points.prefix(1)) }

    /// Whether a point is inside.
    func holds(_ point: Point) -> Bool {
        var isInside = false
        for (start, end) in edges where (start.y > point.y) != (end.y > point.y) {
            if point.x < (end.x - start.x) * (point.y - start.y) / (end.y - start.y) + start.x { isInside.toggle() }
        }
        return isInside
    }

    /// Whether a box is inside: all its corners are inside, and no edge crosses the box.
    func holds(_ box: Box) -> Bool {
        let corners = [
            Point(x: box.x, y: box.y), Point(x: box.right, y: box.y), Point(x: box.right, y: box.bottom),
            Point(x: box.x, y: box.bottom),
        ]
        return corners.allSatisfy(holds) && !crosses(box)
    }

    func crosses(_ box: Box) -> Bool { edges.contains { box.isCrossed(from: $0, to: $1) } }

    /// Whether a box overlaps the outline's area.
    func touches(_ box: Box) -> Bool { crosses(box) || holds(box.middle) }

    /// The distance from a point to the nearest edge.
    func distance(to point: Point) -> Double {
        var nearest = Double.infinity
        for (start, end) in edges {
            let (dx, dy) = (end.x - start.x, end.y - start.y)
            let length = dx * dx + dy * dy
            let share = length == 0 ? 0 : max(0, min(1, ((point.x - start.x) * dx + (point.y - start.y) * dy) / length))
            let (x, y) = (start.x + share * dx - point.x, start.y + share * dy - point.y)
            nearest = min(nearest, x * x + y * y)
        }
        return nearest.squareRoot()
    }

    /// Points inside the outline, those furthest from all edges first.
    func innerPoints() -> [Point] {
        guard let bounds = Box(around: points) else { return [] }
        var found: [(Point, Double)] = []
        let steps = 12
        for row in 0..<steps {
            for column in 0..<steps {
                let point = Point(
                    x: bounds.x + (Double(column) + 0.5) * bounds.width / Double(steps),
                    y: bounds.y + (Double(row) + 0.5) * bounds.height / Double(steps))
                if holds(point) { found.append((point, distance(to: point))) }
            }
        }
        // The middle is preferred to points at about the same distance from the edges.
        if holds(bounds.middle) { found.append((bounds.middle, distance(to: bounds.middle) * 1.15)) }
        return found.enumerated().sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }.map(\.element.0)
    }
}

extension Box {
    /// Whether a segment touches the box (Liang and Barsky).
    func isCrossed(from start: Point, to end: Point) -> Bool {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        var (enter, leave) = (0.0, 1.0)
        for (direction, distance) in [
            (-dx, start.x - x), (dx, right - start.x), (-dy, start.y - y), (dy, bottom - start.y),
        ] {
            if direction == 0 {
                if distance < 0 { return false }
                continue
            }
            let share = distance / direction
            if direction < 0 { enter = max(enter, share) } else { leave = min(leave, share) }
        }
        return enter <= leave
    }

    /// The point of the box that is nearest to another point.
    func nearest(to point: Point) -> Point { Point(x: max(x, min(right, point.x)), y: max(y, min(bottom, point.y))) }
}
