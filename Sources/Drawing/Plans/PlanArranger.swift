internal import Blocks
internal import Canvas

/// Finds the position of each part of a plan: first the marks at their points, then the rooms'
/// labels, then the marks and numbers that must be moved.
struct PlanArranger {
    private let plan: PlanDrawing
    private let typesetter: Typesetter
    private var result: PlanArrangement
    private var placement: LabelPlacement
    /// The visible rooms, with their outlines on the page.
    private let outlines: [(index: Int, outline: Outline, bounds: Box)]
    /// The lines of the background drawing, on the page.
    private let lines: [(Point, Point)]

    /// The height of the scale bar and the north arrow below the map, in points.
    static let footer = 32.0
    /// Radii of marks in points: icons are 3 to 5 millimetres wide.
    private static let radii = 4.3...7.1
    private static let scales: [Double] = [
        5, 10, 20, 25, 50, 75, 100, 125, 150, 200, 250, 300, 400, 500, 750, 1000, 1250, 1500, 2000, 2500, 5000, 10_000,
    ]
    /// Between the others, so that a room fills its frame. All are on rulers.
    private static let scalesOfRooms: [Double] = [15, 30, 40, 60, 80]

    init(_ plan: PlanDrawing, width: Double, height: Double, _ typesetter: Typesetter) {
        self.plan = plan
        self.typesetter = typesetter
        let box = Box(x: 0, y: 0, width: width, height: height)
        let legend = PlanLegend(plan: plan, width: width, typesetter)
        let map = Box(x: 0, y: 0, width: width, height: max(20, height - Self.footer - legend.height))
        placement = LabelPlacement(frame: map)
        let shown =
            plan.extractRoom?.polygon
            ?? (plan.rooms.flatMap(\.polygon) + plan.boundary
                + (plan.rooms.isEmpty ? plan.background.flatMap { $0 } : []))
        guard let extent = Box(around: shown.filter { $0.x.isFinite && $0.y.isFinite }),
            extent.width > 0 || extent.height > 0
        else {
            result = PlanArrangement(plan, box: box, map: map, legend: legend, ratio: nil) { $0 }
            (outlines, lines) = ([], [])
            return
        }
        let room = map.inset(by: plan.extractRoom == nil ? 8 : 4)
        let fitting = min(room.width / max(extent.width, 0.01), room.height / max(extent.height, 0.01))
        // The scale is the largest usual one at which the plan fits.
        let exact = DrawingStyle.points(perMetreAt: 1) / fitting
        let scales = plan.extractRoom == nil ? Self.scales : (Self.scales + Self.scalesOfRooms).sorted()
        let ratio = scales.first { $0 >= exact } ?? exact
        let perMetre = DrawingStyle.points(perMetreAt: ratio)
        let centre = extent.middle
        let onPage = { (point: Point) in
            Point(x: map.middle.x + (point.x - centre.x) * perMetre, y: map.middle.y - (point.y - centre.y) * perMetre)
        }
        result = PlanArrangement(plan, box: box, map: map, legend: legend, ratio: ratio, onPage: onPage)
        result.markSize = max(Self.radii.lowerBound, min(Self.radii.upperBound, perMetre * 0.35))
        outlines = plan.rooms.indices.compactMap { index in
            guard plan.extractRoom == nil || plan.extract == index else { return nil }
            let outline = Outline(plan.rooms[index].polygon.map(onPage))
            return Box(around: outline.points).flatMap { $0.overlaps(map) ? (index, outline, $0) : nil }
        }
        lines = plan.background.flatMap { line in zip(line, line.dropFirst()).map { (onPage($0), onPage($1)) } }
    }

    mutating func arrange() -> PlanArrangement {
        guard result.ratio != nil else {
            result.leftOut.unplaced = Array(plan.assets.indices)
            return result
        }
        let waiting = placeMarks()
        placeLabels()
        placeNumbers()
        placeAside(waiting)
        result.leftOut.crowded.sort()
        return result
    }

    // MARK: Marks

    /// Places the marks at their points.
    /// - Returns: the assets whose point is covered by another mark.
    private mutating func placeMarks() -> [Int] {
        var waiting: [Int] = []
        let size = result.markSize
        for (index, asset) in plan.assets.enumerated() {
            guard let point = asset.point.map(result.onPage), point.x.isFinite, point.y.isFinite else {
                result.leftOut.unplaced.append(index)
                continue
            }
            let box = Box(x: point.x - size, y: point.y - size, width: 2 * size, height: 2 * size)
            if !result.map.contains(box) {
                result.leftOut.outside.append(index)
            } else if placement.isFree(box) {
                add(.init(index: index, asset: asset, centre: point))
            } else {
                waiting.append(index)
            }
        }
        return waiting
    }

    /// Places marks beside their points, each with its number, in the point's room if possible. Assets with
    /// the same point, such as those without a place of their own in their room, are placed around it. A line leads
    /// from each to the nearest mark.
    private mutating func placeAside(_ waiting: [Int]) {
        var clusters: [Point: MarkCluster] = [:]
        for index in waiting {
            let asset = plan.assets[index]
            guard let point = asset.point.map(result.onPage) else { continue }
            // The sign of an upload stands out of the disc.
            let radius = result.markSize * (asset.progress == .settled ? 1 : 1.25)
            let number = number(of: asset)
            let width = 2 * radius + (number.map { $0.width + 1 } ?? 0)
            var cluster = clusters[point] ?? MarkCluster(about: point, in: room(about: point))
            let box = cluster.place(width: width, height: max(2 * radius, number?.height ?? 0), &placement)
            if let box {
                let centre = Point(x: box.x + radius, y: box.middle.y)
                let leader = cluster.marks.min { $0.distance(to: centre) < $1.distance(to: centre) }
                let numberBox = number.map {
                    Box(x: centre.x + radius + 1, y: centre.y - $0.height / 2, width: $0.width, height: $0.height)
                }
                cluster.marks.append(centre)
                add(.init(
                    index: index, asset: asset, centre: centre, leader: leader,
                    number: number.flatMap { layout in numberBox.map { (layout, $0) } }))
            } else {
                result.leftOut.crowded.append(index)
            }
            clusters[point] = cluster
        }
    }

    private func room(about point: Point) -> Outline? { outlines.first { $0.outline.holds(point) }?.outline }

    private func number(of asset: PlanDrawing.Asset) -> TextLayout? {
        guard !asset.number.isEmpty else { return nil }
        return TextLayout(asset.number, plan.style.text(0.8, .bold), typesetter: typesetter)
    }

    private mutating func add(_ mark: PlanArrangement.Mark) {
        let size = result.markSize
        placement.block(Box(x: mark.centre.x - size, y: mark.centre.y - size, width: 2 * size, height: 2 * size))
        if mark.asset.progress != .settled { placement.block(AssetMark.sign(at: mark.centre, size: size)) }
        result.marks.append(mark)
    }

    private mutating func placeNumbers() {
        for place in result.marks.indices {
            let mark = result.marks[place]
            guard let layout = number(of: mark.asset) else { continue }
            // A number beside its mark needs no leader; one further away would seem to belong to another mark.
            let near = placement.place(
                width: layout.width, height: layout.height, about: mark.centre, gap: result.markSize + 0.5, rings: 2)
            if let near {
                result.marks[place].number = (layout, near.box)
                continue
            }
            var cluster = MarkCluster(about: mark.centre, in: room(about: mark.centre))
            let far = cluster.place(width: layout.width, height: layout.height, &placement)
            if let far {
                result.marks[place].number = (layout, far)
                result.marks[place].hasFarNumber = true
            } else {
                result.leftOut.crowded.append(mark.index)
            }
        }
    }

    // MARK: Labels of rooms

    private mutating func placeLabels() {
        let labelled = outlines.map {
            (
                index: $0.index, outline: $0.outline, bounds: $0.bounds,
                label: RoomLabel(room: plan.rooms[$0.index], style: plan.style, typesetter: typesetter)
            )
        }
        let homeless = labelled.filter { !$0.label.room.number.isEmpty || !$0.label.room.details.isEmpty }.filter {
            room in
            guard
                let (lines, box) = placeInside(
                    room.outline, room.bounds, room.label.candidates(width: room.bounds.width))
            else { return true }
            result.labels.append(.init(lines: lines, box: box, ground: plan.ink(ofState: room.label.room.state).colour))
            return false
        }
        guard !homeless.isEmpty else { return }
        var free = freeGround()
        for room in homeless {
            guard let lines = room.label.short,
                let start = room.outline.innerPoints().first ?? Optional(room.bounds.middle)
            else { continue }
            if let box = placeOutside(lines, of: start, &free) {
                result.labels.append(.init(lines: lines, box: box, ground: .white, leader: start))
            } else if let (key, box) = placeInside(
                room.outline, room.bounds, [[keyText(result.leftOut.keyed.count + 1)]])
            {
                result.labels.append(
                    .init(lines: key, box: box, ground: plan.ink(ofState: room.label.room.state).colour))
                result.leftOut.keyed.append(room.index)
            } else {
                result.leftOut.unlabelled.append(room.index)
            }
        }
    }

    private func keyText(_ number: Int) -> RoomLabel.Lines {
        RoomLabel.Lines(layouts: [TextLayout("(\(number))", plan.style.text(0.8), typesetter: typesetter)])
    }

    /// In each group of candidates, a label that crosses no line of the drawing is preferred.
    private mutating func placeInside(_ outline: Outline, _ bounds: Box, _ groups: [[RoomLabel.Lines]]) -> (
        RoomLabel.Lines, Box
    )? {
        let anchors = outline.innerPoints()
        let lines = lines.filter { bounds.isCrossed(from: $0.0, to: $0.1) }
        for group in groups {
            var second: (RoomLabel.Lines, Box)?
            for label in group {
                guard label.width <= bounds.width, label.height <= bounds.height else { continue }
                for anchor in anchors {
                    let box = Box(
                        x: anchor.x - label.width / 2, y: anchor.y - label.height / 2, width: label.width,
                        height: label.height)
                    guard result.map.contains(box), placement.isFree(box), outline.holds(box.inset(by: -1.5)) else {
                        continue
                    }
                    if !lines.contains(where: { box.isCrossed(from: $0.0, to: $0.1) }) {
                        placement.block(box.inset(by: -Self.margin))
                        return (label, box)
                    }
                    if second == nil { second = (label, box) }
                }
            }
            if let second {
                placement.block(second.1.inset(by: -Self.margin))
                return second
            }
        }
        return nil
    }

    /// The minimum distance between assets' numbers and a label, in points.
    private static let margin = 2.0
    private static let step = 6.0
    /// Readers cannot follow a longer leader, so a room that would need one gets a key.
    private static let longestLeader = 120.0

    /// Points of the map outside all rooms, in a grid.
    private func freeGround() -> [Point] {
        let rooms = plan.rooms.map { Outline($0.polygon.map(result.onPage)) }.compactMap { outline in
            Box(around: outline.points).map { (outline, $0) }
        }
        var points: [Point] = []
        for row in 0..<Int(result.map.height / Self.step) {
            for column in 0..<Int(result.map.width / Self.step) {
                let point = Point(
                    x: result.map.x + (Double(column) + 0.5) * Self.step,
                    y: result.map.y + (Double(row) + 0.5) * Self.step)
                if !rooms.contains(where: { $0.1.contains(point) && $0.0.holds(point) }) { points.append(point) }
            }
        }
        return points
    }

    /// A place for a label on free ground with a leader that crosses no text and no other leader.
    private mutating func placeOutside(_ lines: RoomLabel.Lines, of start: Point, _ free: inout [Point]) -> Box? {
        func distance(_ point: Point) -> Double {
            (point.x - start.x) * (point.x - start.x) + (point.y - start.y) * (point.y - start.y)
        }
        let walls = Outline(plan.boundary.map(result.onPage))
        let near = free.map { ($0, distance($0)) }.filter { $0.1 < Self.longestLeader * Self.longestLeader }.sorted {
            $0.1 < $1.1
        }
        for (point, _) in near {
            let box = Box(
                x: point.x - lines.width / 2, y: point.y - lines.height / 2, width: lines.width, height: lines.height)
            let end = box.nearest(to: start)
            guard result.map.contains(box), placement.isFree(box.inset(by: -1)), !walls.crosses(box),
                !outlines.contains(where: { $0.bounds.overlaps(box) && $0.outline.touches(box) }),
                !result.labels.contains(where: {
                    $0.box.isCrossed(from: start, to: end)
                        || $0.leader.map { [box = $0.box] in Self.cross(start, end, box.nearest(to: $0), $0) } ?? false
                }),
                !result.labels.contains(where: { label in
                    label.leader.map { box.isCrossed(from: label.box.nearest(to: $0), to: $0) } ?? false
                })
            else { continue }
            placement.block(box.inset(by: -Self.margin))
            free.removeAll { box.inset(by: -Self.step / 2).contains($0) }
            return box
        }
        return nil
    }

    /// Whether two segments cross.
    private static func cross(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
        func side(_ p: Point, _ q: Point, _ r: Point) -> Double {
            (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
        }
        return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
    }
}
