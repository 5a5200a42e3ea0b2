package import Blocks
import Canvas
package import Drawing

extension DrawingMaker {
    package func plan(_ content: PlanContent) -> PlanDrawing {
        var drawing = PlanDrawing(rooms: content.rooms.map { room in
            let lines = room.label.split(separator: "\n").map(String.init)
            let count = room.count.map { $0 > 0 ? words("assets", ["count": String($0)]) : "" } ?? ""
            return PlanDrawing.Room(polygon: room.polygon.map(Self.point), number: lines.first ?? "", details: lines.dropFirst() + [count], state: room.state)
        })
        drawing.background = content.background.map { $0.map(Self.point) }
        drawing.boundary = content.boundary.map(Self.point)
        drawing.assets = content.points.map { point in
            let progress: PlanDrawing.Asset.Progress = switch point.progress {
            case .settled: .settled
            case .waiting: .waiting
            case .failed: .failed
            }
            return .init(point: point.position.map(Self.point), kind: point.kind, number: point.number, progress: progress)
        }
        drawing.north = content.north.map { $0 * .pi / 180 }
        drawing.states = content.states.map { .init(name: $0.name, colour: $0.tint.map { Colour($0) }) }
        drawing.kinds = content.kinds.map { .init(name: $0.name ?? words("asset"), icon: $0.icon) }
        drawing.progressNames = [.waiting: words("plan_waiting"), .failed: words("plan_failed")]
        if content.showsMarkedOnly { drawing.extract = content.rooms.firstIndex { $0.isMarked } }
        drawing.emptyLabel = content.empty ?? words("no_plan")
        drawing.style = style
        return drawing
    }

    private static func point(_ position: Position) -> Point { Point(x: position.x, y: position.y) }

    /// What a reader of the plan would miss: rooms by their key, and what is not drawn.
    package func notes(_ plan: PlanArrangement, of content: PlanContent) -> [String] {
        func rooms(_ indices: [Int]) -> [String] { indices.map { content.rooms[$0].label.split(separator: "\n").joined(separator: " · ") } }
        func points(_ indices: [Int]) -> [String] { indices.map { content.points[$0].called.isEmpty ? words("asset") : content.points[$0].called } }
        let leftOut = plan.leftOut
        let lists = [
            ("plan_keys", rooms(leftOut.keyed).enumerated().map { "(\($0.offset + 1)) \($0.element)" }), ("plan_unlabelled", rooms(leftOut.unlabelled)),
            ("plan_missing", content.missing), ("plan_outside", points(leftOut.outside)), ("plan_unplaced", points(leftOut.unplaced)),
            ("plan_crowded", points(leftOut.crowded)),
        ]
        return lists.filter { !$0.1.isEmpty }.map { words($0.0, ["list": $0.1.joined(separator: "; ")]) }
    }
}
