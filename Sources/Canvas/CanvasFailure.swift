internal import CCairo
package import PDFArchive

/// Why something could not be drawn. Its words are for programmers and logs; callers that serve
/// people report it in their own words.
package enum CanvasFailure: Error, CustomStringConvertible {
    /// cairo's own status and words.
    case library(code: Int, message: String)
    /// What the receiver of the bytes threw.
    case writing(any Error)
    /// Bytes that are not a picture of the expected kind.
    case unreadablePicture(String)
    /// A picture larger than the limits allow, in pixels.
    case pictureTooLarge(width: Int, height: Int)
    /// A link or an outline entry points to a name that no page defines.
    case unknownDestination(String)
    /// No font is installed, or the font settings exclude all of them.
    case noFonts
    /// The file could not be made an archive.
    case archive(ArchiveFailure)
    /// A picture that could not be compressed.
    case packing(String)
    /// A page begun twice, ended without having begun, or a document used after its end.
    case wrongOrder(String)

    package var description: String {
        switch self {
        case .library(let code, let message): "cairo \(code): \(message)"
        case .writing(let error): "writing: \(error)"
        case .unreadablePicture(let reason): "picture: \(reason)"
        case .pictureTooLarge(let width, let height): "picture too large: \(width) × \(height) pixels"
        case .unknownDestination(let name): "no page has the destination \(name)"
        case .archive(let failure): "archive: \(failure)"
        case .packing(let reason): "compressing a picture: \(reason)"
        case .noFonts: "no font can be found"
        case .wrongOrder(let what): what
        }
    }

    static func check(_ status: cairo_status_t) throws(CanvasFailure) {
        guard status != CAIRO_STATUS_SUCCESS else { return }
        throw .library(code: Int(status.rawValue), message: unsafe String(cString: cairo_status_to_string(status)))
    }
}
