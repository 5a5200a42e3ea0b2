/// Where a central database keeps binaries. One is used by one thread at a time.
package protocol RemoteStorage: AnyObject {
    /// Sends a file to a bucket and path; one that is there already is replaced. To send it twice
    /// has the effect of once.
    ///
    /// - Parameter progress: told how many bytes are there.
    func send(_ file: OutgoingFile, to path: String, progress: (Int64) -> Void) throws

    /// Gives the bytes of a file as they arrive.
    func fetch(_ path: String, _ take: (Span<UInt8>) throws -> Void) throws

    /// How many bytes a file has; nil: it is not there, or hidden.
    func size(of path: String) throws -> Int64?
}

/// A file that is sent in pieces.
package struct OutgoingFile {
    package var bytes: Int64
    /// `image/jpeg`
    package var type: String
    /// Some bytes from a position on.
    package var read: (_ position: Int64, _ count: Int) throws -> [UInt8]
    /// The address of an upload of the same bytes to the same place, which an earlier run began;
    /// nil: none is known.
    package var begun: String?
    /// Keeps the address of an upload that has begun, so that it outlives this process; nil: it is
    /// over.
    package var keep: (String?) throws -> Void

    package init(
        bytes: Int64, type: String, begun: String? = nil, keep: @escaping (String?) throws -> Void = { _ in }, read: @escaping (Int64, Int) throws -> [UInt8]
    ) {
        (self.bytes, self.type, self.begun, self.keep, self.read) = (bytes, type, begun, keep, read)
    }
}
