internal import CTurboJPEG

/// A small upright JPEG made from a large one. The same input gives the same bytes.
package struct Thumbnail: Sendable, Hashable {
    package let bytes: [UInt8]
    package let width: Int
    package let height: Int
    /// The file ended early or contained errors: unreadable parts are grey.
    package let isDamaged: Bool

    /// - Parameters:
    ///   - longestSide: in pixels; smaller pictures keep their size.
    ///   - quality: 1 to 100.
    ///   - orientation: EXIF orientation, 1 to 8; any other value counts as 1.
    /// - Throws: when the bytes are not a JPEG picture, are damaged beyond reading or hold more
    ///   than 200 million pixels.
    package static func make(jpeg: [UInt8], longestSide: Int, quality: Int = 80, orientation: Int = 1) throws(CanvasFailure) -> Thumbnail {
        let header = try JPEGHeader(jpeg)
        let side = max(1, min(longestSide, 8192))
        var pixels = try JPEGDecoder.decode(jpeg, header, longestSide: side)
        let longest = max(header.width, header.height)
        if longest > side {
            let target = { (length: Int) in max(1, (length * side + longest / 2) / longest) }
            pixels = PixelScaling.reduce(pixels, width: target(header.width), height: target(header.height))
        }
        pixels = PixelScaling.turn(pixels, orientation: orientation)
        let bytes = try encode(pixels, quality: max(1, min(quality, 100)))
        return Thumbnail(bytes: bytes, width: pixels.width, height: pixels.height, isDamaged: pixels.isDamaged)
    }

    private static func encode(_ pixels: JPEGDecoder.Pixels, quality: Int) throws(CanvasFailure) -> [UInt8] {
        guard let handle = unsafe tjInitCompress() else { throw .unreadablePicture("no encoder") }
        defer { unsafe tjDestroy(handle) }
        let isGrey = pixels.channels == 1
        let sampling = isGrey ? TJSAMP_GRAY : TJSAMP_420
        var size = tjBufSize(Int32(pixels.width), Int32(pixels.height), Int32(sampling.rawValue))
        var failure: String?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
            var start = buffer.baseAddress
            let result = unsafe tjCompress2(
                handle, pixels.bytes, Int32(pixels.width), 0, Int32(pixels.height), Int32((isGrey ? TJPF_GRAY : TJPF_RGB).rawValue), &start, &size,
                Int32(sampling.rawValue), Int32(quality), Int32(TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT))
            if result != 0 { failure = unsafe String(cString: tjGetErrorStr2(handle)) }
            count = result == 0 ? Int(size) : 0
        }
        if let failure { throw .unreadablePicture(failure) }
        return bytes
    }
}
