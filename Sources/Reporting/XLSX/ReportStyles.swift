import Blocks
import Model
import Spreadsheets

/// The styles of all sheets of a document, in the firm's font and colours.
struct ReportStyles {
    let font: String
    let primary: UInt32
    let accent: UInt32
    private let line = CellStyle.Border(.thin, color: 0xBFBFBF)

    static let bodySize = 9.0
    static let smallSize = 8.0
    static let textSize = 10.0

    init(_ brand: Brand) {
        // Arial has the same letter widths as Liberation Sans, and is also available outside Linux.
        font = brand.font == "Liberation Sans" ? "Arial" : brand.font
        primary = Self.color(brand.primary) ?? 0x1F3A5F
        accent = Self.color(brand.accent) ?? 0xDCE6F1
    }

    // MARK: Heading

    func documentTitle(_ side: CellStyle.Side) -> CellStyle {
        CellStyle(
            isBold: true, wraps: true, alignment: .middle, side: side, size: 15, font: font, color: onWhite(primary))
    }
    func project(_ side: CellStyle.Side) -> CellStyle {
        CellStyle(isBold: true, wraps: true, alignment: .middle, side: side, size: Self.textSize, font: font)
    }
    func firm(_ side: CellStyle.Side) -> CellStyle {
        CellStyle(
            wraps: true, alignment: .middle, side: side, size: Self.smallSize, font: font, color: 0x595959,
            border: headingLine)
    }
    /// The cells of the logos, beside the texts of the heading.
    var logo: CellStyle { CellStyle(border: headingLine) }
    private var headingLine: CellStyle.Border { CellStyle.Border(.medium, color: primary, edges: .bottom) }

    var environmentBanner: CellStyle {
        CellStyle(
            isBold: true, wraps: true, alignment: .middle, side: .center, size: 11, font: font, color: 0xFFFFFF,
            fill: 0xC00000)
    }
    var draftBanner: CellStyle {
        CellStyle(
            isBold: true, wraps: true, alignment: .middle, side: .center, size: 11, font: font, color: 0x7F6000,
            fill: 0xFFE699)
    }

    // MARK: Texts

    static func size(ofTitle level: Int) -> Double { level <= 1 ? 14 : level == 2 ? 12 : 10.5 }
    func title(_ level: Int) -> CellStyle {
        CellStyle(
            isBold: true, wraps: true, alignment: .bottom, side: .left, size: Self.size(ofTitle: level), font: font,
            color: onWhite(primary),
            border: level <= 1 ? CellStyle.Border(.thin, color: primary, edges: .bottom) : nil)
    }
    static func size(of text: TextContent.Style) -> Double {
        text == .normal ? textSize : text == .small ? smallSize : bodySize
    }
    func text(_ style: TextContent.Style) -> CellStyle {
        CellStyle(
            isItalic: style == .note, wraps: true, alignment: .top, side: .left, size: Self.size(of: style), font: font,
            color: style == .note ? 0x404040 : nil)
    }

    // MARK: Cells

    var label: CellStyle {
        CellStyle(
            isBold: true, wraps: true, alignment: .middle, side: .left, indent: 1, size: Self.smallSize, font: font,
            color: 0x404040, fill: softAccent, border: line)
    }
    var value: CellStyle {
        CellStyle(
            wraps: true, alignment: .middle, side: .left, indent: 1, size: Self.bodySize, font: font, border: line)
    }
    var header: CellStyle {
        CellStyle(
            isBold: true, wraps: true, alignment: .middle, side: .center, size: Self.bodySize, font: font,
            color: on(accent), fill: accent,
            border: CellStyle.Border(.thin, color: 0x8C8C8C))
    }
    var cell: CellStyle { CellStyle(wraps: true, alignment: .middle, size: Self.bodySize, font: font, border: line) }
    func group(_ level: Int) -> CellStyle {
        CellStyle(
            isBold: true, wraps: true, alignment: .middle, indent: min(level, 6),
            size: Self.bodySize + (level == 0 ? 0.5 : 0), font: font,
            color: onWhite(primary), fill: softAccent, border: line)
    }
    func subtotal(_ level: Int) -> CellStyle {
        CellStyle(
            isBold: true, isItalic: true, wraps: true, alignment: .middle, size: Self.bodySize, font: font,
            fill: 0xF2F2F2,
            border: CellStyle.Border(.thin, color: 0x8C8C8C))
    }
    var total: CellStyle {
        CellStyle(
            isBold: true, wraps: true, alignment: .middle, size: Self.bodySize + 0.5, font: font, color: on(accent),
            fill: accent,
            border: CellStyle.Border(.thin, color: 0x404040))
    }
    var missing: CellStyle {
        CellStyle(
            isItalic: true, wraps: true, alignment: .middle, side: .center, size: Self.bodySize, font: font,
            color: 0x595959, fill: 0xF2F2F2, border: line)
    }
    /// The frame of a picture.
    var frame: CellStyle { CellStyle(border: line) }
    var caption: CellStyle {
        CellStyle(wraps: true, alignment: .top, side: .center, size: Self.smallSize, font: font, border: line)
    }
    var signature: CellStyle {
        CellStyle(
            isBold: true, wraps: true, alignment: .top, side: .center, size: Self.bodySize, font: font,
            border: CellStyle.Border(.thin, edges: .top))
    }
    var signatory: CellStyle { CellStyle(wraps: true, alignment: .top, side: .center, size: Self.bodySize, font: font) }

    // MARK: Calendars

    var calendarName: CellStyle {
        CellStyle(isBold: true, alignment: .middle, side: .left, size: Self.bodySize, font: font)
    }
    var calendarHead: CellStyle { CellStyle(alignment: .middle, side: .left, size: 7, font: font, color: 0x595959) }
    /// The cell of a day's value.
    /// - Parameters:
    ///   - shade: the darkness of its background, from 0 to 1; nil: it has none.
    ///   - isWhole: whether the day has only this cell; otherwise a cell above has the number of
    ///     the day.
    func calendarDay(shade: Double?, isWhole: Bool) -> CellStyle {
        let ground = shade.map {
            Self.mix(0xFFFFFF, Self.lightness(primary) > 0.4 ? Self.mix(primary, 0x000000, 0.5) : primary, $0)
        }
        return CellStyle(
            alignment: .middle, side: .center, size: 7, font: font, color: ground.map(on), fill: ground,
            border: CellStyle.Border(.thin, color: 0xBFBFBF, edges: isWhole ? .all : [.left, .right, .bottom]))
    }
    func calendarNumber(shade: Double?) -> CellStyle {
        var style = calendarDay(shade: shade, isWhole: true)
        (style.alignment, style.side, style.size) = (.top, .left, 5.5)
        style.border?.edges = [.left, .right, .top]
        if shade == nil { style.color = 0x7F7F7F }
        return style
    }

    // MARK: Tones

    /// A style with a tone: a pale background, and a weight or a mark that is visible without
    /// colour.
    func toned(_ style: CellStyle, _ tone: ReportTone?) -> CellStyle {
        guard let tone else { return style }
        var style = style
        switch tone {
        case .strong:
            style.isBold = true
            style.fill = 0xEDEDED
        case .muted:
            style.isItalic = true
            style.color = 0x737373
        case .warning:
            style.isBold = true
            style.fill = 0xFFF2CC
        case .danger:
            style.isBold = true
            style.fill = 0xFADBD8
            style.color = 0x8B0000
        case .good:
            style.fill = 0xE2EFDA
        }
        return style
    }

    /// The mark before a value. The mark is part of the number format, so that the value itself
    /// does not change.
    static func mark(_ tone: ReportTone?) -> String? {
        switch tone {
        case .warning: "▲ "
        case .danger: "✖ "
        case .good: "✔ "
        case .strong, .muted, nil: nil
        }
    }

    // MARK: Colours

    /// The colours of a chart's series, or of the parts of a pie. The firm's colour is first; the
    /// others alternate dark and light, so that neighbours differ in black and white.
    var chartColors: [UInt32] {
        [
            onWhite(primary), 0x9DC3E6, 0xC55A11, 0xF4B183, 0x548235, 0xA9D18E, 0x7F6000, 0xFFD966, 0x595959, 0xBFBFBF,
            0x7030A0, 0xCDB5E0,
        ]
    }

    private var softAccent: UInt32 { Self.mix(accent, 0xFFFFFF, 0.5) }

    /// Black or white, whichever is readable on a background.
    private func on(_ ground: UInt32) -> UInt32 { Self.lightness(ground) > 0.55 ? 0x1A1A1A : 0xFFFFFF }
    /// A colour that is readable on white.
    private func onWhite(_ color: UInt32) -> UInt32 { Self.lightness(color) > 0.7 ? 0x262626 : color }

    private static func parts(_ color: UInt32) -> [Double] { [16, 8, 0].map { Double(color >> $0 & 0xFF) } }
    private static func lightness(_ color: UInt32) -> Double {
        zip(parts(color), [0.299, 0.587, 0.114]).reduce(0) { $0 + $1.0 * $1.1 } / 255
    }
    private static func mix(_ one: UInt32, _ other: UInt32, _ share: Double) -> UInt32 {
        zip(parts(one), parts(other)).reduce(0) { $0 << 8 | UInt32(($1.0 * (1 - share) + $1.1 * share).rounded()) }
    }
    private static func color(_ text: String) -> UInt32? {
        let digits = text.hasPrefix("#") ? text.dropFirst() : Substring(text)
        return digits.count == 6 ? UInt32(digits, radix: 16) : nil
    }
}
