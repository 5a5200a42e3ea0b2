package import Blocks
import Canvas
import Drawing
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

    private let content: any DrawnContent
    private let setting: DrawingSetting
    private let language: Language
    /// The size in points.
    private let size: (width: Double, height: Double)

    /// - Parameters:
    ///   - width, height: in millimetres; nil: the usual size of the kind.
    /// - Returns: nil if the block cannot be drawn as this kind.
    package init?(_ kind: Kind, of block: any BlockContent, head: DocumentHead, width: Double?, height: Double?) {
        var block = block
        if kind == .strip, let log = block as? LogContent {
            block = StripContent(
                strata: log.layers.map(\.stratum), total: log.total, water: log.water, millimetres: nil)
        }
        let own = BlockList.contents.first { $0.name == kind.rawValue }?.content
        guard let content = block as? any DrawnContent, type(of: block) == own else { return nil }
        self.content = content
        setting = DrawingSetting(head)
        language = head.language
        let usual = type(of: content).usualSize
        size = ((width ?? usual.width).millimetres, (height ?? usual.height).millimetres)
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

    private func draw(on canvas: Canvas) { content.draw(on: canvas, in: canvas.box.inset(by: 6), setting) }
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
