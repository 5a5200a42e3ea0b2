internal import CCairo

/// Why something could not be drawn. For programmers and logs; who draws for people says it in their words.
package enum CanvasFailure: Error, CustomStringConvertible {
    /// cairo's own status and words.
    case library(code: Int, message: String)
    /// What the receiver of the bytes threw.
    case writing(any Error)
    /// Bytes that are no picture of their kind.
    case unreadablePicture(String)
    /// A picture beyond what is taken, in pixels.
    case pictureTooLarge(width: Int, height: Int)
    /// A link or an outline's entry points to a name that no page has.
    case unknownDestination(String)
    /// No font is installed, or the settings of fonts hide all.
    case noFonts
    /// Pages begun twice, ended without a beginning, or a document used after its end.
    case wrongOrder(String)

    package var description: String {
        switch self {
        case .library(let code, let message): "cairo \(code): \(message)"
        case .writing(let error): "writing: \(error)"
        case .unreadablePicture(let reason): "picture: \(reason)"
        case .pictureTooLarge(let width, let height): "picture too large: \(width) × \(height) pixels"
        case .unknownDestination(let name): "no page has the destination \(name)"
        case .noFonts: "no font can be found"
        case .wrongOrder(let what): what
        }
    }

    static func check(_ status: cairo_status_t) throws(CanvasFailure) {
        guard status != CAIRO_STATUS_SUCCESS else { return }
        throw .library(code: Int(status.rawValue), message: unsafe String(cString: cairo_status_to_string(status)))
    }
}
