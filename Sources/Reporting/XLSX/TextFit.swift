import Blocks

/// How much room a text takes in a cell. A workbook says how high its rows are and nobody measures the text before a program opens it, so
/// it is estimated from the widths of Helvetica's characters (Adobe's AFM files), which Arial and Liberation Sans share, with some room
/// to spare: a row may be a line too high, never too low.
struct TextFit {
    /// By how much the font is wider than Helvetica.
    private let factor: Double

    /// Points on the left and right of a cell's text together.
    static let padding = 6.0

    init(font: String) {
        let known = ["liberation sans", "arial", "helvetica", "arimo", "calibri", "carlito", "nimbus sans", "arial narrow"]
        factor = known.contains(font.lowercased()) ? 1.05 : 1.2
    }

    /// Points of a text in one line.
    func width(_ text: some StringProtocol, size: Double, isBold: Bool = false) -> Double {
        Double(text.utf8.reduce(0) { $0 + Self.width(of: $1) }) * scale(size, isBold)
    }

    /// Points of the longest word.
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

    /// Lines of a text that is wrapped between words in a cell of `width` points; words that are too long are broken.
    func lines(_ text: String, in width: Double, size: Double, isBold: Bool = false) -> Int {
        let room = max(Int((width - Self.padding) / scale(size, isBold)), 300)
        var lines = 1
        // Of the line so far, the spaces after it, and the word under way.
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

    /// Points of a row with so many lines.
    static func height(lines: Int, size: Double) -> Double { Double(lines) * size * 1.3 + 4 }

    func height(_ text: String, in width: Double, size: Double, isBold: Bool = false) -> Double {
        Self.height(lines: lines(text, in: width, size: size, isBold: isBold), size: size)
    }

    private func scale(_ size: Double, _ isBold: Bool) -> Double { size / 1000 * factor * (isBold ? 1.08 : 1) }

    /// In thousandths of the font's size. Of a character beyond ASCII the first byte bears all.
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
        278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278,
        584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944,
        667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
        278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
    ]
}
