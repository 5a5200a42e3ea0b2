import CXLSXWriter

extension CellStyle {
    /// Applies this style to a format of the library.
    func apply(to format: UnsafeMutablePointer<lxw_format>) {
        // The library copies both into buffers of 128 bytes.
        if let numberFormat, numberFormat.utf8.count < 128 { unsafe format_set_num_format(format, numberFormat) }
        if let font, !font.isEmpty { unsafe format_set_font_name(format, LibraryText(font, limit: 31, isOneLine: true).string) }
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
        // A line without its own colour is drawn in the program's.
        guard border.color != 0 else { return }
        if edges.contains(.top) { unsafe format_set_top_color(format, color) }
        if edges.contains(.bottom) { unsafe format_set_bottom_color(format, color) }
        if edges.contains(.left) { unsafe format_set_left_color(format, color) }
        if edges.contains(.right) { unsafe format_set_right_color(format, color) }
    }

    /// In the library, zero means «no colour», so black is passed as another value.
    static func libraryColor(_ color: UInt32) -> UInt32 { color == 0 ? 0x1000000 : color }
}
