internal import Canvas

/// The legend below a plan: its states, its kinds of assets, and what the signs on marks mean, in
/// rows.
struct PlanLegend {
    private enum Sample {
        case state(ChartInk)
        case mark(AssetMark)
    }

    private let style: DrawingStyle
    private let rows: [[(sample: Sample, layout: TextLayout, x: Double)]]

    private static let rowHeight = 16.0
    private static let markSize = 6.4

    init(plan: PlanDrawing, width: Double, _ typesetter: Typesetter) {
        style = plan.style
        let states = Set((plan.extractRoom.map { [$0] } ?? plan.rooms).compactMap(\.state))
        var entries = plan.states.indices.filter(states.contains).map { (Sample.state(plan.ink(ofState: $0)), plan.states[$0].name) }
        let kinds = Set(plan.assets.map(\.kind))
        entries += plan.kinds.indices.filter(kinds.contains).map { kind in
            (.mark(plan.mark(.init(point: nil, kind: kind))), plan.kinds[kind].name)
        }
        let progresses = Set(plan.assets.map(\.progress))
        for progress in PlanDrawing.Asset.Progress.allCases where progress != .settled && progresses.contains(progress) {
            guard let name = plan.progressNames[progress] else { continue }
            entries.append((.mark(AssetMark(kind: 0, icon: "", progress: progress, style: plan.style)), name))
        }
        var rows: [[(sample: Sample, layout: TextLayout, x: Double)]] = []
        var x = 0.0
        for (sample, name) in entries where !name.isEmpty {
            let layout = TextLayout(name, plan.style.text(0.9), width: max(20, min(170, width - 30)), maximumLines: 1, typesetter: typesetter)
            let needed = 24 + layout.width + 12
            if rows.isEmpty || x + needed > width {
                rows.append([])
                x = 0
            }
            rows[rows.count - 1].append((sample, layout, x))
            x += needed
        }
        self.rows = rows
    }

    var height: Double { Double(rows.count) * Self.rowHeight }

    func draw(on canvas: Canvas, in box: Box) {
        for (index, row) in rows.enumerated() {
            let middle = box.y + (Double(index) + 0.5) * Self.rowHeight
            for entry in row {
                let sample = Box(x: box.x + entry.x, y: middle - 5, width: 20, height: 10)
                switch entry.sample {
                case .state(let ink): ink.fill(sample, on: canvas, style)
                case .mark(let mark): mark.draw(on: canvas, at: Point(x: sample.right - Self.markSize - 1, y: middle), size: Self.markSize)
                }
                canvas.draw(entry.layout, at: Point(x: sample.right + 4, y: middle - entry.layout.height / 2))
            }
        }
    }
}
