internal import CCairo

/// Hands the bytes of a PNG file to cairo.
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
        guard width <= 16_384, height <= 16_384, width * height <= 64 << 20 else { throw .pictureTooLarge(width: width, height: height) }
        return (width, height)
    }

    static let read: cairo_read_func_t = { closure, data, length in
        guard let closure = unsafe closure, let data = unsafe data else { return CAIRO_STATUS_READ_ERROR }
        let reader = unsafe Unmanaged<PNGReader>.fromOpaque(closure).takeUnretainedValue()
        let end = reader.position + Int(length)
        guard end <= reader.bytes.count else { return CAIRO_STATUS_READ_ERROR }
        _ = unsafe UnsafeMutableBufferPointer(start: data, count: Int(length)).update(fromContentsOf: reader.bytes[reader.position..<end])
        reader.position = end
        return CAIRO_STATUS_SUCCESS
    }
}
