package import Model
import Photos

/// The reason why a report could not be made.
package typealias ReportFailure = DeclaredFailure<ReportPicture>

extension ReportFailure {
    /// The template of a report contains an error that its check should have found: a bug of this
    /// program.
    package static func template(_ report: String, _ part: String) -> Self {
        Self("REPORT-TEMPLATE", .internalError, ["report": report, "part": part])
    }
    /// A Mustache file that the Mustache library rejects.
    package static func page(report: String, file: String, reason: String) -> Self {
        Self("REPORT-PAGE", .badConfiguration, ["report": report, "file": file, "reason": reason])
    }
    /// `brand.yaml` or a logo that cannot be used.
    package static func brand(path: String, reason: String) -> Self {
        Self("REPORT-BRAND", .badConfiguration, ["path": path, "reason": reason])
    }
    package static func missingPicture(path: String) -> Self {
        Self("REPORT-PICTURE", .badConfiguration, ["path": path])
    }
    /// The system could not read a photo: a fault of the disk, too many open files, no memory.
    package static func photoNotRead(path: String) -> Self { Self("REPORT-PHOTO", .inputOutput, ["path": path]) }
    /// No font can be found, or the font settings exclude all of them.
    package static var noFonts: Self { Self("REPORT-FONTS", .badConfiguration) }
    /// A picture larger than the limits allow, in pixels.
    package static func pictureTooLarge(width: Int, height: Int) -> Self {
        Self("REPORT-PICTURE-SIZE", .badConfiguration, ["width": width, "height": height])
    }
    /// A library for fonts, pictures or pages failed.
    package static func library(name: String, reason: String) -> Self {
        Self("REPORT-LIBRARY", .internalError, ["name": name, "reason": reason])
    }
}

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
    /// A PNG or a JPEG, recognised by its header; nil for any other file.
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
