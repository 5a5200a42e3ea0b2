internal import Zipping

/// A PNG file of opaque pixels (https://www.w3.org/TR/png-3/). Each row holds the differences from
/// the row above, which are mostly nothing in a drawing. cairo's own writer tries every filter on
/// every row: that took four fifths of the time of a workbook with many drawings.
enum PNGFile {
    /// How every PNG file begins.
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
                    unsafe target.storeBytes(of: (value.byteSwapped >> 8).littleEndian, toByteOffset: place, as: UInt32.self)
                    place += 3
                }
            }
            count = place
        }
        let packed: [UInt8]
        do { packed = try ZlibStream.compress(rows, level: 3) } catch { throw .packing("\(error)") }
        // 8 bits for each of three colours.
        return signature + chunk("IHDR", number(width) + number(height) + [8, 2, 0, 0, 0])
            + chunk("IDAT", packed) + chunk("IEND", [])
    }

    /// The filters of a row.
    private static let none: UInt8 = 0
    private static let up: UInt8 = 2

    /// The differences of four pairs of bytes, each without its carry.
    private static func difference(_ one: UInt32, _ other: UInt32) -> UInt32 {
        (one | 0x8080_8080) &- (other & 0x7F7F_7F7F) ^ (one ^ ~other) & 0x8080_8080
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return number(content.count) + body + number(Int(body.span.crc32()))
    }

    private static func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
}
