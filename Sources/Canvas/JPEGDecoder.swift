internal import CCairo
internal import CTurboJPEG

/// Decodes JPEG pictures at a reduced size: libjpeg-turbo scales by eighths while it decodes, which
/// costs less than decoding every pixel.
struct JPEGDecoder {
    /// Rows of pixels, `channels` bytes each: 1 grey, 3 red, green and blue.
    struct Pixels {
        var width: Int
        var height: Int
        let channels: Int
        var bytes: [UInt8]
        /// Whether the file ended early or contained errors: the rest is grey.
        var isDamaged = false
    }

    /// - Parameter longestSide: the minimum longer side of the result in pixels, unless the picture
    ///   is smaller.
    static func decode(_ bytes: [UInt8], _ header: JPEGHeader, longestSide: Int) throws(CanvasFailure) -> Pixels {
        guard let handle = unsafe tjInitDecompress() else { throw .unreadablePicture("no decoder") }
        defer { unsafe tjDestroy(handle) }
        var eighths = 8
        // The library supports more factors; its fast paths cover one, two, four and eight eighths.
        for candidate in [1, 2, 4] where max(header.width, header.height) * candidate / 8 >= longestSide {
            eighths = candidate
            break
        }
        let (width, height) = ((header.width * eighths + 7) / 8, (header.height * eighths + 7) / 8)
        let (format, channels): (TJPF, Int) = switch header.colours {
        case .grey: (TJPF_GRAY, 1)
        case .colour: (TJPF_RGB, 3)
        case .ink: (TJPF_CMYK, 4)
        }
        var isDamaged = false
        var failure: String?
        let pixels = unsafe [UInt8](unsafeUninitializedCapacity: width * height * channels) { buffer, count in
            unsafe buffer.initialize(repeating: 128)
            let result = unsafe tjDecompress2(
                handle, bytes, UInt(bytes.count), buffer.baseAddress, Int32(width), 0, Int32(height),
                Int32(format.rawValue),
                Int32(TJFLAG_LIMITSCANS))
            if result != 0 {
                isDamaged = true
                if unsafe tjGetErrorCode(handle) != Int32(TJERR_WARNING.rawValue) {
                    failure = unsafe String(cString: tjGetErrorStr2(handle))
                }
            }
            count = width * height * channels
        }
        if let failure { throw .unreadablePicture(failure) }
        let decoded = Pixels(width: width, height: height, channels: channels, bytes: pixels, isDamaged: isDamaged)
        return channels == 4 ? light(from: decoded) : decoded
    }

    /// Converts printing inks (CMYK) to red, green and blue. Like Photoshop, all programs that
    /// write such files store 255 for no ink.
    private static func light(from inks: Pixels) -> Pixels {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(inks.width * inks.height * 3)
        for start in stride(from: 0, to: inks.bytes.count, by: 4) {
            let black = Int(inks.bytes[start + 3])
            for channel in 0..<3 { bytes.append(UInt8(Int(inks.bytes[start + channel]) * black / 255)) }
        }
        return Pixels(width: inks.width, height: inks.height, channels: 3, bytes: bytes, isDamaged: inks.isDamaged)
    }

    /// Decodes the whole picture into cairo's pixels, for output that consists of pixels. The
    /// caller must destroy the surface.
    static func surface(_ bytes: [UInt8], _ header: JPEGHeader) throws(CanvasFailure) -> OpaquePointer? {
        let pixels = try decode(bytes, header, longestSide: max(header.width, header.height))
        let surface = unsafe cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(pixels.width), Int32(pixels.height))
        guard let start = unsafe cairo_image_surface_get_data(surface) else {
            unsafe cairo_surface_destroy(surface)
            throw .pictureTooLarge(width: pixels.width, height: pixels.height)
        }
        unsafe cairo_surface_flush(surface)
        let rowLength = unsafe Int(cairo_image_surface_get_stride(surface))
        for row in 0..<pixels.height {
            let line = unsafe UnsafeMutableRawPointer(start + row * rowLength).assumingMemoryBound(to: UInt32.self)
            for column in 0..<pixels.width {
                let index = (row * pixels.width + column) * pixels.channels
                let red = UInt32(pixels.bytes[index])
                let green = pixels.channels == 3 ? UInt32(pixels.bytes[index + 1]) : red
                let blue = pixels.channels == 3 ? UInt32(pixels.bytes[index + 2]) : red
                unsafe line[column] = red << 16 | green << 8 | blue
            }
        }
        unsafe cairo_surface_mark_dirty(surface)
        return unsafe surface
    }
}

/// The header of a JPEG file, read by libjpeg-turbo.
struct JPEGHeader {
    enum Colours { case grey, colour, ink }

    /// The maximum size of a camera's picture; a hostile header may claim 65,535 × 65,535.
    static let maximumSide = 30_000
    static let maximumPixels = 200_000_000

    let width: Int
    let height: Int
    let colours: Colours

    init(_ bytes: [UInt8]) throws(CanvasFailure) {
        guard let handle = unsafe tjInitDecompress() else { throw .unreadablePicture("no decoder") }
        defer { unsafe tjDestroy(handle) }
        var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
        let result = unsafe tjDecompressHeader3(handle, bytes, UInt(bytes.count), &width, &height, &sampling, &space)
        let isReadable = unsafe result == 0 || tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
        guard isReadable, width > 0, height > 0 else {
            throw .unreadablePicture(unsafe String(cString: tjGetErrorStr2(handle)))
        }
        guard width <= Self.maximumSide, height <= Self.maximumSide, Int(width) * Int(height) <= Self.maximumPixels
        else {
            throw .pictureTooLarge(width: Int(width), height: Int(height))
        }
        self.width = Int(width)
        self.height = Int(height)
        colours = switch space {
        case Int32(TJCS_GRAY.rawValue): .grey
        case Int32(TJCS_CMYK.rawValue), Int32(TJCS_YCCK.rawValue): .ink
        default: .colour
        }
    }
}
