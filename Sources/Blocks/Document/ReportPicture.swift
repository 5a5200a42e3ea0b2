import Photos

/// A JPEG or PNG picture in memory, upright.
package struct ReportPicture: Sendable, Hashable {
    package var bytes: [UInt8]
    package var isPNG: Bool
    package var width: Int
    package var height: Int

    package init(bytes: [UInt8], isPNG: Bool, width: Int, height: Int) {
        self.bytes = bytes
        self.isPNG = isPNG
        self.width = width
        self.height = height
    }
}

extension ReportPicture {
    /// A PNG or a JPEG, recognised by its header; nil for anything else.
    /// (https://www.w3.org/TR/png-3/#11IHDR)
    package init?(file bytes: [UInt8]) {
        if let picture = JPEGPicture(bytes) {
            self.init(bytes: bytes, isPNG: false, width: picture.width, height: picture.height)
        } else if bytes.count > 24, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            func number(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
            let width = number(16), height = number(20)
            guard (1...30_000).contains(width), (1...30_000).contains(height) else { return nil }
            self.init(bytes: bytes, isPNG: true, width: width, height: height)
        } else {
            return nil
        }
    }
}
