/// The facts of a JPEG file: its size in pixels, the camera's data, and whether the file is
/// complete.
///
/// It follows the markers of ITU-T T.81, annex B: the segments up to the first scan, then the end
/// marker. Nothing is decoded. The input is hostile: lengths are checked, and each byte is read
/// once.
package struct JPEGPicture: Sendable, Hashable {
    package let width: Int
    package let height: Int
    package let camera: CameraData
    /// Whether the end marker comes after the first scan; a truncated file has none.
    package let isComplete: Bool

    /// The limit of segments before the first scan; files of phones have about twenty.
    static let maximumSegments = 2000

    /// Returns nil when the bytes are not a JPEG: no start marker, a segment beyond the end, no
    /// frame, a frame without pixels, or no scan.
    package init?(_ file: [UInt8]) {
        let reader = ByteReader(file[...])
        guard reader.byte(0) == 0xFF, reader.byte(1) == 0xD8 else { return nil }
        var offset = 2
        var size: (width: Int, height: Int)?
        var camera: CameraData?
        for _ in 0..<Self.maximumSegments {
            guard reader.byte(offset) == 0xFF, let marker = reader.byte(offset + 1) else { return nil }
            // Fill bytes may precede a marker; the marker TEM has no segment.
            if marker == 0xFF {
                offset += 1
                continue
            }
            if marker == 0x01 {
                offset += 2
                continue
            }
            guard marker >= 0xC0, marker != 0xD8, marker != 0xD9, let length = reader.number16(offset + 2), length >= 2,
                let body = reader.slice(offset + 4, length - 2)
            else { return nil }
            offset += 2 + length
            switch marker {
            // Frames are all of C0 to CF except DHT, JPG and DAC.
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard size == nil, let frame = Self.size(of: ByteReader(body)) else { return nil }
                size = frame
            case 0xDA:
                guard let size else { return nil }
                (width, height) = size
                self.camera = camera ?? CameraData()
                isComplete = Self.hasEnd(file, after: offset)
                return
            case 0xE1 where camera == nil:
                camera = CameraData(segment: body)
            default:
                break
            }
        }
        return nil
    }

    /// Reads sample precision, lines, samples per line and components.
    private static func size(of frame: ByteReader) -> (width: Int, height: Int)? {
        guard let height = frame.number16(1), let width = frame.number16(3), let components = frame.byte(5), height > 0, width > 0,
            components > 0, frame.count == 6 + 3 * Int(components)
        else { return nil }
        return (width, height)
    }

    /// Looks for the end marker. Within a scan, 0xFF is always followed by 0 or a restart marker,
    /// so the two bytes of the end marker have no other meaning. Phones add more behind it: films,
    /// depth maps.
    private static func hasEnd(_ file: [UInt8], after offset: Int) -> Bool {
        let bytes = file.span
        var index = offset
        while index + 1 < bytes.count {
            if bytes[index] == 0xFF, bytes[index + 1] == 0xD9 { return true }
            index += 1
        }
        return false
    }
}
