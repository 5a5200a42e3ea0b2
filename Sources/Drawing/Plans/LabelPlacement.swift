internal import Canvas

/// Finds places for labels around points. No label covers another label or a point, or leaves its
/// frame.
struct LabelPlacement {
    let frame: Box
    /// The occupied boxes.
    private(set) var taken: [Box] = []

    init(frame: Box) { self.frame = frame }

    mutating func block(_ box: Box) { taken.append(box) }

    func isFree(_ box: Box) -> Bool { !taken.contains { $0.overlaps(box) } }

    /// Reserves a place for a label: right of its point if that place is free, otherwise around the
    /// point, otherwise further away.
    /// - Parameters:
    ///   - rings: the number of rings of places that are tried around the point.
    ///   - isAllowed: whether the label may be in a given free place.
    /// - Returns: nil when every tried place is occupied.
    mutating func place(
        width: Double, height: Double, about point: Point, gap: Double, rings: Int = 14,
        where isAllowed: (Box) -> Bool = { _ in true }
    ) -> (box: Box, isFar: Bool)? {
        for ring in 0..<rings {
            let distance = gap + Double(ring) * height * 0.75
            let directions = ring == 0 ? 8 : 16
            for step in 0..<directions {
                // The first ring tries right, left, above and below, then the diagonals; further
                // rings try places all around the point. The order is the same in every run.
                let turn = ring == 0 ? [0.0, 4, 6, 2, 7, 1, 5, 3][step] / 8 : Double(step) / 16
                let (across, down) = (cosine(turn * 2 * .pi), sine(turn * 2 * .pi))
                let centre = Point(
                    x: point.x + across * (distance + width / 2), y: point.y + down * (distance + height / 2))
                let box = Box(x: centre.x - width / 2, y: centre.y - height / 2, width: width, height: height)
                guard frame.contains(box), isFree(box), isAllowed(box) else { continue }
                taken.append(box)
                return (box, ring > 0)
            }
        }
        return nil
    }
}

/// The places of marks around one point: the nearest free one each, first in the point's room, then anywhere.
struct MarkCluster {
    private let point: Point
    private let room: Outline?
    /// The point, and the middles of the marks that have their places.
    var marks: [Point]
    /// Offsets before this one were tried. A place that was taken is never free again.
    private var next = 0
    private var isRoomFull: Bool

    private static let step = 4.0
    /// Readers do not find a mark further from its point, in steps.
    private static let reach = 60
    /// Offsets from the point, the nearest first, in the same order in every run.
    private static let offsets: [(x: Double, y: Double)] = {
        let offsets = (-reach...reach).flatMap { row in (-reach...reach).map { (x: $0, y: row) } }
        let near = offsets.map { (offset: $0, square: $0.x * $0.x + $0.y * $0.y) }.filter { $0.square <= reach * reach }
        return near.sorted { ($0.square, $0.offset.y, $0.offset.x) < ($1.square, $1.offset.y, $1.offset.x) }.map {
            (Double($0.offset.x) * step, Double($0.offset.y) * step)
        }
    }()

    /// - Parameter room: the outline of the point's room; nil: the point lies in none.
    init(about point: Point, in room: Outline?) {
        self.point = point
        self.room = room
        marks = [point]
        isRoomFull = room == nil
    }

    /// Reserves the place for a box; nil when there is none.
    mutating func place(width: Double, height: Double, _ placement: inout LabelPlacement) -> Box? {
        while true {
            while next < Self.offsets.count {
                let offset = Self.offsets[next]
                let box = Box(
                    x: point.x + offset.x - width / 2, y: point.y + offset.y - height / 2, width: width, height: height)
                if placement.frame.contains(box), placement.isFree(box.inset(by: -0.5)),
                    isRoomFull || room?.holds(box) != false
                {
                    placement.block(box)
                    return box
                }
                next += 1
            }
            guard !isRoomFull else { return nil }
            (isRoomFull, next) = (true, 0)
        }
    }
}

extension Point {
    func distance(to other: Point) -> Double {
        ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
}
