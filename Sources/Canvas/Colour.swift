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

    /// `#1F4E79`, `1F4E79` or `#ABC`. Nil for anything else.
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

    /// A mix of two colours: this one at 0, the other at 1.
    package func mixed(with other: Colour, _ share: Double) -> Colour {
        Colour(
            red: red + (other.red - red) * share, green: green + (other.green - green) * share,
            blue: blue + (other.blue - blue) * share)
    }
}
