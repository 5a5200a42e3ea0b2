/// Makes pictures smaller and turns them.
enum PixelScaling {
    /// Every pixel is the mean of those that it covers, parts counted as parts; whole numbers only, so that all machines agree.
    static func reduce(_ source: JPEGDecoder.Pixels, width: Int, height: Int) -> JPEGDecoder.Pixels {
        guard width < source.width || height < source.height else { return source }
        let (width, height) = (min(width, source.width), min(height, source.height))
        let channels = source.channels
        let (across, down) = (spans(source.width, width), spans(source.height, height))
        var result = [UInt8](repeating: 0, count: width * height * channels)
        var row = [UInt32](repeating: 0, count: width * channels)
        var sums = [UInt64](repeating: 0, count: width * channels)
        // The sums of whole weights: source.width across, source.height down.
        let total = UInt64(source.width) * UInt64(source.height)
        unsafe source.bytes.withUnsafeBufferPointer { pixels in
            for y in 0..<height {
                for index in sums.indices { sums[index] = 0 }
                for (line, weight) in down[y].parts {
                    let start = line * source.width * channels
                    for x in 0..<width {
                        let span = across[x]
                        for channel in 0..<channels {
                            var sum: UInt32 = 0
                            var index = start + span.first * channels + channel
                            sum = unsafe UInt32(pixels[index]) * span.firstWeight
                            for _ in 0..<span.whole {
                                index += channels
                                unsafe sum += UInt32(pixels[index]) * UInt32(width)
                            }
                            if span.lastWeight > 0 { unsafe sum += UInt32(pixels[index + channels]) * span.lastWeight }
                            row[x * channels + channel] = sum
                        }
                    }
                    for index in sums.indices { sums[index] += UInt64(row[index]) * UInt64(weight) }
                }
                let start = y * width * channels
                for index in sums.indices { result[start + index] = UInt8((sums[index] + total / 2) / total) }
            }
        }
        return JPEGDecoder.Pixels(width: width, height: height, channels: channels, bytes: result, isDamaged: source.isDamaged)
    }

    /// What one target pixel covers of the source: a first pixel, whole ones and a last, weighted in `1 / target` of a pixel.
    private struct Span {
        let first: Int
        let firstWeight: UInt32
        let whole: Int
        let lastWeight: UInt32
        let parts: [(Int, UInt32)]
    }

    private static func spans(_ source: Int, _ target: Int) -> [Span] {
        (0..<target).map { index in
            // In units of 1/target of a source pixel.
            let (start, end) = (index * source, (index + 1) * source)
            let first = start / target
            let firstWeight = min(end, (first + 1) * target) - start
            let rest = end - start - firstWeight
            var parts = [(first, UInt32(firstWeight))]
            for whole in 0..<rest / target { parts.append((first + 1 + whole, UInt32(target))) }
            if rest % target > 0 { parts.append((first + 1 + rest / target, UInt32(rest % target))) }
            return Span(first: first, firstWeight: UInt32(firstWeight), whole: rest / target, lastWeight: UInt32(rest % target), parts: parts)
        }
    }

    /// Upright, as EXIF's orientation says that the stored picture has to be turned.
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
        return JPEGDecoder.Pixels(width: width, height: height, channels: source.channels, bytes: result, isDamaged: source.isDamaged)
    }
}
