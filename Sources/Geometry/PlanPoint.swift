/// A point of a plan, in metres along the plan's axes.
package struct PlanPoint: Sendable, Hashable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    package func distance(to other: PlanPoint) -> Double {
        let (dx, dy) = (other.x - x, other.y - y)
        return (dx * dx + dy * dy).squareRoot()
    }

    /// Twice the area of the triangle with two other points; positive when the three turn left.
    func turn(_ second: PlanPoint, _ third: PlanPoint) -> Double {
        (second.x - x) * (third.y - y) - (second.y - y) * (third.x - x)
    }

    /// The distance from the point to the segment between two others.
    func distance(toSegment start: PlanPoint, _ end: PlanPoint) -> Double {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let square = dx * dx + dy * dy
        guard square > 0 else { return distance(to: start) }
        let share = min(1, max(0, ((x - start.x) * dx + (y - start.y) * dy) / square))
        return distance(to: PlanPoint(x: start.x + share * dx, y: start.y + share * dy))
    }
}
