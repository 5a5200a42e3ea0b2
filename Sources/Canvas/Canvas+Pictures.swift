internal import CCairo
internal import CTurboJPEG

extension Canvas {
    /// Draws a JPEG picture into a box, which it fills. In a PDF or SVG its bytes are embedded
    /// unchanged and never decoded, except for pictures in printing inks (CMYK), which cairo would
    /// embed as negatives.
    /// - Parameters:
    ///   - orientation: EXIF orientation, 1 to 8: how the picture has to be turned.
    ///   - identifier: the same for the same picture: a document stores it once, however often it
    ///     is drawn.
    package func draw(jpeg: [UInt8], in box: Box, orientation: Int = 1, identifier: String? = nil) throws(CanvasFailure) {
        let header = try JPEGHeader(jpeg)
        let surface: OpaquePointer?
        if kind == .image || header.colours == .ink {
            unsafe surface = try JPEGDecoder.surface(jpeg, header)
        } else {
            // cairo writes the bytes attached to a surface instead of its pixels, and takes the
            // picture's size from them. It copies the pixels on the way, so a PDF gets a surface of
            // a single pixel; an SVG states the size of the surface.
            let (columns, rows) = kind == .pdf ? (1, 1) : (header.width, header.height)
            unsafe surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(columns), Int32(rows))
            do { unsafe try attach(jpeg, as: CAIRO_MIME_TYPE_JPEG, to: surface) } catch {
                unsafe cairo_surface_destroy(surface)
                throw error
            }
        }
        defer { unsafe cairo_surface_destroy(surface) }
        if let identifier { unsafe try attach(Array(identifier.utf8), as: CAIRO_MIME_TYPE_UNIQUE_ID, to: surface) }
        unsafe paint(surface, width: header.width, height: header.height, in: box, orientation: orientation)
        try check()
    }

    /// Draws a PNG picture into a box, which it fills.
    package func draw(png: [UInt8], in box: Box, identifier: String? = nil) throws(CanvasFailure) {
        let size = try PNGReader.size(png)
        let reader = PNGReader(png)
        let surface = unsafe withExtendedLifetime(reader) {
            unsafe cairo_image_surface_create_from_png_stream(PNGReader.read, Unmanaged.passUnretained(reader).toOpaque())
        }
        defer { unsafe cairo_surface_destroy(surface) }
        guard unsafe cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else { throw .unreadablePicture("not a PNG picture, or damaged") }
        if let identifier { unsafe try attach(Array(identifier.utf8), as: CAIRO_MIME_TYPE_UNIQUE_ID, to: surface) }
        unsafe paint(surface, width: size.width, height: size.height, in: box, orientation: 1)
        try check()
    }

    private func paint(_ surface: OpaquePointer?, width: Int, height: Int, in box: Box, orientation: Int) {
        let (w, h) = (Double(width), Double(height))
        inGroup {
            rectangle(box)
            unsafe cairo_clip(context)
            unsafe cairo_translate(context, box.x, box.y)
            let isSideways = (5...8).contains(orientation)
            unsafe cairo_scale(context, box.width / (isSideways ? h : w), box.height / (isSideways ? w : h))
            // Directions of the stored picture's x and y axes, as EXIF 2.3 numbers them.
            var matrix = cairo_matrix_t()
            switch orientation {
            case 2: unsafe cairo_matrix_init(&matrix, -1, 0, 0, 1, w, 0)
            case 3: unsafe cairo_matrix_init(&matrix, -1, 0, 0, -1, w, h)
            case 4: unsafe cairo_matrix_init(&matrix, 1, 0, 0, -1, 0, h)
            case 5: unsafe cairo_matrix_init(&matrix, 0, 1, 1, 0, 0, 0)
            case 6: unsafe cairo_matrix_init(&matrix, 0, 1, -1, 0, h, 0)
            case 7: unsafe cairo_matrix_init(&matrix, 0, -1, -1, 0, h, w)
            case 8: unsafe cairo_matrix_init(&matrix, 0, -1, 1, 0, 0, w)
            default: unsafe cairo_matrix_init_identity(&matrix)
            }
            unsafe cairo_transform(context, &matrix)
            // The surface may be smaller than the picture that it represents.
            let (columns, rows) = unsafe (Double(cairo_image_surface_get_width(surface)), Double(cairo_image_surface_get_height(surface)))
            unsafe cairo_scale(context, w / columns, h / rows)
            unsafe cairo_set_source_surface(context, surface, 0, 0)
            // Pixels must not fade at the edges into what lies below. In a file the picture keeps
            // its own edges, and this setting would make cairo decode it.
            if kind == .image { unsafe cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD) }
            unsafe cairo_rectangle(context, 0, 0, columns, rows)
            unsafe cairo_fill(context)
        }
    }

    private func attach(_ bytes: [UInt8], as type: String, to surface: OpaquePointer?) throws(CanvasFailure) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, bytes.count))
        _ = unsafe copy.update(fromContentsOf: bytes)
        let status = unsafe cairo_surface_set_mime_data(
            surface, type, copy.baseAddress, UInt(bytes.count), { unsafe $0?.deallocate() }, copy.baseAddress)
        if status != CAIRO_STATUS_SUCCESS { unsafe copy.deallocate() }
        try CanvasFailure.check(status)
    }
}
