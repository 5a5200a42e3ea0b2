internal import CCairo

/// Fonts and the text engine: created once, used for many texts, from one thread at a time.
///
/// Metrics are not hinted, so that a text is broken in the same way on paper and on the screen.
@safe package final class Typesetter {
    private struct FontKey: Hashable {
        let family: String
        let size: Double
        let weight: TextStyle.Weight
        let isItalic: Bool
    }

    private let map: UnsafeMutablePointer<PangoFontMap>
    private let context: OpaquePointer
    private var fonts: [FontKey: OpaquePointer]
    /// Texts used recently. A full table replaces `earlier`, so texts that every page uses remain
    /// cached.
    private var recent: [LaidOutText.Key: LaidOutText] = [:]
    private var earlier: [LaidOutText.Key: LaidOutText] = [:]
    private static let mostKept = 400
    /// Longer texts are rarely repeated; in bytes.
    private static let longest = 200

    package init() throws(CanvasFailure) {
        unsafe fonts = [:]
        unsafe map = pango_cairo_font_map_new()
        // All sizes are in points.
        unsafe fichero_pango_set_resolution(map, 72)
        unsafe context = pango_font_map_create_context(map)
        // Without any font, measured text sizes would be meaningless. Pango finds a font if one is
        // installed.
        let description = unsafe pango_font_description_from_string("Sans")
        let found = unsafe pango_font_map_load_font(map, context, description)
        unsafe pango_font_description_free(description)
        // All properties are initialised at this point, so `deinit` runs even after a `throw` and
        // releases them. No other code may release them.
        guard let found = unsafe found else { throw .noFonts }
        unsafe g_object_unref(UnsafeMutableRawPointer(found))
        let options = unsafe cairo_font_options_create()
        unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        unsafe cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        unsafe pango_cairo_context_set_font_options(context, options)
        unsafe cairo_font_options_destroy(options)
        unsafe pango_context_set_round_glyph_positions(context, 0)
        // The language of the user's account must not influence the choice of glyphs.
        unsafe pango_context_set_language(context, pango_language_from_string("es"))
        unsafe pango_context_set_base_dir(context, PANGO_DIRECTION_LTR)
    }

    deinit {
        unsafe fonts.values.forEach { unsafe pango_font_description_free($0) }
        unsafe g_object_unref(UnsafeMutableRawPointer(context))
        unsafe g_object_unref(UnsafeMutableRawPointer(map))
    }

    /// A text broken into lines, from the cache if it was laid out before.
    func set(_ key: LaidOutText.Key) -> LaidOutText {
        guard key.text.utf8.count <= Self.longest else { return LaidOutText(key, typesetter: self) }
        if let known = recent[key] { return known }
        let text = earlier[key] ?? LaidOutText(key, typesetter: self)
        if recent.count >= Self.mostKept {
            earlier = recent
            recent.removeAll(keepingCapacity: true)
        }
        recent[key] = text
        return text
    }

    func makeLayout(_ style: TextStyle) -> OpaquePointer {
        // GLib ends the program itself when memory is exhausted.
        // swift-format-ignore: NeverForceUnwrap
        let layout = unsafe pango_layout_new(context)!
        unsafe pango_layout_set_font_description(layout, font(style))
        unsafe pango_layout_set_auto_dir(layout, 0)
        return unsafe layout
    }

    private func font(_ style: TextStyle) -> OpaquePointer {
        let key = FontKey(family: style.family, size: style.size, weight: style.weight, isItalic: style.isItalic)
        if let known = unsafe fonts[key] { return unsafe known }
        // swift-format-ignore: NeverForceUnwrap
        let made = unsafe pango_font_description_new()!
        unsafe pango_font_description_set_family(made, style.family)
        unsafe pango_font_description_set_size(
            made, Int32((max(0.1, min(style.size, 1000)) * Double(PANGO_SCALE)).rounded()))
        unsafe pango_font_description_set_weight(made, style.weight == .bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
        unsafe pango_font_description_set_style(made, style.isItalic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL)
        unsafe fonts[key] = made
        return unsafe made
    }
}
