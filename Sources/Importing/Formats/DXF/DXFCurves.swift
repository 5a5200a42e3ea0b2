import Foundation
import Geometry

/// Converts curves to straight segments. None is further from its curve than a tolerance, in the
/// drawing's units.
enum DXFCurves {
    /// The most segments for an arc, or for one span of a spline. A curve that would need more
    /// exceeds the tolerance.
    private static let mostPieces = 10_000
    /// The most times that a span of a spline or ellipse is halved.
    private static let deepest = 12
    /// The largest angle of one segment of an arc, even of a small arc: five degrees.
    private static let widest = Double.pi / 36

    /// Points on an arc that starts at an angle and turns by another (both in radians,
    /// counterclockwise), including both ends.
    static func arc(centre: PlanPoint, radius: Double, from start: Double, turn: Double, tolerance: Double)
        -> [PlanPoint]
    {
        let steps = pieces(radius: radius, turn: turn, tolerance: tolerance)
        return (0...steps).map { step in
            let angle = start + turn * Double(step) / Double(steps)
            return PlanPoint(x: centre.x + radius * cos(angle), y: centre.y + radius * sin(angle))
        }
    }

    static func pieces(radius: Double, turn: Double, tolerance: Double) -> Int {
        let step = tolerance < radius ? min(widest, 2 * acos(1 - tolerance / radius)) : widest
        return max(1, min(mostPieces, Int((abs(turn) / step).rounded(.up))))
    }

    /// An ellipse by its centre, the end of its major half axis relative to the centre, and the
    /// ratio of the minor axis to it; parameters in radians.
    static func ellipse(
        centre: PlanPoint, axis: PlanPoint, ratio: Double, from start: Double, to end: Double, tolerance: Double,
        limit: Int
    ) -> [PlanPoint] {
        let turn = end > start ? end - start : end - start + 2 * .pi
        let spans = max(1, Int((turn / (.pi / 4)).rounded(.up)))
        let bounds = (0...spans).map { start + turn * Double($0) / Double(spans) }
        return flattened(bounds, tolerance: tolerance, limit: limit) { parameter in
            let (along, across) = (cos(parameter), sin(parameter) * ratio)
            return PlanPoint(
                x: centre.x + axis.x * along - axis.y * across, y: centre.y + axis.y * along + axis.x * across)
        }
    }

    /// A spline by its control points, knots and weights (all 1 if there are none); nil if these
    /// are inconsistent.
    static func spline(
        degree: Int, control: [PlanPoint], knots: [Double], weights: [Double], tolerance: Double, limit: Int
    ) -> [PlanPoint]? {
        guard (1...10).contains(degree), control.count > degree, knots.count == control.count + degree + 1,
            weights.isEmpty || (weights.count == control.count && weights.allSatisfy { $0 > 0 }),
            zip(knots, knots.dropFirst()).allSatisfy({ $0 <= $1 }), knots[degree] < knots[control.count]
        else { return nil }
        var bounds = [knots[degree]]
        for knot in knots[degree...control.count] where knot > bounds[bounds.count - 1] { bounds.append(knot) }
        // Parameters mostly grow: the search for a parameter's knots continues from the last one.
        var span = degree
        return flattened(bounds, tolerance: tolerance, limit: limit) { parameter in
            while span > degree, knots[span] > parameter { span -= 1 }
            while span < control.count - 1, knots[span + 1] <= parameter { span += 1 }
            return deBoor(degree, span, parameter, control, knots, weights)
        }
    }

    /// A cubic spline through given points, parametrised by the chords between them. Nil if fewer
    /// than two points differ. At an end without a given direction the curvature is zero (natural);
    /// a closed spline is smooth where it returns to its start.
    static func spline(
        through given: [PlanPoint], start: PlanPoint?, end: PlanPoint?, isClosed: Bool, tolerance: Double, limit: Int
    ) -> [PlanPoint]? {
        var points: [PlanPoint] = []
        for point in given where point != points.last { points.append(point) }
        if isClosed, points.count > 1, points.first != points.last { points.append(points[0]) }
        guard points.count > 1 else { return nil }
        var knots = [0.0]
        for (point, next) in zip(points, points.dropFirst()) {
            knots.append(knots[knots.count - 1] + point.distance(to: next))
        }
        guard let total = knots.last, total.isFinite, total > 0 else { return nil }
        let isRing = isClosed && points.count > 3
        let (x, y) = isRing
            ? (ringSlopes(points.map(\.x), knots), ringSlopes(points.map(\.y), knots))
            : (
                slopes(points.map(\.x), knots, unit(start)?.x, unit(end)?.x),
                slopes(points.map(\.y), knots, unit(start)?.y, unit(end)?.y)
            )
        var span = 0
        return flattened(knots, tolerance: tolerance, limit: limit) { parameter in
            while span > 0, knots[span] > parameter { span -= 1 }
            while span < knots.count - 2, knots[span + 1] <= parameter { span += 1 }
            let length = knots[span + 1] - knots[span], share = (parameter - knots[span]) / length
            func value(_ from: Double, _ to: Double, _ slope: Double, _ next: Double) -> Double {
                let (square, rest) = (share * share, 1 - share)
                return from * (1 + 2 * share) * rest * rest + to * square * (3 - 2 * share) + length
                    * (slope * share * rest * rest - next * square * rest)
            }
            return PlanPoint(
                x: value(points[span].x, points[span + 1].x, x[span], x[span + 1]),
                y: value(points[span].y, points[span + 1].y, y[span], y[span + 1]))
        }
    }

    private static func unit(_ vector: PlanPoint?) -> PlanPoint? {
        guard let vector else { return nil }
        let length = (vector.x * vector.x + vector.y * vector.y).squareRoot()
        return length > 0 ? PlanPoint(x: vector.x / length, y: vector.y / length) : nil
    }

    /// Slopes at the knots that make the second derivative continuous. At an end, the slope is the
    /// given one or the one with zero curvature.
    private static func slopes(_ values: [Double], _ knots: [Double], _ start: Double?, _ end: Double?) -> [Double] {
        let last = values.count - 1
        var (below, middle, above, right) = ([0.0], [1.0], [0.0], [start ?? 0])
        func rise(_ index: Int) -> Double { (values[index + 1] - values[index]) / (knots[index + 1] - knots[index]) }
        if start == nil { (middle[0], above[0], right[0]) = (2, 1, 3 * rise(0)) }
        for index in 1..<max(1, last) {
            let (before, after) = (knots[index] - knots[index - 1], knots[index + 1] - knots[index])
            below.append(after)
            middle.append(2 * (before + after))
            above.append(before)
            right.append(3 * (after * rise(index - 1) + before * rise(index)))
        }
        below.append(end == nil ? 1 : 0)
        middle.append(end == nil ? 2 : 1)
        above.append(0)
        right.append(end ?? 3 * rise(last - 1))
        return solved(below, middle, above, right)
    }

    /// The slopes for a ring, whose last value equals its first. A second solution removes the two
    /// corner elements of the matrix (Sherman and Morrison).
    private static func ringSlopes(_ values: [Double], _ knots: [Double]) -> [Double] {
        let count = values.count - 1
        func place(_ index: Int) -> Int { (index + count) % count }
        func length(_ index: Int) -> Double { knots[place(index) + 1] - knots[place(index)] }
        func rise(_ index: Int) -> Double { (values[place(index) + 1] - values[place(index)]) / length(index) }
        let below = (0..<count).map { length($0) }, above = (0..<count).map { length($0 - 1) }
        var middle = (0..<count).map { 2 * (length($0 - 1) + length($0)) }
        let right = (0..<count).map { 3 * (length($0) * rise($0 - 1) + length($0 - 1) * rise($0)) }
        let corner = -middle[0], (first, last) = (below[0], above[count - 1])
        middle[0] -= corner
        middle[count - 1] -= first * last / corner
        var other = Array(repeating: 0.0, count: count)
        (other[0], other[count - 1]) = (corner, last)
        let one = solved(below, middle, above, right), two = solved(below, middle, above, other)
        let share = (one[0] + first * one[count - 1] / corner) / (1 + two[0] + first * two[count - 1] / corner)
        let ring = zip(one, two).map { $0 - share * $1 }
        return ring + [ring[0]]
    }

    /// Solves a tridiagonal system; those of splines are never singular.
    private static func solved(_ below: [Double], _ middle: [Double], _ above: [Double], _ right: [Double]) -> [Double]
    {
        var (middle, right) = (middle, right)
        for index in middle.indices.dropFirst() {
            let share = below[index] / middle[index - 1]
            middle[index] -= share * above[index - 1]
            right[index] -= share * right[index - 1]
        }
        for index in middle.indices.reversed() {
            right[index] =
                (right[index] - (index + 1 < right.count ? above[index] * right[index + 1] : 0)) / middle[index]
        }
        return right
    }

    private static func deBoor(
        _ degree: Int, _ span: Int, _ parameter: Double, _ control: [PlanPoint], _ knots: [Double], _ weights: [Double]
    ) -> PlanPoint {
        var points = (span - degree...span).map { index in
            let weight = weights.isEmpty ? 1 : weights[index]
            return (x: control[index].x * weight, y: control[index].y * weight, weight: weight)
        }
        for level in 1...degree {
            for index in stride(from: degree, through: level, by: -1) {
                let low = knots[span - degree + index], high = knots[span + 1 + index - level]
                let share = high > low ? (parameter - low) / (high - low) : 0
                let (before, after) = (points[index - 1], points[index])
                points[index] = (
                    before.x + (after.x - before.x) * share, before.y + (after.y - before.y) * share,
                    before.weight + (after.weight - before.weight) * share
                )
            }
        }
        return PlanPoint(x: points[degree].x / points[degree].weight, y: points[degree].y / points[degree].weight)
    }

    /// Halves each span until its segment is close enough to the curve. Three points are checked,
    /// so that opposite bends do not cancel out. Stops when there are more points than the limit.
    private static func flattened(_ bounds: [Double], tolerance: Double, limit: Int, at point: (Double) -> PlanPoint)
        -> [PlanPoint]
    {
        var points = [point(bounds[0])]
        func divide(_ start: Double, _ end: Double, _ first: PlanPoint, _ last: PlanPoint, _ depth: Int) {
            guard points.count <= limit else { return }
            let middle = (start + end) / 2, centre = point(middle)
            let quarters = [point((start + middle) / 2), centre, point((middle + end) / 2)]
            if depth >= deepest || (depth > 0 && quarters.allSatisfy { distance($0, first, last) <= tolerance }) {
                points.append(last)
            } else {
                divide(start, middle, first, centre, depth + 1)
                divide(middle, end, centre, last, depth + 1)
            }
        }
        for (start, end) in zip(bounds, bounds.dropFirst()) {
            divide(start, end, points[points.count - 1], point(end), 0)
        }
        return points
    }

    /// Distance of a point from the segment between two other points.
    private static func distance(_ point: PlanPoint, _ start: PlanPoint, _ end: PlanPoint) -> Double {
        let (x, y) = (end.x - start.x, end.y - start.y)
        let length = x * x + y * y
        let share = length > 0 ? max(0, min(1, ((point.x - start.x) * x + (point.y - start.y) * y) / length)) : 0
        return point.distance(to: PlanPoint(x: start.x + x * share, y: start.y + y * share))
    }
}
