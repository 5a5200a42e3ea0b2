import Blocks
import Canvas

/// The fonts, colours and measures of a firm's pages. Measures are in points.
struct PageStyle: Sendable {
    let family: String
    let primary: Colour
    let accent: Colour
    /// The colour of text on the primary colour.
    let onPrimary: Colour
    let line = Colour(grey: 0.72)
    let ink = Colour(grey: 0.1)
    let muted = Colour(grey: 0.38)
    /// Whether the links between pages work; a part of a document may lack their targets.
    let linksPages: Bool

    static let pointsPerMillimetre = 72 / 25.4

    init(_ brand: Brand, linksPages: Bool) {
        self.linksPages = linksPages
        family = brand.font
        primary = Colour(hex: brand.primary) ?? Colour(red: 0.12, green: 0.23, blue: 0.37)
        accent = Colour(hex: brand.accent) ?? Colour(grey: 0.92)
        onPrimary = primary.luminance < 0.55 ? .white : .black
    }

    func text(
        _ size: Double, _ weight: TextStyle.Weight = .regular, italic: Bool = false, _ colour: Colour? = nil,
        _ alignment: TextStyle.Alignment = .leading
    ) -> TextStyle {
        TextStyle(family: family, size: size, weight: weight, isItalic: italic, colour: colour ?? ink, alignment: alignment)
    }
}

extension Double {
    /// Millimetres as points.
    var millimetres: Double { self * PageStyle.pointsPerMillimetre }
}
