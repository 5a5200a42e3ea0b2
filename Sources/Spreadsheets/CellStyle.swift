import CXLSXWriter
package import Model

/// The style of a cell, as a value. The workbook makes one libxlsxwriter format for each distinct
/// style.
package struct CellStyle: Hashable, Sendable {
    package enum Alignment: Hashable, Sendable {
        case top, middle, bottom
    }

    package enum Side: Hashable, Sendable {
        case left, center, right
    }

    /// Lines around a cell, or along some of its edges.
    package struct Border: Hashable, Sendable {
        package enum Line: Hashable, Sendable {
            case hair, thin, medium
        }

        package struct Edges: OptionSet, Hashable, Sendable {
            package let rawValue: UInt8
            package init(rawValue: UInt8) { self.rawValue = rawValue }

            package static let top = Edges(rawValue: 1)
            package static let bottom = Edges(rawValue: 2)
            package static let left = Edges(rawValue: 4)
            package static let right = Edges(rawValue: 8)
            package static let all: Edges = [.top, .bottom, .left, .right]
        }

        package var line: Line
        /// RGB.
        package var color: UInt32
        package var edges: Edges

        package init(_ line: Line, color: UInt32 = 0x000000, edges: Edges = .all) {
            self.line = line
            self.color = color
            self.edges = edges
        }
    }

    /// An Excel number format; nil for `General`.
    package var numberFormat: String?
    package var isBold = false
    package var isItalic = false
    package var isLink = false
    package var wraps = false
    package var alignment: Alignment = .top
    /// The horizontal alignment; nil to align numbers right and texts left.
    package var side: Side?
    /// Steps of indentation from the side.
    package var indent = 0
    package var size: Double?
    /// Name of the font; nil for the workbook's default font.
    package var font: String?
    /// RGB.
    package var color: UInt32?
    package var fill: UInt32?
    package var border: Border?

    package init(
        numberFormat: String? = nil, isBold: Bool = false, isItalic: Bool = false, isLink: Bool = false,
        wraps: Bool = false,
        alignment: Alignment = .top, side: Side? = nil, indent: Int = 0, size: Double? = nil, font: String? = nil,
        color: UInt32? = nil,
        fill: UInt32? = nil, border: Border? = nil
    ) {
        self.numberFormat = numberFormat
        self.isBold = isBold
        self.isItalic = isItalic
        self.isLink = isLink
        self.wraps = wraps
        self.alignment = alignment
        self.side = side
        self.indent = indent
        self.size = size
        self.font = font
        self.color = color
        self.fill = fill
        self.border = border
    }

    private static let grid = Border(.hair)

    package static let header = CellStyle(isBold: true, wraps: true, alignment: .middle)
    package static let title = CellStyle(isBold: true, alignment: .middle, size: 18)
    package static let subtitle = CellStyle(alignment: .middle, size: 12, color: 0x595959)
    package static let environmentBanner = CellStyle(
        isBold: true, alignment: .middle, size: 14, color: 0xFFFFFF, fill: 0xC00000)
    package static let draftBanner = CellStyle(
        isBold: true, alignment: .middle, size: 14, color: 0x7F6000, fill: 0xFFE699)
    package static let label = CellStyle(isBold: true)
    package static let value = CellStyle(wraps: true)
    package static let tableTitle = CellStyle(isBold: true, alignment: .middle, size: 13)
    package static let tableHeader = CellStyle(isBold: true, wraps: true, fill: 0xD9E1F2, border: grid)
    package static let tableCell = CellStyle(wraps: true, border: grid)

    /// The style of a cell with findings: colour and weight show their severity.
    package static func faulty(_ severity: Severity) -> CellStyle {
        switch severity {
        case .error: CellStyle(isBold: true, wraps: true, color: 0x9C0006, fill: 0xFFC7CE, border: grid)
        case .warning: CellStyle(wraps: true, color: 0x7F6000, fill: 0xFFEB9C, border: grid)
        case .note: CellStyle(wraps: true, color: 0x1F3864, fill: 0xDDEBF7, border: grid)
        }
    }
}

extension CellStyle {
    /// The style of a cell that somebody changed, in the colours in which Excel marks good, neutral and bad.
    package static func marked(_ mark: PlainTable.Mark) -> CellStyle {
        switch mark {
        case .done: CellStyle(wraps: true, color: 0x006100, fill: 0xC6EFCE, border: grid)
        case .contested: faulty(.warning)
        case .refused: faulty(.error)
        }
    }
}

/// Names of cells and ranges in A1 form.
package enum CellReference {
    /// The letters of a column, counted from zero: `A`, `Z`, `AA`, `XFD`.
    package static func letters(_ column: Int) -> String {
        var rest = column + 1
        var letters: [UInt8] = []
        while rest > 0 {
            rest -= 1
            letters.append(UInt8(ascii: "A") + UInt8(rest % 26))
            rest /= 26
        }
        return String(decoding: letters.reversed(), as: UTF8.self)
    }

    /// Row and column counted from zero.
    package static func cell(row: Int, column: Int) -> String { letters(column) + String(row + 1) }
}

extension CellStyle {
    /// Applies this style to a format of the library.
    func apply(to format: UnsafeMutablePointer<lxw_format>) {
        // libxlsxwriter copies number format and font name into buffers of 128 bytes.
        if let numberFormat, numberFormat.utf8.count < 128 { unsafe format_set_num_format(format, numberFormat) }
        if let font, !font.isEmpty {
            unsafe format_set_font_name(format, LibraryText(font, limit: 31, isOneLine: true).string)
        }
        if isBold { unsafe format_set_bold(format) }
        if isItalic { unsafe format_set_italic(format) }
        if wraps { unsafe format_set_text_wrap(format) }
        if isLink {
            unsafe format_set_font_color(format, 0x0563C1)
            unsafe format_set_underline(format, UInt8(LXW_UNDERLINE_SINGLE.rawValue))
        }
        switch alignment {
        case .top: unsafe format_set_align(format, UInt8(LXW_ALIGN_VERTICAL_TOP.rawValue))
        case .middle: unsafe format_set_align(format, UInt8(LXW_ALIGN_VERTICAL_CENTER.rawValue))
        case .bottom: unsafe format_set_align(format, UInt8(LXW_ALIGN_VERTICAL_BOTTOM.rawValue))
        }
        switch side {
        case .left: unsafe format_set_align(format, UInt8(LXW_ALIGN_LEFT.rawValue))
        case .center: unsafe format_set_align(format, UInt8(LXW_ALIGN_CENTER.rawValue))
        case .right: unsafe format_set_align(format, UInt8(LXW_ALIGN_RIGHT.rawValue))
        case nil: break
        }
        if indent > 0 { unsafe format_set_indent(format, UInt8(clamping: indent)) }
        if let size { unsafe format_set_font_size(format, size) }
        if let color { unsafe format_set_font_color(format, Self.libraryColor(color)) }
        if let fill { unsafe format_set_bg_color(format, Self.libraryColor(fill)) }
        if let border { unsafe Self.apply(border, to: format) }
    }

    private static func apply(_ border: Border, to format: UnsafeMutablePointer<lxw_format>) {
        let line =
            switch border.line {
            case .hair: UInt8(LXW_BORDER_HAIR.rawValue)
            case .thin: UInt8(LXW_BORDER_THIN.rawValue)
            case .medium: UInt8(LXW_BORDER_MEDIUM.rawValue)
            }
        let color = libraryColor(border.color)
        let edges = border.edges
        if edges.contains(.top) { unsafe format_set_top(format, line) }
        if edges.contains(.bottom) { unsafe format_set_bottom(format, line) }
        if edges.contains(.left) { unsafe format_set_left(format, line) }
        if edges.contains(.right) { unsafe format_set_right(format, line) }
        // A black line needs no colour: programs draw lines in black by default.
        guard border.color != 0 else { return }
        if edges.contains(.top) { unsafe format_set_top_color(format, color) }
        if edges.contains(.bottom) { unsafe format_set_bottom_color(format, color) }
        if edges.contains(.left) { unsafe format_set_left_color(format, color) }
        if edges.contains(.right) { unsafe format_set_right_color(format, color) }
    }

    /// libxlsxwriter reads zero as “no colour”, so black is passed as another value.
    static func libraryColor(_ color: UInt32) -> UInt32 { color == 0 ? 0x1000000 : color }
}
