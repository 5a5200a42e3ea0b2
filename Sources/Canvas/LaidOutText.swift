internal import CCairo

/// A text that Pango has broken into lines and measured. Documents repeat the same words on every
/// page, so the typesetter caches recent texts.
@safe final class LaidOutText {
    /// A text and everything on which its layout depends.
    struct Key: Hashable {
        let text: String
        let style: TextStyle
        let width: Double?
        let maximumLines: Int?
        let ellipsis: TextLayout.Ellipsis
    }

    let text: String
    let width: Double
    let height: Double
    let lines: [TextLayout.Line]
    let isEllipsized: Bool
    let layout: OpaquePointer

    init(_ key: Key, typesetter: Typesetter) {
        var text = Self.printable(key.text)
        let layout = unsafe typesetter.makeLayout(key.style)
        unsafe self.layout = layout
        unsafe Self.set(key, in: layout)
        unsafe Self.set(&text, in: layout)
        if unsafe pango_layout_get_unknown_glyphs_count(layout) > 0 {
            text = unsafe Self.naming(text, in: layout)
            unsafe Self.set(&text, in: layout)
        }
        self.text = text
        let lines = unsafe Self.lines(of: layout)
        self.lines = lines
        self.width = lines.map(\.box.width).max() ?? 0
        self.height = lines.last.map(\.box.bottom) ?? 0
        isEllipsized = unsafe pango_layout_is_ellipsized(layout) != 0
    }

    /// Sets everything of a layout but its text.
    private static func set(_ key: Key, in layout: OpaquePointer) {
        let (style, maximumLines) = (key.style, key.maximumLines)
        if let width = key.width {
            let units = (max(0, min(width, 20_000)) * Double(PANGO_SCALE)).rounded(.down)
            unsafe pango_layout_set_width(layout, Int32(units))
        }
        unsafe pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        // A code broken over two lines must not seem to contain a hyphen.
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
        if key.ellipsis != .none || maximumLines != nil {
            unsafe pango_layout_set_ellipsize(
                layout, key.ellipsis == .middle ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_END)
            // Pango interprets a negative height as a number of lines for each paragraph.
            if let maximumLines { unsafe pango_layout_set_height(layout, -Int32(max(1, min(maximumLines, 10_000)))) }
        }
    }

    private static func lines(of layout: OpaquePointer) -> [TextLayout.Line] {
        let scale = Double(PANGO_SCALE)
        var lines: [TextLayout.Line] = []
        let iterator = unsafe pango_layout_get_iter(layout)
        repeat {
            var logical = PangoRectangle()
            unsafe pango_layout_iter_get_line_extents(iterator, nil, &logical)
            var (top, bottom) = (Int32(0), Int32(0))
            unsafe pango_layout_iter_get_line_yrange(iterator, &top, &bottom)
            let box = Box(
                x: Double(logical.x) / scale, y: Double(top) / scale, width: Double(logical.width) / scale,
                height: Double(bottom - top) / scale)
            lines.append(
                TextLayout.Line(baseline: unsafe Double(pango_layout_iter_get_baseline(iterator)) / scale, box: box))
        } while unsafe pango_layout_iter_next_line(iterator) != 0
        unsafe pango_layout_iter_free(iterator)
        return lines
    }

    deinit { unsafe g_object_unref(UnsafeMutableRawPointer(layout)) }

    private static func set(_ text: inout String, in layout: OpaquePointer) {
        text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) {
                unsafe pango_layout_set_text(layout, $0.baseAddress, Int32($0.count))
            }
        }
    }

    /// Writes the Unicode names of characters that no font of the machine has, in brackets. Pango would draw boxes
    /// with their numbers in unreadably small letters.
    private static func naming(_ text: String, in layout: OpaquePointer) -> String {
        var named = ""
        var missing: [String] = []
        var known: [Character: Bool] = [:]
        func close() {
            if !missing.isEmpty { named += "[" + missing.joined(separator: ", ") + "]" }
            missing = []
        }
        for character in text {
            let isMissing: Bool
            if character.isASCII {
                isMissing = false
            } else if let seen = known[character] {
                isMissing = seen
            } else {
                var alone = String(character)
                unsafe set(&alone, in: layout)
                isMissing = unsafe pango_layout_get_unknown_glyphs_count(layout) > 0
                known[character] = isMissing
            }
            if isMissing {
                missing.append(name(of: character))
            } else {
                close()
                named.append(character)
            }
        }
        close()
        return named
    }

    /// The names of a character's scalars, without those that only join or vary others.
    private static func name(of character: Character) -> String {
        let scalars = character.unicodeScalars
        let visible = scalars.filter { !$0.properties.isDefaultIgnorableCodePoint }
        return (visible.isEmpty ? Array(scalars) : Array(visible)).map {
            $0.properties.name ?? "U+" + String($0.value, radix: 16, uppercase: true)
        }.joined(separator: " ")
    }

    /// Replaces characters that print nothing, or a box with a number in it, by spaces.
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
