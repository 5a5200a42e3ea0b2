import Blocks
import Canvas
import PDFArchive

extension TitleContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) {
        let size = level == 1 ? 13 : level == 2 ? 10.5 : 9.0
        // A heading stays with the block that follows.
        flow.require(size * 5)
        flow.space(level == 1 ? 10 : 7)
        flow.paragraph(text, flow.style.text(size, .bold, flow.style.primary), as: .heading(level))
        flow.space(3)
    }
}

extension TextContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) {
        flow.paragraph(text, font(flow.style))
        flow.space(4)
    }

    private func font(_ page: PageStyle) -> TextStyle {
        switch style {
        case .normal: page.text(8.8)
        case .small: page.text(7.4)
        case .note: page.text(7.6, .regular, italic: true, page.muted)
        }
    }
}

extension PageBreakContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) { flow.newPage() }
}

extension SpaceContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) { flow.space(millimetres.millimetres) }
}
