import Model

/// The points on a plan: a query's rows, with what marks and lists show of each.
struct PlanPoints {
    private let query: String
    private let point: String
    private let number: String?
    private let called: ReportText?
    private let kind: String?
    private let icon: String?
    private let waiting: Expression?
    private let failed: Expression?

    init?(_ template: PackNode) {
        guard let query = template.text("points"), let point = template.text("point") else { return nil }
        self.query = query
        self.point = point
        number = template.text("number")
        called = template.reportText("called")
        kind = template.text("kind")
        icon = template.text("icon")
        waiting = template.expression("waiting")
        failed = template.expression("failed")
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> (points: [PlanContent.Mark], kinds: [PlanContent.Kind]) {
        var points: [PlanContent.Mark] = []
        var kinds: [PlanContent.Kind] = []
        for row in try context.rows(query, for: row) {
            let kind = PlanContent.Kind(name: self.kind.flatMap { row.text($0) }, icon: icon.flatMap { row.text($0) })
            if !kinds.contains(kind) { kinds.append(kind) }
            let number = number.flatMap { row.text($0) } ?? ""
            var progress = PlanContent.Progress.settled
            if let waiting, try context.holds(waiting, row) { progress = .waiting }
            if let failed, try context.holds(failed, row) { progress = .failed }
            let positions = PlanJSON.points(row.text(point)).map { Optional($0) }
            for position in positions.isEmpty ? [nil] : positions {
                points.append(.init(
                    position: position, kind: kinds.firstIndex(of: kind) ?? 0, number: number, called: context.text(called, row) ?? number,
                    progress: progress))
            }
        }
        return (points, kinds)
    }
}
