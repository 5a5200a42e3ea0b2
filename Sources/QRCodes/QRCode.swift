internal import CQRencode

/// A text as a square of dark and light modules, without the light margin of four that it needs.
@safe package struct QRCode: Sendable, Hashable {
    /// The number of modules on a side.
    package let size: Int
    /// The modules row by row, from the upper left corner.
    private let modules: [Bool]

    package func isDark(_ column: Int, _ row: Int) -> Bool { modules[row * size + column] }

    /// The light margin that a reader needs, in modules.
    package static let margin = 4

    /// Makes a QR code that remains readable if 15 % of it is damaged. Capital letters and digits
    /// need the least space.
    /// - Returns: nil for an empty text, and for one that is too long for a QR code (more than some
    ///   2,300 bytes).
    package init?(_ text: String) {
        guard !text.isEmpty, !text.utf8.contains(0),
            let code = unsafe QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1)
        else { return nil }
        defer { unsafe QRcode_free(code) }
        let size = unsafe Int(code.pointee.width)
        self.size = size
        modules = (0..<size * size).map { unsafe code.pointee.data[$0] & 1 == 1 }
    }
}
