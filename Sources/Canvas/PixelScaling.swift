internal import CTurboJPEG

/// Scales pictures down and turns them.
enum PixelScaling {
    /// Scales by area: every pixel is the mean of the source pixels below it, weighted by the
    /// covered part.
    static func reduce(_ source: JPEGDecoder.Pixels, width: Int, height: Int) -> JPEGDecoder.Pixels {
        guard width < source.width || height < source.height else { return source }
        let (width, height) = (min(width, source.width), min(height, source.height))
        let channels = source.channels
        let (across, down) = (spans(source.width, width), spans(source.height, height))
        var result = [UInt8](repeating: 0, count: width * height * channels)
        var sums = [UInt32](repeating: 0, count: source.width * channels)
        // The weights of a pixel add up to `source.width` across and `source.height` down.
        // Multiplying by the reciprocal is much cheaper than a division for each pixel, and IEEE
        // 754 gives every machine the same product.
        let share = 1 / (Double(source.width) * Double(source.height))
        // Adds up lines first, because the processor adds many pixels at a time. This leaves one
        // line of sums for each line of the result.
        unsafe source.bytes.withUnsafeBufferPointer { pixels in
            unsafe sums.withUnsafeMutableBufferPointer { sums in
                unsafe result.withUnsafeMutableBufferPointer { result in
                    for y in 0..<height {
                        let span = down[y]
                        for part in 0..<span.count {
                            let line = unsafe UnsafeBufferPointer(
                                rebasing: pixels[
                                    (span.first + part) * sums.count..<(span.first + part + 1) * sums.count])
                            unsafe add(line, weight: span.weight(part, target: height), to: sums, isFirst: part == 0)
                        }
                        unsafe reduce(
                            sums, across, target: width, channels, share, into: result, at: y * width * channels)
                    }
                }
            }
        }
        return JPEGDecoder.Pixels(
            width: width, height: height, channels: channels, bytes: result, isDamaged: source.isDamaged)
    }

    private static func add(
        _ line: UnsafeBufferPointer<UInt8>, weight: UInt32, to sums: UnsafeMutableBufferPointer<UInt32>, isFirst: Bool
    ) {
        if isFirst {
            for index in 0..<sums.count { unsafe sums[index] = UInt32(line[index]) &* weight }
        } else {
            for index in 0..<sums.count { unsafe sums[index] &+= UInt32(line[index]) &* weight }
        }
    }

    /// Reduces one line of sums to one line of the result.
    private static func reduce(
        _ sums: UnsafeMutableBufferPointer<UInt32>, _ across: [Span], target: Int, _ channels: Int, _ share: Double,
        into result: UnsafeMutableBufferPointer<UInt8>, at start: Int
    ) {
        var place = start
        for span in across {
            for channel in 0..<channels {
                var index = span.first &* channels &+ channel
                var sum = unsafe UInt64(sums[index]) &* UInt64(span.firstWeight)
                for _ in 0..<span.whole {
                    index &+= channels
                    unsafe sum &+= UInt64(sums[index]) &* UInt64(target)
                }
                if span.lastWeight > 0 { unsafe sum &+= UInt64(sums[index &+ channels]) &* UInt64(span.lastWeight) }
                unsafe result[place] = UInt8(truncatingIfNeeded: Int(Double(sum) * share + 0.5))
                place &+= 1
            }
        }
    }

    /// The part of the source below one target pixel: a first pixel, whole ones and a last,
    /// weighted in units of `1 / target` of a pixel.
    private struct Span {
        let first: Int
        let firstWeight: UInt32
        let whole: Int
        let lastWeight: UInt32

        var count: Int { 1 + whole + (lastWeight > 0 ? 1 : 0) }

        func weight(_ part: Int, target: Int) -> UInt32 {
            part == 0 ? firstWeight : part <= whole ? UInt32(target) : lastWeight
        }
    }

    private static func spans(_ source: Int, _ target: Int) -> [Span] {
        (0..<target).map { index in
            // In units of 1/target of a source pixel.
            let (start, end) = (index * source, (index + 1) * source)
            let first = start / target
            let firstWeight = min(end, (first + 1) * target) - start
            let rest = end - start - firstWeight
            return Span(
                first: first, firstWeight: UInt32(firstWeight), whole: rest / target, lastWeight: UInt32(rest % target))
        }
    }

    /// Turns the stored picture upright according to its EXIF orientation.
    static func turn(_ source: JPEGDecoder.Pixels, orientation: Int) -> JPEGDecoder.Pixels {
        guard (2...8).contains(orientation) else { return source }
        let isSideways = orientation >= 5
        let (width, height) = isSideways ? (source.height, source.width) : (source.width, source.height)
        let (right, bottom) = (source.width - 1, source.height - 1)
        var result: [UInt8] = []
        result.reserveCapacity(source.bytes.count)
        for y in 0..<height {
            for x in 0..<width {
                let (column, row) = switch orientation {
                case 2: (right - x, y)
                case 3: (right - x, bottom - y)
                case 4: (x, bottom - y)
                case 5: (y, x)
                case 6: (y, bottom - x)
                case 7: (right - y, bottom - x)
                default: (right - y, x)
                }
                let start = (row * source.width + column) * source.channels
                for channel in 0..<source.channels { result.append(source.bytes[start + channel]) }
            }
        }
        return JPEGDecoder.Pixels(
            width: width, height: height, channels: source.channels, bytes: result, isDamaged: source.isDamaged)
    }
}

/// A small upright JPEG made from a large one. The same input gives the same bytes.
package struct Thumbnail: Sendable, Hashable {
    package let bytes: [UInt8]
    package let width: Int
    package let height: Int
    /// Whether the file ended early or contained errors: unreadable parts are grey.
    package let isDamaged: Bool

    /// - Parameters:
    ///   - longestSide: in pixels; smaller pictures are not scaled.
    ///   - quality: 1 to 100.
    ///   - orientation: EXIF orientation, 1 to 8; any other value counts as 1.
    /// - Throws: when the bytes are not a JPEG picture, are damaged beyond reading or contain more
    ///   than 200 million pixels.
    package static func make(jpeg: [UInt8], longestSide: Int, quality: Int = 80, orientation: Int = 1)
        throws(CanvasFailure) -> Thumbnail
    {
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
                handle, pixels.bytes, Int32(pixels.width), 0, Int32(pixels.height),
                Int32((isGrey ? TJPF_GRAY : TJPF_RGB).rawValue), &start, &size,
                Int32(sampling.rawValue), Int32(quality), Int32(TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT))
            if result != 0 { failure = unsafe String(cString: tjGetErrorStr2(handle)) }
            count = result == 0 ? Int(size) : 0
        }
        if let failure { throw .unreadablePicture(failure) }
        return bytes
    }
}
