import Foundation
import Photos

/// A kind of picture that is kept, known by the first bytes of its file, whatever the name.
package enum PictureKind: CaseIterable {
    case jpeg, png

    init?(_ bytes: [UInt8]) {
        guard let kind = Self.allCases.first(where: { bytes.starts(with: $0.mark) }) else { return nil }
        self = kind
    }

    /// Nil for a file that is no picture, or that cannot be read.
    package init?(fileAt path: String) {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let head = try? file.read(upToCount: 8) else { return nil }
        self.init(Array(head))
    }

    private var mark: [UInt8] {
        switch self {
        case .jpeg: [0xFF, 0xD8, 0xFF]
        case .png: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        }
    }

    /// The media type.
    package var type: String { self == .jpeg ? "image/jpeg" : "image/png" }
    var ending: String { self == .jpeg ? "jpg" : "png" }

    /// Whether a file of this kind has its end: one that was cut off while it was written has none.
    ///
    /// - Parameter picture: what was read of a JPEG.
    func isComplete(_ bytes: [UInt8], _ picture: JPEGPicture?) -> Bool {
        switch self {
        case .jpeg: picture?.isComplete == true
        // The last chunk has no content: its length, its name, its checksum.
        case .png: bytes.suffix(12).starts(with: [0, 0, 0, 0] + Array("IEND".utf8))
        }
    }
}
