import Blocks
import Drawing
import Model

/// What stands for a drawing where it cannot be seen: the values that it shows.
struct FigureText {
    let words: ReportWords
    let style: DrawingStyle

    func callAsFunction(_ content: LogContent) -> String {
        let layers = content.layers.map { layer in
            let cells = layer.cells.map(\.text).filter { !$0.isEmpty }
            return "\(depths(layer.stratum)): " + ([layer.description] + cells).joined(separator: ", ")
        }
        return text("log", (layers.isEmpty ? [content.empty] : layers) + water(content.water))
    }

    func callAsFunction(_ content: StripContent) -> String { text("strip", strata(content.strata) + water(content.water)) }

    func callAsFunction(_ content: ProfileContent) -> String {
        text("profile", content.pits.map { ([$0.label] + strata($0.strata) + water($0.water)).joined(separator: ", ") })
    }

    func callAsFunction(_ content: SketchContent) -> String { text("sketch", content.points.map(\.label)) }

    func callAsFunction(_ content: PlanContent) -> String {
        text("plan", content.rooms.map { room in
            let label = room.label.split(whereSeparator: \.isNewline).joined(separator: " ")
            return ([label] + [room.state.map { content.states[$0].name }].compactMap { $0 }).joined(separator: ", ")
        })
    }

    func callAsFunction(_ content: ChartContent) -> String {
        let lines = content.series.map { series in
            let values = zip(content.categories, series.values).map { "\($0) \($1.map { style.number($0, decimals: content.decimals ?? 0) } ?? "–")" }
            return "\(series.name): " + values.joined(separator: ", ")
        }
        return text("chart", [content.title].compactMap { $0 } + lines)
    }

    func callAsFunction(_ content: PlotContent) -> String {
        func pair(_ position: Position) -> String { "\(style.number(position.x, decimals: 2)) – \(style.number(position.y, decimals: 1))" }
        return text("plot", [[content.title, content.x, content.y].compactMap { $0 }.joined(separator: ", ")] + content.series.map { series in
            "\(series.name): " + series.marks.map { ([$0.label].filter { !$0.isEmpty } + [pair($0.position)]).joined(separator: " ") }.joined(separator: ", ")
        })
    }

    func callAsFunction(_ content: CalendarContent) -> String {
        text("calendar", [content.title].compactMap { $0 } + content.grids.map { grid in
            let days = grid.days.joined().compactMap { $0 }.compactMap { day in day.cell.map { "\(day.number): \($0.text)" } }
            return "\(grid.name) " + days.joined(separator: ", ")
        })
    }

    func callAsFunction(_ content: SymbolsContent) -> String { text("symbols", content.symbols.map { $0.name == $0.symbol ? $0.name : "\($0.symbol) \($0.name)" }) }

    var picture: String { words("figure_picture") }

    private func text(_ kind: String, _ parts: [String]) -> String { words("figure_" + kind, ["what": parts.joined(separator: "; ")]) }

    private func strata(_ strata: [Stratum]) -> [String] { strata.map { "\(depths($0)) \($0.symbol)" } }

    private func depths(_ stratum: Stratum) -> String { "\(style.number(stratum.top, decimals: 2))–\(style.number(stratum.bottom, decimals: 2)) m" }

    private func water(_ depth: Double?) -> [String] { depth.map { [words("water", ["depth": style.number($0, decimals: 2) + " m"])] } ?? [] }
}
