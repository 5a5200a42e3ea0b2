internal import Canvas

/// The legend below a plan: its states and its kinds of assets, in rows.
struct PlanLegend {
    let plan: PlanDrawing

    private enum Mark {
        case state(PlanDrawing.State)
        case kind(Int)
    }

    private func rows(_ width: Double, _ typesetter: Typesetter) -> [[(mark: Mark, layout: TextLayout, x: Double)]] {
        let states = Set(plan.shownRooms.map(\.state))
        var entries: [(Mark, String)] = PlanDrawing.State.allCases.filter(states.contains).compactMap { state in
            plan.stateNames[state].map { (.state(state), $0) }
        }
        let kinds = Set(plan.shownAssets.map(\.kind))
        entries += plan.kindNames.indices.filter(kinds.contains).map { (.kind($0), plan.kindNames[$0]) }
        var rows: [[(mark: Mark, layout: TextLayout, x: Double)]] = []
        var x = 0.0
        for (mark, name) in entries {
            let layout = TextLayout(name, plan.style.text(0.9), width: max(20, min(170, width - 30)), maximumLines: 1, typesetter: typesetter)
            let needed = 24 + layout.width + 12
            if rows.isEmpty || x + needed > width {
                rows.append([])
                x = 0
            }
            rows[rows.count - 1].append((mark, layout, x))
            x += needed
        }
        return rows
    }

    private static let rowHeight = 14.0

    func height(width: Double, _ typesetter: Typesetter) -> Double { Double(rows(width, typesetter).count) * Self.rowHeight }

    func draw(on canvas: Canvas, in box: Box) {
        for (index, row) in rows(box.width, canvas.typesetter).enumerated() {
            let middle = box.y + (Double(index) + 0.5) * Self.rowHeight
            for entry in row {
                let sample = Box(x: box.x + entry.x, y: middle - 5, width: 20, height: 10)
                switch entry.mark {
                case .state(let state):
                    canvas.newPath()
                    canvas.rectangle(sample)
                    state.fill(on: canvas, phase: Point(x: sample.x, y: sample.y))
                    canvas.rectangle(sample)
                    canvas.stroke(plan.style.line, width: 0.5)
                case .kind(let kind): AssetMark(kind: kind).draw(on: canvas, at: Point(x: sample.right - 5, y: middle), size: 3.6)
                }
                canvas.draw(entry.layout, at: Point(x: sample.right + 4, y: middle - entry.layout.height / 2))
            }
        }
    }
}
