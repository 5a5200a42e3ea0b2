import Blocks
import Canvas
import Drawing
import Model

/// Draws content as PNG pictures for sheets, which cannot contain drawings. They have 150 dots per
/// inch of paper, which is sharp in print and quick to compress; the strips of logs have 100. Equal
/// input gives equal bytes.
struct CanvasPictures {
    private let setting: DrawingSetting
    private let typesetter: Typesetter
    private static let scale = 150.0 / 72

    init(_ head: DocumentHead) throws {
        setting = DrawingSetting(head)
        typesetter = try ReportFailure.translating { try Typesetter() }
    }

    /// Strips are numerous, and compress badly. A screen shows about 100 dots per inch.
    private static let stripScale = 100.0 / 72

    private func png(_ size: PictureSize, _ draw: (Canvas, Box) -> Void) throws -> ReportPicture {
        try png(size.width, size.height, scale: Self.scale * size.printed, draw)
    }

    private func png(_ width: Double, _ height: Double, scale: Double = scale, _ draw: (Canvas, Box) -> Void) throws
        -> ReportPicture
    {
        // The limit of 8,000 pixels keeps large drawings within the maximum size of a picture.
        let scale = min(scale, 8_000 / max(width, height, 1))
        let bytes = try ReportFailure.translating {
            try Picture.png(width: width, height: height, scale: scale, typesetter: typesetter) { draw($0, $0.box) }
        }
        return ReportPicture(
            bytes: bytes, isPNG: true, width: Int((width * scale).rounded(.up)),
            height: Int((height * scale).rounded(.up)))
    }

    func picture(of content: any DrawnContent, _ size: PictureSize) throws -> ReportPicture {
        try png(size) { content.draw(on: $0, in: $1.inset(by: 2), setting) }
    }

    /// A picture for each sheet that the profile needs, at its scales on paper.
    func pictures(of profile: ProfileContent, _ size: PictureSize) throws -> [ReportPicture] {
        let paper = Box(x: 0, y: 0, width: size.width * size.printed, height: size.height * size.printed).inset(by: 4)
        let pages = profile.drawing(setting).pages(
            width: paper.width, height: paper.height, typesetter: typesetter)
        return try pages.map { page in
            try png(size) { canvas, _ in
                canvas.scale(x: 1 / size.printed, y: 1 / size.printed)
                page.draw(on: canvas, in: paper)
            }
        }
    }

    /// Notes on the details that do not fit into a plan of this size.
    func notes(of plan: PlanContent, _ size: PictureSize) -> [String] {
        let arranged = plan.drawing(setting).arranged(
            width: size.width - 4, height: size.height - 4, typesetter: typesetter)
        return plan.notes(arranged, setting)
    }

    /// The strip of a log whose layers are as high as the rows of a sheet, without gaps. There are
    /// as many row heights as layers. The water table is drawn at its depth within its layer.
    func logStrip(of log: LogContent, rowHeights: [Double], width: Double) throws -> ReportPicture {
        let style = setting.style
        return try png(width, max(1, rowHeights.reduce(0, +)), scale: Self.stripScale) { canvas, box in
            var y = 0.0
            for (layer, height) in zip(log.layers, rowHeights) {
                let part = Box(x: 0, y: y, width: box.width, height: height)
                // A layer without a symbol is a gap in which nothing was logged; it is not filled.
                if !layer.stratum.symbol.isEmpty {
                    SoilSymbol(layer.stratum.symbol).fill(part, on: canvas, phase: Point(x: 0, y: 0))
                }
                canvas.rectangle(part)
                canvas.stroke(style.ink, width: 0.7)
                if let water = log.water, layer.stratum.bottom > layer.stratum.top, water >= layer.stratum.top,
                    water < layer.stratum.bottom
                {
                    let line = y + height * (water - layer.stratum.top) / (layer.stratum.bottom - layer.stratum.top)
                    canvas.segment(Point(x: 0, y: line), Point(x: box.width, y: line))
                    canvas.stroke(style.water, width: 1.2)
                    canvas.polygon([
                        Point(x: box.width - 12, y: line - 7), Point(x: box.width - 4, y: line - 7),
                        Point(x: box.width - 8, y: line),
                    ])
                    canvas.fill(style.water)
                }
                y += height
            }
        }
    }

    /// A sample of a soil symbol's pattern, for a legend.
    func symbol(_ symbol: String, width: Double, height: Double) throws -> ReportPicture {
        try png(width, height) { canvas, box in
            let tile = box.inset(by: 0.5)
            SoilSymbol(symbol).fill(tile, on: canvas, phase: Point(x: 0, y: 0))
            canvas.rectangle(tile)
            canvas.stroke(setting.style.ink, width: 0.6)
        }
    }
}

/// The size of a picture on its sheet, in points (1/72 inch), and the scale at which the sheet is
/// printed.
struct PictureSize {
    var width: Double
    var height: Double
    var printed = 1.0
}
