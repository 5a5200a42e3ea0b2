import Blocks
import Canvas
import PDFArchive

/// Lays out photos in a grid, each with its caption below. The place of a missing photo states the
/// reason.
struct PhotosFlow {
    let content: PhotosContent

    private static let gap = 6.0

    func flow(into flow: PageFlow) {
        if let title = content.title {
            flow.require(content.millimetres.millimetres + 40)
            flow.space(6)
            flow.paragraph(title, flow.style.text(10, .bold, flow.style.primary), as: .heading(2))
            flow.space(2)
        }
        if content.photos.isEmpty {
            if let empty = content.empty { flow.paragraph(empty, flow.style.text(8.5, .regular, italic: true, flow.style.muted)) }
            return
        }
        let columns = max(1, content.columns)
        let width = (flow.width - Double(columns - 1) * Self.gap) / Double(columns)
        let height = min(content.millimetres.millimetres, flow.frame.height - 40)
        for start in stride(from: 0, to: content.photos.count, by: columns) {
            let line = Array(content.photos[start..<min(start + columns, content.photos.count)])
            let captions = line.map { flow.layout($0.caption, flow.style.text(7), width: width, maximumLines: 4) }
            let total = height + 3 + (captions.map(\.height).max() ?? 0) + 5
            let style = flow.style
            let parts = line.map { (figure: flow.section.child(.figure, alternative: $0.caption), caption: flow.section.child(.paragraph)) }
            flow.place(total, as: flow.section) { canvas, box in
                for (index, photo) in line.enumerated() {
                    let frame = Box(x: box.x + Double(index) * (width + Self.gap), y: box.y, width: width, height: height)
                    try canvas.draw(as: parts[index].figure) { try draw(photo, in: frame, canvas, style) }
                    canvas.draw(as: parts[index].caption) { canvas.draw(captions[index], at: Point(x: frame.x, y: frame.bottom + 3)) }
                }
            }
        }
    }

    private func draw(_ photo: PhotosContent.Photo, in frame: Box, _ canvas: Canvas, _ style: PageStyle) throws {
        canvas.rectangle(frame)
        canvas.fill(Colour(grey: 0.96))
        if let picture = photo.picture {
            let box = frame.fitting(width: Double(picture.width), height: Double(picture.height))
            if picture.isPNG { try canvas.draw(png: picture.bytes, in: box) } else { try canvas.draw(jpeg: picture.bytes, in: box) }
            if case .address(let address) = photo.link { canvas.link(to: .uri(address), in: box) }
        } else if let missing = photo.missing {
            let text = canvas.layout(missing, style.text(7.5, .regular, italic: true, style.muted, .centre), width: frame.width - 12, maximumLines: 4)
            canvas.draw(text, at: Point(x: frame.x + 6, y: frame.middle.y - text.height / 2))
        }
        canvas.rectangle(frame)
        canvas.stroke(style.line, width: 0.5)
    }
}

extension Box {
    /// The largest box of a given ratio within this one, centred.
    func fitting(width: Double, height: Double) -> Box {
        guard width > 0, height > 0 else { return self }
        let scale = min(self.width / width, self.height / height)
        let (w, h) = (width * scale, height * scale)
        return Box(x: x + (self.width - w) / 2, y: y + (self.height - h) / 2, width: w, height: h)
    }
}

extension PhotosContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) { PhotosFlow(content: self).flow(into: flow) }
}
