import Blocks
import Canvas
import Drawing

// Drawings on a page have the height that the template states, or the rest of the page.

extension PageFlow {
    /// A drawing without a stated height needs at least twice this height in points; where less is
    /// left, it goes on the next page.
    static let leastDrawing = 120.0

    /// - Parameter millimetres: the height; nil: the rest of the page, or of a new page where
    ///   little is left.
    func drawing(_ millimetres: Double?, _ draw: @escaping (Canvas, Box) -> Void) {
        let height: Double
        if let millimetres {
            height = min(millimetres.millimetres, frame.height)
        } else {
            if remaining < min(Self.leastDrawing * 2, frame.height) { newPage() }
            height = remaining
        }
        space(4)
        place(min(height, frame.height)) { canvas, box in draw(canvas, box) }
        space(4)
    }

    /// Sets a note below a drawing.
    func note(_ text: String) {
        space(2)
        paragraph(text, style.text(7.6, .regular, italic: true, style.muted))
        space(4)
    }
}

extension StripContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) {
        let drawing = setting.maker.strip(self)
        flow.drawing(millimetres) { drawing.draw(on: $0, in: $1) }
    }
}

extension SketchContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) {
        let drawing = setting.maker.sketch(self)
        flow.drawing(millimetres) { _ = drawing.draw(on: $0, in: $1) }
        if missing > 0 { flow.note(setting.head.words("without_coordinates", ["count": String(missing)])) }
    }
}

extension PlanContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) {
        let drawing = setting.maker.plan(self)
        flow.drawing(millimetres) { _ = drawing.draw(on: $0, in: $1) }
    }
}

extension ChartContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) {
        let drawing = setting.maker.chart(self)
        flow.drawing(millimetres) { drawing.draw(on: $0, in: $1) }
    }
}

extension SymbolsContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) {
        let legend = setting.maker.legend(symbols)
        flow.space(5)
        flow.place(legend.height(width: flow.width, typesetter: flow.typesetter)) { canvas, box in legend.draw(on: canvas, in: box) }
        flow.space(5)
    }
}

extension ProfileContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) {
        if flow.remaining < PageFlow.leastDrawing * 2 { flow.newPage() }
        flow.space(4)
        let height = min(millimetres.map(\.millimetres) ?? flow.remaining, flow.remaining)
        for (index, page) in setting.maker.profile(self).pages(width: flow.width, height: height, typesetter: flow.typesetter).enumerated() {
            if index > 0 { flow.newPage() }
            flow.place(min(height, flow.remaining)) { canvas, box in page.draw(on: canvas, in: box) }
        }
        if !unplaced.isEmpty { flow.note(setting.head.words("without_chainage", ["pits": unplaced.joined(separator: ", ")])) }
        flow.space(4)
    }
}
