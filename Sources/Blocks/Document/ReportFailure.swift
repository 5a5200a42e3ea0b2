package import Model
import Photos

/// The reason why a report could not be made.
package enum ReportFailure: Failure, Equatable {
    /// The template of a report contains an error that its check should have found: a bug of this
    /// program.
    case template(String, String)
    /// A Mustache file that the Mustache library rejects.
    case page(report: String, file: String, reason: String)
    /// `brand.yaml` or a logo that cannot be used.
    case brand(path: String, reason: String)
    case missingPicture(path: String)
    /// The system could not read a photo: a fault of the disk, too many open files, no memory.
    case photoNotRead(path: String)
    /// No font can be found, or the font settings exclude all of them.
    case noFonts
    /// A picture larger than the limits allow, in pixels.
    case pictureTooLarge(width: Int, height: Int)
    /// A library for fonts, pictures or pages failed.
    case library(name: String, reason: String)

    package var code: String {
        switch self {
        case .template: "REPORT-TEMPLATE"
        case .page: "REPORT-PAGE"
        case .brand: "REPORT-BRAND"
        case .missingPicture: "REPORT-PICTURE"
        case .photoNotRead: "REPORT-PHOTO"
        case .noFonts: "REPORT-FONTS"
        case .pictureTooLarge: "REPORT-PICTURE-SIZE"
        case .library: "REPORT-LIBRARY"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .page, .brand, .missingPicture, .pictureTooLarge, .noFonts: .badConfiguration
        case .photoNotRead: .inputOutput
        case .template, .library: .internalError
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .template(let report, let part): ["report": report, "part": part]
        case .page(let report, let file, let reason): ["report": report, "file": file, "reason": reason]
        case .brand(let path, let reason): ["path": path, "reason": reason]
        case .missingPicture(let path), .photoNotRead(let path): ["path": path]
        case .noFonts: [:]
        case .pictureTooLarge(let width, let height): ["width": String(width), "height": String(height)]
        case .library(let name, let reason): ["name": name, "reason": reason]
        }
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
