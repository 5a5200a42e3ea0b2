/// Why a source could not be counted; the reason is in English.
package enum CountFault: Error, Equatable, Sendable {
    case unreadable(String)
    /// The file does not have the format that it claims, or has a form that this code does not
    /// know.
    case damaged(String)
    /// A limit that protects this machine.
    case tooLarge(String)
    case encrypted
    /// A program that is not installed.
    case needs(String)
    case cancelled

    package var reason: String {
        switch self {
        case .unreadable(let reason), .damaged(let reason): reason
        case .tooLarge(let bound): "it goes beyond the bound \(bound)"
        case .encrypted: "it is encrypted"
        case .needs(let what): "\(what) is missing"
        case .cancelled: "the count was ended"
        }
    }
}
