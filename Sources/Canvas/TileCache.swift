internal import CCairo

/// The tiles that a PDF has drawn so far, as recordings that its pages share.
@safe final class TileCache {
    private var recordings: [String: OpaquePointer]

    init() { unsafe recordings = [:] }

    deinit { unsafe recordings.values.forEach { unsafe cairo_surface_destroy($0) } }

    /// A pattern that repeats a tile; nil when the tile has no key. The caller must destroy it.
    func pattern(_ tile: Tile, typesetter: Typesetter) -> OpaquePointer? {
        guard let key = tile.key else { return nil }
        if unsafe recordings[key] == nil {
            var extents = cairo_rectangle_t(x: 0, y: 0, width: tile.width, height: tile.height)
            let surface = unsafe cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, &extents)
            let canvas = unsafe Canvas(surface: surface, kind: .pdf, width: tile.width, height: tile.height, typesetter: typesetter)
            for layer in tile.layers {
                canvas.newPath()
                layer.path(canvas)
                layer.paint(canvas)
            }
            unsafe recordings[key] = surface
        }
        guard let surface = unsafe recordings[key] else { return nil }
        let pattern = unsafe cairo_pattern_create_for_surface(surface)
        unsafe cairo_pattern_set_extend(pattern, CAIRO_EXTEND_REPEAT)
        return unsafe pattern
    }
}
