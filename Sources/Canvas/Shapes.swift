/// A place on a page: points (1/72 in) from its upper left corner, y downwards.
package struct Point: Sendable, Hashable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A rectangle in points, y downwards.
package struct Box: Sendable, Hashable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package var right: Double { x + width }
    package var bottom: Double { y + height }
    package var middle: Point { Point(x: x + width / 2, y: y + height / 2) }

    /// The box reduced by the same margin on every side, never smaller than empty.
    package func inset(by margin: Double) -> Box { inset(dx: margin, dy: margin) }

    package func inset(dx: Double, dy: Double) -> Box {
        Box(x: x + min(dx, width / 2), y: y + min(dy, height / 2), width: max(0, width - 2 * dx), height: max(0, height - 2 * dy))
    }

    /// Whether two boxes overlap by more than `tolerance` in both directions.
    package func overlaps(_ other: Box, tolerance: Double = 0.01) -> Bool {
        min(right, other.right) - max(x, other.x) > tolerance && min(bottom, other.bottom) - max(y, other.y) > tolerance
    }

    package func contains(_ other: Box, tolerance: Double = 0.01) -> Bool {
        other.x >= x - tolerance && other.y >= y - tolerance && other.right <= right + tolerance && other.bottom <= bottom + tolerance
    }

    package func contains(_ point: Point) -> Bool { point.x >= x && point.x <= right && point.y >= y && point.y <= bottom }

    /// The smallest box around both boxes.
    package func union(_ other: Box) -> Box {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return Box(x: left, y: top, width: max(right, other.right) - left, height: max(bottom, other.bottom) - top)
    }

    /// The smallest box around all points; nil without points.
    package init?(around points: some Sequence<Point>) {
        var (left, top, right, bottom) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
        for point in points {
            (left, top) = (min(left, point.x), min(top, point.y))
            (right, bottom) = (max(right, point.x), max(bottom, point.y))
        }
        guard left <= right, top <= bottom else { return nil }
        self.init(x: left, y: top, width: right - left, height: bottom - top)
    }
}
