internal import Digests
package import Foundation

/// Facts about a JPEG file: its size in pixels, the camera's data, and whether the file is
/// complete.
///
/// Reads the segments of ITU-T T.81, annex B, up to the first scan, then looks for the end marker.
/// The picture is not decoded. The input is hostile: lengths are checked, and each byte is read
/// once.
package struct JPEGPicture: Sendable, Hashable {
    package let width: Int
    package let height: Int
    package let camera: CameraData
    /// Whether there is an end marker after the first scan; a truncated file has none.
    package let isComplete: Bool

    /// The maximum number of segments before the first scan; phones' files have about twenty.
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
        guard let height = frame.number16(1), let width = frame.number16(3), let components = frame.byte(5), height > 0,
            width > 0,
            components > 0, frame.count == 6 + 3 * Int(components)
        else { return nil }
        return (width, height)
    }

    /// Looks for the end marker. Within a scan, 0xFF is always followed by 0 or a restart marker,
    /// so the two bytes of the end marker have no other meaning. Phones append other data after the
    /// end marker, such as films and depth maps.
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

/// Opens the photos in the folders beside a replica. The stored paths are not trusted: only regular
/// files below such a folder are opened, and symbolic links are not followed.
package struct PhotoFolder: Sendable {
    package enum Outcome: Sendable {
        case read(PhotoFile)
        case missing
        /// Not a regular file, a link, a file without permission to read, or one beyond
        /// `maximumBytes`.
        case unreadable
        /// The system could not read the file this time: a disk fault, too many open files, or no
        /// memory. The file itself may be valid.
        case failed
    }

    /// The maximum size of a photo; phones' photos have up to twenty million bytes.
    package static let maximumBytes = 64 << 20

    /// The folder of the replica, to which stored paths are relative.
    private let base: String
    /// Photos lie in `NAME.files`; NAME is the replica's name at the time of the import.
    private static let suffix = ".files"

    package init(beside replica: String) {
        base = URL(fileURLWithPath: replica).deletingLastPathComponent().path
    }

    package func read(_ storedPath: String) -> Outcome {
        // Paths of another form (on a device, or in a cloud) are not of imported files.
        guard let parts = parts(of: storedPath) else { return .missing }
        return FileOpening.read(parts, below: base, limit: Self.maximumBytes)
    }

    /// Opens a file of any size, to be read in pieces; nil if the file is missing or may not be
    /// read. Throws `POSIXError` if the system could not open it this time.
    package func open(_ storedPath: String) throws -> FileHandle? {
        guard let parts = parts(of: storedPath) else { return nil }
        do {
            return FileHandle(fileDescriptor: try FileOpening.open(parts, below: base), closeOnDealloc: true)
        } catch {
            guard case .failed = error.outcome else { return nil }
            throw POSIXError(POSIXErrorCode(rawValue: error.number) ?? .EIO)
        }
    }

    /// A text that changes when a file changes, without reading the file: its size, times and inode
    /// number. Empty if there is no such file.
    package func stamp(of storedPath: String) -> String {
        guard let parts = parts(of: storedPath) else { return "" }
        return FileOpening.stamp(parts, below: base)
    }

    private func parts(of path: String) -> [String]? {
        guard path.utf8.count <= 1024, !path.utf8.contains(0) else { return nil }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard (2...16).contains(parts.count), parts[0].hasSuffix(Self.suffix),
            !parts.contains(where: { ["", ".", ".."].contains($0) })
        else { return nil }
        return parts
    }
}

/// The content of a photo's file.
package struct PhotoFile: Sendable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var count: Int { bytes.count }

    /// The SHA-256 of the file: 64 hexadecimal digits, lower case.
    package var sha256: String { SHA256.digest(of: bytes).hexadecimal }

    /// Facts about the picture; nil if the file is not a JPEG.
    package var picture: JPEGPicture? { JPEGPicture(bytes) }
}
