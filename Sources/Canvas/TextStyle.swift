/// How a text looks. Families are those of Debian (`Liberation Sans`, `DejaVu Sans`); characters
/// that a family lacks come from another.
package struct TextStyle: Sendable, Hashable {
    package enum Weight: Sendable, Hashable { case regular, bold }
    package enum Alignment: Sendable, Hashable { case leading, centre, trailing }

    package var family: String
    /// In points.
    package var size: Double
    package var weight: Weight
    package var isItalic: Bool
    package var colour: Colour
    package var alignment: Alignment
    /// Distance from baseline to baseline, as a multiple of the font's own; 0 keeps the font's own.
    package var lineSpacing: Double

    package init(
        family: String = "Liberation Sans", size: Double = 8, weight: Weight = .regular, isItalic: Bool = false, colour: Colour = .black,
        alignment: Alignment = .leading, lineSpacing: Double = 0
    ) {
        self.family = family
        self.size = size
        self.weight = weight
        self.isItalic = isItalic
        self.colour = colour
        self.alignment = alignment
        self.lineSpacing = lineSpacing
    }

    package func with(
        size: Double? = nil, weight: Weight? = nil, isItalic: Bool? = nil, colour: Colour? = nil, alignment: Alignment? = nil
    ) -> TextStyle {
        var style = self
        if let size { style.size = size }
        if let weight { style.weight = weight }
        if let isItalic { style.isItalic = isItalic }
        if let colour { style.colour = colour }
        if let alignment { style.alignment = alignment }
        return style
    }
}
