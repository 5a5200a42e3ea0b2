internal import Digests

/// A photo's file as it was read.
package struct PhotoFile: Sendable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var count: Int { bytes.count }

    /// The SHA-256 of the file: 64 hexadecimal digits, lower case.
    package var sha256: String { SHA256.digest(of: bytes).hexadecimal }

    /// Nil when the file is not a JPEG.
    package var picture: JPEGPicture? { JPEGPicture(bytes) }
}
