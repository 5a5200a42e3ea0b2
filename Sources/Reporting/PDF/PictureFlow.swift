import Blocks
import Canvas
import PDFArchive

extension PictureContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) {
        flow.place(millimetres.millimetres, as: flow.section.child(.figure, alternative: setting.figure.picture)) { canvas, box in
            let place = box.fitting(width: Double(picture.width), height: Double(picture.height))
            if picture.isPNG { try canvas.draw(png: picture.bytes, in: place) } else { try canvas.draw(jpeg: picture.bytes, in: place) }
        }
    }
}
