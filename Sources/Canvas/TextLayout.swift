internal import CCairo

/// A text broken into lines and measured, ready to be drawn as a whole or in part. It is plain
/// text: nothing in it is markup.
///
/// A layout must be used on the thread of its typesetter.
@safe package final class TextLayout {
    package enum Ellipsis: Sendable { case none, end, middle }

    package struct Line: Sendable, Hashable {
        /// The position from the layout's upper left corner.
        package let baseline: Double
        /// The space of the line, spacing included: lines stack without overlapping.
        package let box: Box
    }

    /// The result of the typesetter; equal texts share it.
    private let made: LaidOutText

    package let style: TextStyle
    package var text: String { made.text }
    /// Width of the widest line, which may differ from the given width.
    package var width: Double { made.width }
    package var height: Double { made.height }
    package var lines: [Line] { made.lines }
    /// Whether text was left out because it did not fit.
    package var isEllipsized: Bool { made.isEllipsized }
    var layout: OpaquePointer { unsafe made.layout }

    /// - Parameters:
    ///   - width: the width at which lines are broken, in points; nil for a line per paragraph.
    ///     Longer words are broken too.
    ///   - maximumLines: further text is left out, with an ellipsis; nil for as many lines as
    ///     needed.
    package init(
        _ text: String, _ style: TextStyle, width: Double? = nil, maximumLines: Int? = nil, ellipsis: Ellipsis = .none,
        typesetter: Typesetter
    ) {
        self.style = style
        made = typesetter.set(
            LaidOutText.Key(text: text, style: style, width: width, maximumLines: maximumLines, ellipsis: ellipsis))
    }

    /// Height of a range of lines.
    package func height(of range: Range<Int>) -> Double {
        guard !range.isEmpty else { return 0 }
        return lines[range.upperBound - 1].box.bottom - lines[range.lowerBound].box.y
    }

    /// The number of lines from `first` on that fit into a height.
    package func count(fitting height: Double, from first: Int = 0) -> Int {
        var count = 0
        while first + count < lines.count, self.height(of: first..<first + count + 1) <= height + 0.001 { count += 1 }
        return count
    }
}

/// The appearance of a text. Families are those of Debian (`Liberation Sans`, `DejaVu Sans`);
/// characters missing in a family come from another family.
package struct TextStyle: Sendable, Hashable {
    package enum Weight: Sendable, Hashable { case regular, bold }
    package enum Alignment: Sendable, Hashable { case leading, centre, trailing }

    package var family: String
    /// The size in points.
    package var size: Double
    package var weight: Weight
    package var isItalic: Bool
    package var colour: Colour
    package var alignment: Alignment
    /// Distance from baseline to baseline, as a multiple of the font's; 0 uses the font's distance.
    package var lineSpacing: Double

    package init(
        family: String = "Liberation Sans", size: Double = 8, weight: Weight = .regular, isItalic: Bool = false,
        colour: Colour = .black,
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
        size: Double? = nil, weight: Weight? = nil, isItalic: Bool? = nil, colour: Colour? = nil,
        alignment: Alignment? = nil
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

/// A screen colour (sRGB), each component from 0 to 1.
package struct Colour: Sendable, Hashable {
    package var red: Double
    package var green: Double
    package var blue: Double

    package init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// A grey: 0 is black, 1 is white.
    package init(grey: Double) { self.init(red: grey, green: grey, blue: grey) }

    /// Reads `#1F4E79`, `1F4E79` or `#ABC`. Nil for other texts.
    package init?(hex: String) {
        var digits: [Int] = []
        for (index, character) in hex.utf8.enumerated() where !(index == 0 && character == UInt8(ascii: "#")) {
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(Int(character) - 48)
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digits.append(Int(character) - 87)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digits.append(Int(character) - 55)
            default: return nil
            }
        }
        if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
        guard digits.count == 6 else { return nil }
        self.init(
            red: Double(digits[0] * 16 + digits[1]) / 255, green: Double(digits[2] * 16 + digits[3]) / 255,
            blue: Double(digits[4] * 16 + digits[5]) / 255)
    }

    package static let black = Colour(grey: 0)
    package static let white = Colour(grey: 1)

    /// Perceived brightness in a black-and-white print, 0 to 1 (Rec. 709).
    package var luminance: Double { 0.2126 * red + 0.7152 * green + 0.0722 * blue }

    /// A mix of two colours: this one at 0, the other one at 1.
    package func mixed(with other: Colour, _ share: Double) -> Colour {
        Colour(
            red: red + (other.red - red) * share, green: green + (other.green - green) * share,
            blue: blue + (other.blue - blue) * share)
    }
}
