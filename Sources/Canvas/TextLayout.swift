internal import CCairo

/// A text broken into lines and measured, ready to be drawn as a whole or in part. It is plain
/// text: nothing in it is markup.
///
/// It belongs to the thread of its typesetter.
@safe package final class TextLayout {
    package enum Ellipsis: Sendable { case none, end, middle }

    package struct Line: Sendable, Hashable {
        /// From the layout's upper left corner.
        package let baseline: Double
        /// The space that the line takes up, spacing included: lines stack without overlapping.
        package let box: Box
    }

    package let text: String
    package let style: TextStyle
    /// Width of the widest line; not the width that was given.
    package let width: Double
    package let height: Double
    package let lines: [Line]
    /// Whether text was left out for lack of room.
    package let isEllipsized: Bool
    let layout: OpaquePointer

    /// - Parameters:
    ///   - width: where lines break, in points; nil for a line per paragraph. Longer words break
    ///     within.
    ///   - maximumLines: the rest is left out, with an ellipsis; nil for as many as needed.
    package init(
        _ text: String, _ style: TextStyle, width: Double? = nil, maximumLines: Int? = nil, ellipsis: Ellipsis = .none,
        typesetter: Typesetter
    ) {
        let scale = Double(PANGO_SCALE)
        let text = Self.printable(text)
        self.text = text
        self.style = style
        let layout = unsafe typesetter.makeLayout(style)
        unsafe self.layout = layout
        if let width { unsafe pango_layout_set_width(layout, Int32((max(0, min(width, 20_000)) * scale).rounded(.down))) }
        unsafe pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        // A code that is broken over two lines must not look as if it contained a hyphen.
        let attributes = unsafe pango_attr_list_new()
        unsafe pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
        unsafe pango_layout_set_attributes(layout, attributes)
        unsafe pango_attr_list_unref(attributes)
        if style.lineSpacing > 0 { unsafe pango_layout_set_line_spacing(layout, Float(style.lineSpacing)) }
        switch style.alignment {
        case .leading: unsafe pango_layout_set_alignment(layout, PANGO_ALIGN_LEFT)
        case .centre: unsafe pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER)
        case .trailing: unsafe pango_layout_set_alignment(layout, PANGO_ALIGN_RIGHT)
        }
        if ellipsis != .none || maximumLines != nil {
            unsafe pango_layout_set_ellipsize(layout, ellipsis == .middle ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_END)
            // Pango reads a negative height as a number of lines for each paragraph.
            if let maximumLines { unsafe pango_layout_set_height(layout, -Int32(max(1, min(maximumLines, 10_000)))) }
        }
        var copy = text
        copy.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe pango_layout_set_text(layout, $0.baseAddress, Int32($0.count)) }
        }

        var lines: [Line] = []
        let iterator = unsafe pango_layout_get_iter(layout)
        repeat {
            var logical = PangoRectangle()
            unsafe pango_layout_iter_get_line_extents(iterator, nil, &logical)
            var (top, bottom) = (Int32(0), Int32(0))
            unsafe pango_layout_iter_get_line_yrange(iterator, &top, &bottom)
            let box = Box(
                x: Double(logical.x) / scale, y: Double(top) / scale, width: Double(logical.width) / scale,
                height: Double(bottom - top) / scale)
            lines.append(Line(baseline: unsafe Double(pango_layout_iter_get_baseline(iterator)) / scale, box: box))
        } while unsafe pango_layout_iter_next_line(iterator) != 0
        unsafe pango_layout_iter_free(iterator)
        self.lines = lines
        self.width = lines.map(\.box.width).max() ?? 0
        self.height = lines.last.map(\.box.bottom) ?? 0
        isEllipsized = unsafe pango_layout_is_ellipsized(layout) != 0
    }

    deinit { unsafe g_object_unref(UnsafeMutableRawPointer(layout)) }

    /// Height of a range of lines.
    package func height(of range: Range<Int>) -> Double {
        guard !range.isEmpty else { return 0 }
        return lines[range.upperBound - 1].box.bottom - lines[range.lowerBound].box.y
    }

    /// How many lines from `first` on fit into a height.
    package func count(fitting height: Double, from first: Int = 0) -> Int {
        var count = 0
        while first + count < lines.count, self.height(of: first..<first + count + 1) <= height + 0.001 { count += 1 }
        return count
    }

    /// Replaces characters that print nothing, or print a box with a number in it, by spaces.
    private static func printable(_ text: String) -> String {
        let isControl: (Unicode.Scalar) -> Bool = { scalar in
            (scalar.value < 32 && scalar != "\n" && scalar != "\t") || (127..<160).contains(scalar.value)
                // Noncharacters, which Pango may refuse (Unicode, 23.7).
                || scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
        }
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var clean = String.UnicodeScalarView()
        var last: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            // A Windows line ending (CR LF) is one line ending.
            if scalar == "\n", last == "\r" { clean.removeLast() }
            clean.append(scalar == "\r" ? "\n" : isControl(scalar) ? " " : scalar)
            last = scalar
        }
        return String(clean)
    }
}
