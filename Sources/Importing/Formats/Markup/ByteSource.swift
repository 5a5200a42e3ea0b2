import Glibc
import Zipping

/// A source of bytes, read in pieces.
package protocol ByteSource: AnyObject {
    /// Reads into `buffer` from `offset` on; returns the number of bytes, 0 at the end.
    func read(into buffer: inout [UInt8], from offset: Int) throws -> Int
}

extension ZipEntryReader: ByteSource {}

/// A file, read from its start.
final class FileStream: ByteSource {
    private let descriptor: Int32
    private let path: String

    init(path: String) throws(ImportFailure) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        self.path = path
        guard descriptor >= 0 else { throw .unreadable(path: path) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func read(into buffer: inout [UInt8], from offset: Int) throws -> Int {
        guard offset >= 0, offset < buffer.count else { return 0 }
        let room = buffer.count - offset
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress.map { unsafe $0 + offset }, room) }
            if count >= 0 { return count }
            guard errno == EINTR else { throw ImportFailure.unreadable(path: path) }
        }
    }
}
