internal import CCairo
internal import CTurboJPEG
package import PDFArchive
internal import Zipping

extension Canvas {
    /// Draws a JPEG picture that fills a box. In a PDF or SVG its bytes are embedded unchanged and
    /// never decoded, except for pictures in printing inks (CMYK), which cairo would embed as
    /// negatives.
    /// - Parameters:
    ///   - orientation: EXIF orientation, 1 to 8: the rotation that makes the picture upright.
    ///   - identifier: equal for equal pictures, so that a document stores a repeated one only
    ///     once.
    package func draw(jpeg: [UInt8], in box: Box, orientation: Int = 1, identifier: String? = nil) throws(CanvasFailure)
    {
        let header = try JPEGHeader(jpeg)
        let surface: OpaquePointer?
        if kind == .image || header.colours == .ink {
            unsafe surface = try JPEGDecoder.surface(jpeg, header)
        } else {
            // cairo writes the bytes attached to a surface instead of its pixels, and reads the
            // picture's size from them. cairo also copies the surface's pixels, so a PDF gets a
            // surface of a single pixel. An SVG needs the full size, because the file contains the
            // size of the surface.
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

    /// Draws a PNG picture that fills a box.
    package func draw(png: [UInt8], in box: Box, identifier: String? = nil) throws(CanvasFailure) {
        let size = try PNGReader.size(png)
        let reader = PNGReader(png)
        let surface = unsafe withExtendedLifetime(reader) {
            unsafe cairo_image_surface_create_from_png_stream(
                PNGReader.read, Unmanaged.passUnretained(reader).toOpaque())
        }
        defer { unsafe cairo_surface_destroy(surface) }
        guard unsafe cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else {
            throw .unreadablePicture("not a PNG picture, or damaged")
        }
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
            // Directions of the stored picture's x and y axes, with the numbers of EXIF 2.3.
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
            let (columns, rows) = unsafe (
                Double(cairo_image_surface_get_width(surface)), Double(cairo_image_surface_get_height(surface))
            )
            unsafe cairo_scale(context, w / columns, h / rows)
            unsafe cairo_set_source_surface(context, surface, 0, 0)
            // In a PNG, the picture must not fade at its edges into the colours below. In a PDF or
            // SVG no edge fades, and this setting would make cairo decode the picture.
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

extension Canvas {
    /// Draws the content of an element of the document's structure. Within an element that is
    /// itself drawn, such as a figure, further elements are ignored. Only a PDF has structure.
    package func draw<Failure: Error>(as element: StructureElement, _ body: () throws(Failure) -> Void) throws(Failure)
    {
        guard let page, !isMarked else { return try body() }
        let outer = self.element
        self.element = element
        defer { self.element = outer }
        if element.kind.isContainer { return try body() }
        isMarked = true
        defer { isMarked = false }
        // Unmarked content becomes an artifact.
        if element.kind == .artifact {
            self.element = nil
            return try body()
        }
        page.mark(element)
        unsafe cairo_tag_begin(context, "Span", nil)
        defer { unsafe cairo_tag_end(context, "Span") }
        try body()
    }
}

/// Passes the bytes of a PNG file to cairo.
final class PNGReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Width and height from the file's header, read before anything is decoded.
    static func size(_ bytes: [UInt8]) throws(CanvasFailure) -> (width: Int, height: Int) {
        guard bytes.count > 24, bytes.starts(with: PNGFile.signature) else {
            throw .unreadablePicture("not a PNG picture")
        }
        let number = { (start: Int) in bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        let (width, height) = (number(16), number(20))
        guard width > 0, height > 0 else { throw .unreadablePicture("a PNG picture without size") }
        guard width <= 16_384, height <= 16_384, width * height <= 64 << 20 else {
            throw .pictureTooLarge(width: width, height: height)
        }
        return (width, height)
    }

    static let read: cairo_read_func_t = { closure, data, length in
        guard let closure = unsafe closure, let data = unsafe data else { return CAIRO_STATUS_READ_ERROR }
        let reader = unsafe Unmanaged<PNGReader>.fromOpaque(closure).takeUnretainedValue()
        let end = reader.position + Int(length)
        guard end <= reader.bytes.count else { return CAIRO_STATUS_READ_ERROR }
        _ = unsafe UnsafeMutableBufferPointer(start: data, count: Int(length)).update(
            fromContentsOf: reader.bytes[reader.position..<end])
        reader.position = end
        return CAIRO_STATUS_SUCCESS
    }
}

/// The reason why something could not be drawn. The descriptions are for programmers and logs; a
/// caller that reports to users has other texts for them.
package enum CanvasFailure: Error, CustomStringConvertible {
    /// cairo's status and message.
    case library(code: Int, message: String)
    /// The error thrown by the receiver of the bytes.
    case writing(any Error)
    /// Bytes that are not a picture of the expected kind.
    case unreadablePicture(String)
    /// A picture larger than the limits allow, in pixels.
    case pictureTooLarge(width: Int, height: Int)
    /// A link or an outline entry points to a name that no page defines.
    case unknownDestination(String)
    /// No font is installed, or the font settings exclude all of them.
    case noFonts
    /// The file could not be converted to an archive (PDF/A).
    case archive(ArchiveFailure)
    /// A picture that could not be compressed.
    case packing(String)
    /// A page was begun twice or ended before its beginning, or a document was used after its end.
    case wrongOrder(String)

    package var description: String {
        switch self {
        case .library(let code, let message): "cairo \(code): \(message)"
        case .writing(let error): "writing: \(error)"
        case .unreadablePicture(let reason): "picture: \(reason)"
        case .pictureTooLarge(let width, let height): "picture too large: \(width) × \(height) pixels"
        case .unknownDestination(let name): "no page has the destination \(name)"
        case .archive(let failure): "archive: \(failure)"
        case .packing(let reason): "compressing a picture: \(reason)"
        case .noFonts: "no font can be found"
        case .wrongOrder(let what): what
        }
    }

    static func check(_ status: cairo_status_t) throws(CanvasFailure) {
        guard status != CAIRO_STATUS_SUCCESS else { return }
        throw .library(code: Int(status.rawValue), message: unsafe String(cString: cairo_status_to_string(status)))
    }
}

/// A PNG file of opaque pixels (https://www.w3.org/TR/png-3/). Each row contains the differences
/// from the row above, which are mostly zero in a drawing. cairo's writer tries every filter on
/// every row, which took four fifths of the time for a workbook with many drawings.
enum PNGFile {
    /// The first bytes of every PNG file.
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// - Parameter pixels: rows of `stride` pixels from the top, each 0xXXRRGGBB.
    static func bytes(width: Int, height: Int, stride: Int, pixels: Span<UInt32>) throws(CanvasFailure) -> [UInt8] {
        let rows = unsafe [UInt8](unsafeUninitializedCapacity: height * (1 + 3 * width) + 1) { bytes, count in
            let target = UnsafeMutableRawBufferPointer(bytes)
            var place = 0
            for row in 0..<height {
                unsafe target[place] = row == 0 ? none : up
                place += 1
                for column in row * stride..<row * stride + width {
                    let value = row == 0 ? pixels[column] : difference(pixels[column], pixels[column - stride])
                    // Red, green, blue; the next pixel covers the fourth byte.
                    unsafe target.storeBytes(
                        of: (value.byteSwapped >> 8).littleEndian, toByteOffset: place, as: UInt32.self)
                    place += 3
                }
            }
            count = place
        }
        let packed: [UInt8]
        do { packed = try ZlibStream.compress(rows, level: 3) } catch { throw .packing("\(error)") }
        // 8 bits for each of the three colours.
        return signature + chunk("IHDR", number(width) + number(height) + [8, 2, 0, 0, 0])
            + chunk("IDAT", packed) + chunk("IEND", [])
    }

    /// PNG's numbers for the filters of a row: no filter, and the difference from the row above.
    private static let none: UInt8 = 0
    private static let up: UInt8 = 2

    /// The differences of four pairs of bytes in two words; none borrows from its neighbour.
    private static func difference(_ one: UInt32, _ other: UInt32) -> UInt32 {
        (one | 0x8080_8080) &- (other & 0x7F7F_7F7F) ^ (one ^ ~other) & 0x8080_8080
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return number(content.count) + body + number(Int(body.span.crc32()))
    }

    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
