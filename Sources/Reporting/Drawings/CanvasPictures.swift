package import Blocks
import Canvas
import Drawing
import Model

/// Draws content as PNG pictures for sheets. They have 150 dots per inch of paper, which is sharp
/// in print and quick to compress; the strips of logs have 100.
package struct CanvasPictures: DrawingPictures {
    private let maker: DrawingMaker
    private let typesetter: Typesetter
    private static let scale = 150.0 / 72

    package init(_ head: DocumentHead) throws {
        maker = DrawingMaker(head)
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

    package func picture(of strip: StripContent, _ size: PictureSize) throws -> ReportPicture {
        let drawing = maker.strip(strip)
        return try png(size) { drawing.draw(on: $0, in: $1.inset(by: 2)) }
    }

    package func pictures(of profile: ProfileContent, _ size: PictureSize) throws -> [ReportPicture] {
        let paper = Box(x: 0, y: 0, width: size.width * size.printed, height: size.height * size.printed).inset(by: 4)
        return try maker.profile(profile).pages(width: paper.width, height: paper.height, typesetter: typesetter).map {
            page in
            try png(size) { canvas, _ in
                canvas.scale(x: 1 / size.printed, y: 1 / size.printed)
                page.draw(on: canvas, in: paper)
            }
        }
    }

    package func picture(of sketch: SketchContent, _ size: PictureSize) throws -> ReportPicture {
        let drawing = maker.sketch(sketch)
        return try png(size) { drawing.draw(on: $0, in: $1.inset(by: 2)) }
    }

    package func picture(of plot: PlotContent, _ size: PictureSize) throws -> ReportPicture {
        let drawing = maker.plot(plot)
        return try png(size) { drawing.draw(on: $0, in: $1.inset(by: 2)) }
    }

    package func picture(of plan: PlanContent, _ size: PictureSize) throws -> ReportPicture {
        let drawing = maker.plan(plan)
        return try png(size) { drawing.draw(on: $0, in: $1.inset(by: 2)) }
    }

    package func notes(of plan: PlanContent, _ size: PictureSize) -> [String] {
        maker.notes(
            maker.plan(plan).arranged(width: size.width - 4, height: size.height - 4, typesetter: typesetter), of: plan)
    }

    /// Draws each layer as high as its row. The water table is drawn at its depth within its layer.
    package func logStrip(of log: LogContent, rowHeights: [Double], width: Double) throws -> ReportPicture {
        let style = maker.style
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

    package func symbol(_ symbol: String, width: Double, height: Double) throws -> ReportPicture {
        try png(width, height) { canvas, box in
            let tile = box.inset(by: 0.5)
            SoilSymbol(symbol).fill(tile, on: canvas, phase: Point(x: 0, y: 0))
            canvas.rectangle(tile)
            canvas.stroke(maker.style.ink, width: 0.6)
        }
    }
}

/// The size of a picture on its sheet, in points (1/72 inch), and the scale at which the sheet is
/// printed.
package struct PictureSize {
    package var width: Double
    package var height: Double
    package var printed = 1.0
}

/// Draws content as pictures, for renderers that cannot draw. A picture has the aspect ratio of the
/// requested size, and enough pixels to be sharp on paper. Equal input gives equal bytes.
package protocol DrawingPictures {
    func picture(of strip: StripContent, _ size: PictureSize) throws -> ReportPicture
    /// A picture for each sheet that the profile needs, at its scales on paper.
    func pictures(of profile: ProfileContent, _ size: PictureSize) throws -> [ReportPicture]
    func picture(of sketch: SketchContent, _ size: PictureSize) throws -> ReportPicture
    func picture(of plot: PlotContent, _ size: PictureSize) throws -> ReportPicture
    func picture(of plan: PlanContent, _ size: PictureSize) throws -> ReportPicture
    /// Notes on the details that do not fit into a plan of this size.
    func notes(of plan: PlanContent, _ size: PictureSize) throws -> [String]
    /// The strip of a log whose layers are as high as the rows of a sheet, without gaps. There are
    /// as many row heights as layers.
    func logStrip(of log: LogContent, rowHeights: [Double], width: Double) throws -> ReportPicture
    /// A sample of a soil symbol's pattern, for a legend.
    func symbol(_ symbol: String, width: Double, height: Double) throws -> ReportPicture
}
