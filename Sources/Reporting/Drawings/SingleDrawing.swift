package import Blocks
import Canvas
package import Drawing
package import Model
import PDFArchive

/// A single drawing as a file: SVG, PNG or a PDF page.
package struct SingleDrawing: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case strip, log, profile, sketch, plan, chart, plot

        /// Whether a template's block can be drawn as a drawing of this kind.
        package func isMade(of block: ReportBlock) -> Bool {
            block.name == rawValue || (self == .strip && block.name == Kind.log.rawValue)
        }
    }

    package enum Format: String, Sendable, CaseIterable {
        case svg, png, pdf
    }

    private let kind: Kind
    private let content: any BlockContent
    private let maker: DrawingMaker
    private let language: Language
    /// The size in points.
    private let size: (width: Double, height: Double)

    /// - Parameters:
    ///   - width, height: in millimetres; nil: the usual size of the kind.
    /// - Returns: nil if the block cannot be drawn as this kind.
    package init?(_ kind: Kind, of block: any BlockContent, head: DocumentHead, width: Double?, height: Double?) {
        let usual: (Double, Double)
        var content = block
        switch (kind, block) {
        case (.strip, let log as LogContent):
            content = StripContent(
                strata: log.layers.map(\.stratum), total: log.total, water: log.water, millimetres: 120)
            usual = (50, 120)
        case (.strip, is StripContent): usual = (50, 120)
        case (.log, is LogContent): usual = (186, 180)
        case (.profile, is ProfileContent): usual = (390, 250)
        case (.sketch, is SketchContent): usual = (180, 120)
        case (.plan, is PlanContent): usual = (270, 180)
        case (.chart, is ChartContent): usual = (180, 90)
        case (.plot, is PlotContent): usual = (180, 110)
        default: return nil
        }
        self.content = content
        self.kind = kind
        maker = DrawingMaker(head)
        language = head.language
        size = ((width ?? usual.0).millimetres, (height ?? usual.1).millimetres)
    }

    /// Draws the file and returns its bytes. Throws `ReportFailure` when that fails.
    /// - Parameter created: the creation time recorded in a PDF, in ISO 8601.
    package func file(_ format: Format, title: String, created: String) throws -> [UInt8] {
        try ReportFailure.translating { try draw(format, title, created) }
    }

    private func draw(_ format: Format, _ title: String, _ created: String) throws -> [UInt8] {
        switch format {
        case .svg: return try Picture.svg(width: size.width, height: size.height) { draw(on: $0) }
        case .png: return try Picture.png(width: size.width, height: size.height, scale: 200 / 72) { draw(on: $0) }
        case .pdf:
            var bytes: [UInt8] = []
            let document = try PDFDocument(
                .init(title: title, creator: "Fichero", created: created, language: language.rawValue)
            ) { bytes += $0 }
            let figure = document.structure.child(.figure, alternative: title)
            try document.page(width: size.width, height: size.height) { canvas in
                canvas.draw(as: figure) { draw(on: canvas) }
            }
            try document.finish()
            return bytes
        }
    }

    /// Draws the content. A log or a profile that is too large for one picture is scaled down.
    private func draw(on canvas: Canvas) {
        let box = canvas.box.inset(by: 6)
        switch content {
        case let strip as StripContent: maker.strip(strip).draw(on: canvas, in: box)
        case let log as LogContent:
            var drawing = maker.log(log)
            drawing.scale = .fitted
            var height = box.height
            var pages = drawing.pages(width: box.width, height: height, typesetter: canvas.typesetter)
            while pages.count > 1, height < box.height * 16 {
                height *= 1.5
                pages = drawing.pages(
                    width: box.width * height / box.height, height: height, typesetter: canvas.typesetter)
            }
            let scale = box.height / height
            canvas.inGroup {
                canvas.translate(x: box.x, y: box.y)
                canvas.scale(x: scale, y: scale)
                pages.first?.draw(on: canvas, in: Box(x: 0, y: 0, width: box.width / scale, height: height))
            }
        case let profile as ProfileContent: maker.profile(profile).drawWhole(on: canvas, in: box)
        case let sketch as SketchContent: maker.sketch(sketch).draw(on: canvas, in: box)
        case let plan as PlanContent: maker.plan(plan).draw(on: canvas, in: box)
        case let chart as ChartContent: maker.chart(chart).draw(on: canvas, in: box)
        case let plot as PlotContent: maker.plot(plot).draw(on: canvas, in: box)
        default: break
        }
    }
}

extension ReportFailure {
    /// Runs code that draws, and throws its errors as `ReportFailure`. An error thrown by the
    /// function that receives the file's bytes is passed on unchanged.
    static func translating<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let failure as CanvasFailure {
            switch failure {
            case .noFonts: throw noFonts
            case .pictureTooLarge(let width, let height): throw pictureTooLarge(width: width, height: height)
            case .writing(let error): throw error
            default: throw library(name: "cairo", reason: failure.description)
            }
        }
    }
}

extension DrawingMaker {
    package func plan(_ content: PlanContent) -> PlanDrawing {
        var drawing = PlanDrawing(rooms: content.rooms.map { room in
            let lines = room.label.split(separator: "\n").map(String.init)
            let count = room.count.map { $0 > 0 ? words("assets", ["count": String($0)]) : "" } ?? ""
                return PlanDrawing.Room(
                    polygon: room.polygon.map(Self.point), number: lines.first ?? "",
                    details: lines.dropFirst() + [count], state: room.state)
        })
        drawing.background = content.background.map { $0.map(Self.point) }
        drawing.boundary = content.boundary.map(Self.point)
        drawing.assets = content.points.map { point in
            let progress: PlanDrawing.Asset.Progress = switch point.progress {
            case .settled: .settled
            case .waiting: .waiting
            case .failed: .failed
            }
            return .init(
                point: point.position.map(Self.point), kind: point.kind, number: point.number, progress: progress)
        }
        drawing.north = content.north.map { $0 * .pi / 180 }
        drawing.states = content.states.map { .init(name: $0.name, colour: $0.tint.map { Colour($0) }) }
        drawing.kinds = content.kinds.map { .init(name: $0.name ?? words("asset"), icon: $0.icon) }
        drawing.progressNames = [.waiting: words("plan_waiting"), .failed: words("plan_failed")]
        if content.showsMarkedOnly { drawing.extract = content.rooms.firstIndex { $0.isMarked } }
        drawing.emptyLabel = content.empty ?? words("no_plan")
        drawing.style = style
        return drawing
    }

    private static func point(_ position: Position) -> Point { Point(x: position.x, y: position.y) }

    /// The notes below a plan: names of rooms that the drawing shows as short keys, and parts that
    /// it does not show.
    package func notes(_ plan: PlanArrangement, of content: PlanContent) -> [String] {
        func rooms(_ indices: [Int]) -> [String] {
            indices.map { content.rooms[$0].label.split(separator: "\n").joined(separator: " · ") }
        }
        func points(_ indices: [Int]) -> [String] {
            indices.map { content.points[$0].called.isEmpty ? words("asset") : content.points[$0].called }
        }
        let leftOut = plan.leftOut
        let lists = [
            ("plan_keys", rooms(leftOut.keyed).enumerated().map { "(\($0.offset + 1)) \($0.element)" }),
            ("plan_unlabelled", rooms(leftOut.unlabelled)),
            ("plan_missing", content.missing), ("plan_outside", points(leftOut.outside)),
            ("plan_unplaced", points(leftOut.unplaced)),
            ("plan_crowded", points(leftOut.crowded)),
        ]
        return lists.filter { !$0.1.isEmpty }.map { words($0.0, ["list": $0.1.joined(separator: "; ")]) }
    }
}

extension Colour {
    /// A colour pale enough for readable texts on it.
    init(_ tint: Tint) {
        switch tint {
        case .grey: self.init(grey: 0.94)
        case .blue: self.init(red: 0.84, green: 0.91, blue: 0.98)
        case .green: self.init(red: 0.87, green: 0.95, blue: 0.85)
        case .darkGreen: self.init(red: 0.66, green: 0.83, blue: 0.68)
        case .yellow: self.init(red: 0.99, green: 0.95, blue: 0.76)
        case .orange: self.init(red: 0.99, green: 0.87, blue: 0.72)
        case .red: self.init(red: 0.97, green: 0.82, blue: 0.79)
        case .violet: self.init(red: 0.90, green: 0.86, blue: 0.96)
        }
    }
}
