internal import CCairo

/// Single drawings as SVG and PNG files.
package enum Picture {
    /// A PNG picture of a given size in points on white, with `scale` pixels per point (2 is 144
    /// dots per inch).
    package static func png(
        width: Double, height: Double, scale: Double = 2, typesetter: Typesetter? = nil,
        recorder: TextRecorder? = nil, draw: (Canvas) throws -> Void
    ) throws -> [UInt8] {
        let (columns, rows) = ((width * scale).rounded(.up), (height * scale).rounded(.up))
        guard columns >= 1, rows >= 1, columns <= 16_384, rows <= 16_384, columns * rows <= Double(64 << 20) else {
            throw CanvasFailure.pictureTooLarge(
                width: Int(max(-1, min(columns, 1e9))), height: Int(max(-1, min(rows, 1e9))))
        }
        let surface = unsafe cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(columns), Int32(rows))
        defer { unsafe cairo_surface_destroy(surface) }
        try CanvasFailure.check(unsafe cairo_surface_status(surface))
        unsafe cairo_surface_set_device_scale(surface, scale, scale)
        let canvas = unsafe Canvas(
            surface: surface, kind: .image, width: width, height: height, typesetter: try typesetter ?? Typesetter())
        canvas.recorder = recorder
        canvas.rectangle(Box(x: 0, y: 0, width: columns / scale, height: rows / scale))
        canvas.fill(.white)
        try draw(canvas)
        try canvas.check()
        unsafe cairo_surface_flush(surface)
        let stride = Int(unsafe cairo_image_surface_get_stride(surface)) / 4
        let pixels = unsafe UnsafeBufferPointer(
            start: UnsafeRawPointer(cairo_image_surface_get_data(surface))?.bindMemory(
                to: UInt32.self, capacity: stride * Int(rows)), count: stride * Int(rows))
        return try unsafe PNGFile.bytes(width: Int(columns), height: Int(rows), stride: stride, pixels: pixels.span)
    }

    /// An SVG picture; text is drawn as outlines, so that it looks the same in every program.
    package static func svg(
        width: Double, height: Double, typesetter: Typesetter? = nil, recorder: TextRecorder? = nil,
        draw: (Canvas) throws -> Void
    ) throws -> [UInt8] {
        let bytes = try unsafe collect { sink throws in
            let surface = unsafe cairo_svg_surface_create_for_stream(CairoOutput.write, sink, width, height)
            defer { unsafe cairo_surface_destroy(surface) }
            try CanvasFailure.check(unsafe cairo_surface_status(surface))
            let canvas = unsafe Canvas(
                surface: surface, kind: .svg, width: width, height: height, typesetter: try typesetter ?? Typesetter())
            canvas.recorder = recorder
            // If anything throws, cairo must not write to a sink that no longer exists.
            defer { unsafe cairo_surface_finish(surface) }
            try draw(canvas)
            try canvas.check()
            unsafe cairo_surface_finish(surface)
            return unsafe cairo_surface_status(surface)
        }
        return numbered(bytes)
    }

    private static func collect(_ write: (UnsafeMutableRawPointer) throws -> cairo_status_t) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let sink = CairoOutput { bytes += $0 }
        try withExtendedLifetime(sink) {
            try CanvasFailure.check(try unsafe write(Unmanaged.passUnretained(sink).toOpaque()))
        }
        sink.flush()
        return bytes
    }

    /// Renumbers cairo's ids from 0. cairo numbers surfaces and images throughout the process; with
    /// numbers from 0 in each file, the same drawing gives the same bytes.
    private static func numbered(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        let names = [Array("surface".utf8), Array("image".utf8)]
        var numbers: [[UInt8]: Int] = [:]
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            result.append(byte)
            index += 1
            // An id follows a quote or a hash sign.
            guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#") else { continue }
            guard let name = names.first(where: { bytes[index...].starts(with: $0) }) else { continue }
            let digits = Array(bytes[(index + name.count)...].prefix { (48...57).contains($0) })
            guard !digits.isEmpty else { continue }
            let number = numbers[digits] ?? numbers.count
            numbers[digits] = number
            result += name + Array(String(number).utf8)
            index += name.count + digits.count
        }
        return result
    }
}

/// Collects cairo's output and passes it on in pieces. An error thrown by the receiver is stored;
/// cairo only gets the status that the write failed.
final class CairoOutput {
    static let pieceSize = 1 << 16

    private let pieceSize: Int
    private var buffer: [UInt8] = []
    private let receive: ([UInt8]) throws -> Void
    private(set) var failure: (any Error)?
    /// Whether the document was dropped unfinished: nothing more is passed on.
    var isClosed = false

    /// - Parameter pieceSize: the minimum size of a piece; 1 passes on every write of cairo alone.
    init(pieceSize: Int = pieceSize, _ receive: @escaping ([UInt8]) throws -> Void) {
        self.receive = receive
        self.pieceSize = pieceSize
        buffer.reserveCapacity(Self.pieceSize * 2)
    }

    func append(_ bytes: UnsafeBufferPointer<UInt8>) -> cairo_status_t {
        guard !isClosed, failure == nil else { return CAIRO_STATUS_WRITE_ERROR }
        unsafe buffer.append(contentsOf: bytes)
        if buffer.count >= pieceSize { flush() }
        return failure == nil ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR
    }

    func flush() {
        guard !isClosed, failure == nil, !buffer.isEmpty else { return }
        do { try receive(buffer) } catch { failure = error }
        buffer.removeAll(keepingCapacity: true)
    }

    /// The function that cairo calls to write, with the `CairoOutput` as its closure.
    static let write: cairo_write_func_t = { closure, data, length in
        guard let closure = unsafe closure, let data = unsafe data else { return CAIRO_STATUS_WRITE_ERROR }
        let sink = unsafe Unmanaged<CairoOutput>.fromOpaque(closure).takeUnretainedValue()
        return unsafe sink.append(UnsafeBufferPointer(start: data, count: Int(length)))
    }
}
