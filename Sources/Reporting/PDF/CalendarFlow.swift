import Blocks
import Canvas
import Drawing
import PDFArchive

/// A calendar goes over as many pages as its months or years take; the legend stays with the last.
extension CalendarContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) {
        let drawing = setting.maker.calendar(self)
        let legend = setting.maker.legend(self, of: drawing)
        let legendHeight = legend.height(width: flow.width, typesetter: flow.typesetter)
        let bands = drawing.bands(width: flow.width)
        let figure = flow.section.child(.figure, alternative: setting.figure(self))
        flow.space(6)
        if let title {
            let layout = flow.layout(title, flow.style.text(10, .bold, flow.style.primary), width: flow.width)
            flow.require(min(layout.height + 4 + (bands.first?.height ?? 0) + (bands.count == 1 ? legendHeight : 0), flow.frame.height))
            flow.place(layout.height + 4, as: flow.section.child(.heading(2))) { canvas, box in canvas.draw(layout, at: Point(x: box.x, y: box.y)) }
        }
        for (index, band) in bands.enumerated() {
            if index == bands.count - 1 { flow.require(min(band.height + legendHeight, flow.frame.height)) }
            flow.place(min(band.height, flow.frame.height), as: figure) { canvas, box in drawing.draw(band, on: canvas, in: box) }
        }
        flow.place(legendHeight) { canvas, box in legend.draw(on: canvas, in: box) }
        if missing > 0 { flow.note(setting.head.words("without_day", ["count": String(missing)])) }
        flow.space(4)
    }
}
