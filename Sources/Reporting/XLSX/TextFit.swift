import Blocks

/// Estimates the space for a text in a cell.
///
/// A workbook stores the height of its rows before any program measures its texts. The estimate
/// uses the widths of Helvetica's characters (Adobe's AFM files), which Arial and Liberation Sans
/// share, and a margin: a row may be a line too high, but never too low.
struct TextFit {
    /// The factor by which the font is wider than Helvetica.
    private let factor: Double

    /// The padding on the left and right of a cell's text together, in points.
    static let padding = 6.0

    init(font: String) {
        let known = [
            "liberation sans", "arial", "helvetica", "arimo", "calibri", "carlito", "nimbus sans", "arial narrow",
        ]
        factor = known.contains(font.lowercased()) ? 1.05 : 1.2
    }

    /// The width of a text in one line, in points.
    func width(_ text: some StringProtocol, size: Double, isBold: Bool = false) -> Double {
        Double(text.utf8.reduce(0) { $0 + Self.width(of: $1) }) * scale(size, isBold)
    }

    /// The width of the longest word, in points.
    func longestWord(_ text: String, size: Double, isBold: Bool = false) -> Double {
        var longest = 0
        var word = 0
        for byte in text.utf8 {
            if byte == 0x20 || byte == 0x0A {
                word = 0
            } else {
                word += Self.width(of: byte)
                longest = max(longest, word)
            }
        }
        return Double(longest) * scale(size, isBold)
    }

    /// The number of lines of a text wrapped between words in a cell of `width` points. A word that
    /// is too long is broken.
    func lines(_ text: String, in width: Double, size: Double, isBold: Bool = false) -> Int {
        let room = max(Int((width - Self.padding) / scale(size, isBold)), 300)
        var lines = 1
        // The widths of the current line, of the spaces after it, and of the current word.
        var used = 0
        var spaces = 0
        var word = 0
        func place() {
            guard word > 0 else { return }
            if used + spaces + word <= room {
                used += spaces + word
            } else {
                if used > 0 { lines += 1 }
                lines += (word - 1) / room
                used = word <= room ? word : (word - 1) % room + 1
            }
            spaces = 0
            word = 0
        }
        for byte in text.utf8 {
            switch byte {
            case 0x0A:
                place()
                lines += 1
                used = 0
                spaces = 0
            case 0x20, 0x09:
                place()
                spaces += Self.width(of: 0x20)
            default: word += Self.width(of: byte)
            }
        }
        place()
        return lines
    }

    /// The height of a row with a given number of lines, in points.
    static func height(lines: Int, size: Double) -> Double { Double(lines) * size * 1.3 + 4 }

    func height(_ text: String, in width: Double, size: Double, isBold: Bool = false) -> Double {
        Self.height(lines: lines(text, in: width, size: size, isBold: isBold), size: size)
    }

    private func scale(_ size: Double, _ isBold: Bool) -> Double { size / 1000 * factor * (isBold ? 1.08 : 1) }

    /// The width of a byte's character in thousandths of the font's size. The first byte of a
    /// character beyond ASCII counts the whole width; the other bytes count none.
    private static func width(of byte: UInt8) -> Int {
        switch byte {
        case 0x20..<0x7F: widths[Int(byte) - 0x20]
        case 0xC0..<0xE0: 620
        case 0xE0..<0xE3: 800
        case 0xE3...: 1000
        default: 0
        }
    }

    private static let widths: [Int] = [
        278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556,
        556, 556, 556, 556, 278, 278,
        584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778,
        722, 667, 611, 722, 667, 944,
        667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833,
        556, 556, 556, 556, 333, 500,
        278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
    ]
}
