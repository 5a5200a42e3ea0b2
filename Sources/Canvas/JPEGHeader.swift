internal import CTurboJPEG

/// The header of a JPEG file, as libjpeg-turbo reads it.
struct JPEGHeader {
    enum Colours { case grey, colour, ink }

    /// The largest size of a camera; a hostile header may claim 65,535 × 65,535.
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
        guard isReadable, width > 0, height > 0 else { throw .unreadablePicture(unsafe String(cString: tjGetErrorStr2(handle))) }
        guard width <= Self.maximumSide, height <= Self.maximumSide, Int(width) * Int(height) <= Self.maximumPixels else {
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
