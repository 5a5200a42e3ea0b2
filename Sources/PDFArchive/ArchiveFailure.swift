/// Why a file cannot become an archive: what cairo wrote is not what it is known to write. This is a
/// fault of the program, never of a person's data.
package enum ArchiveFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// An object is not where the library's own cross-references say that it is.
    case displaced(object: Int)
    /// A page has another number of marks than were set on it.
    case marks(found: Int, expected: Int)
    /// A part that every PDF has was not written.
    case missing(String)
    case compression(number: Int32)
    /// A name that a link or an outline entry leads to, and no page has.
    case unknownDestination(String)

    package var description: String {
        switch self {
        case .displaced(let object): "object \(object) is not where the file says"
        case .marks(let found, let expected): "a page has \(found) marks instead of \(expected)"
        case .missing(let part): "the file has no \(part)"
        case .compression(let number): "zlib \(number)"
        case .unknownDestination(let name): "no page has the destination \(name)"
        }
    }
}
