package import Blocks
package import Canvas
internal import Model

/// Content that is one drawing. A block makes it, and its drawing takes it as it is. Pages, sheets
/// and single files know only this protocol.
package protocol DrawnContent: BlockContent {
    /// The usual size of the drawing as a file of its own, in millimetres.
    static var usualSize: (width: Double, height: Double) { get }
    var title: String? { get }
    /// The height in a document, in millimetres; nil: the rest of the page.
    var millimetres: Double? { get }
    /// The height in a document below which the drawing would lose something, in millimetres.
    var leastMillimetres: Double { get }
    func draw(on canvas: Canvas, in box: Box, _ setting: DrawingSetting)
    /// The drawing's values as a text, for people who cannot see the drawing.
    func figure(_ setting: DrawingSetting) -> String
}

extension DrawnContent {
    package var title: String? { nil }
    package var leastMillimetres: Double { 0 }
}

/// The words and the style that all drawings of a document share.
package struct DrawingSetting: Sendable {
    package let words: ReportWords
    package let style: DrawingStyle

    package init(_ words: ReportWords, _ style: DrawingStyle = DrawingStyle()) {
        self.words = words
        self.style = style
    }

    package init(_ head: DocumentHead) {
        var style = DrawingStyle()
        style.family = head.brand.font
        if let colour = Colour(hex: head.brand.primary) { style.accent = colour }
        style.decimalSeparator = head.language == .italian ? "," : "."
        self.init(head.words, style)
    }

    func metres(_ value: Double) -> String { style.number(value, decimals: 2) + " m" }

    /// A value in metres for a table; a dash if it is not known.
    func number(_ metres: Double?) -> String { metres.map { style.number($0, decimals: 2) } ?? "–" }

    func waterLabel(_ depth: Double?) -> String { depth.map { words("water", ["depth": metres($0)]) } ?? "" }

    // MARK: Figures

    /// The alternative text of a kind of drawing with these parts.
    func figure(_ kind: String, _ parts: [String]) -> String {
        words("figure_" + kind, ["what": parts.joined(separator: "; ")])
    }

    func strata(_ strata: [Stratum]) -> [String] { strata.map { "\(depths($0)) \($0.symbol)" } }

    func depths(_ stratum: Stratum) -> String {
        "\(style.number(stratum.top, decimals: 2))–\(style.number(stratum.bottom, decimals: 2)) m"
    }

    func water(_ depth: Double?) -> [String] { depth == nil ? [] : [waterLabel(depth)] }
}
