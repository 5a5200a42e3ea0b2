import Foundation
import Glibc
import Model
import Zipping

/// Reads another source on a separate thread, a few pieces ahead: while rows are extracted from one
/// piece, the next is inflated.
///
/// No other code may use that source until this object has been released; its deinitialiser waits
/// for the thread.
final class ReadAhead: ByteSource {
    /// A piece of bytes and its length.
    private struct Piece {
        static let size = 1 << 17
        var bytes: [UInt8] = []
        var count = 0
    }

    // `any ByteSource` is not Sendable. Only the thread uses it, and `stop` waits for that thread.
    private struct Source: @unchecked Sendable {
        let bytes: any ByteSource
    }

    private let pieces = BoundedQueue([Piece](repeating: Piece(), count: 3))
    private var piece = Piece()
    private var position = 0

    init(_ source: any ByteSource) {
        let source = Source(bytes: source)
        let thread = Thread { [pieces] in Self.run(source, pieces) }
        thread.name = "fichero.read"
        thread.start()
    }

    deinit { pieces.stop() }

    private static func run(_ source: Source, _ pieces: BoundedQueue<Piece>) {
        do {
            var piece = Piece()
            repeat {
                if piece.bytes.isEmpty { piece.bytes = [UInt8](repeating: 0, count: Piece.size) }
                piece.count = try source.bytes.read(into: &piece.bytes, from: 0)
            } while try piece.count > 0 && pieces.give(&piece)
            pieces.end()
        } catch {
            pieces.end(error)
        }
    }

    func read(into buffer: inout [UInt8], from offset: Int) throws -> Int {
        guard offset >= 0, offset < buffer.count else { return 0 }
        if position == piece.count {
            position = 0
            piece.count = 0
            guard try pieces.take(&piece) else { return 0 }
        }
        let count = min(buffer.count - offset, piece.count - position)
        let taken = position..<(position + count)
        unsafe buffer.withUnsafeMutableBytes { target in
            unsafe piece.bytes.withUnsafeBytes { bytes in
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes[taken]))
            }
        }
        position += count
        return count
    }
}

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
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress.map { unsafe $0 + offset }, room)
            }
            if count >= 0 { return count }
            guard errno == EINTR else { throw ImportFailure.unreadable(path: path) }
        }
    }
}

/// Converts XML to UTF-8 from UTF-16 or the code page in its declaration; everything else passes
/// through unchanged.
final class UnicodeBytes: ByteSource {
    private let source: any ByteSource
    private var decoder: TextDecoder?
    private var isStarted = false
    private var isAtEnd = false
    private var chunk: [UInt8] = []
    private var text: [UInt8] = []
    private var position = 0

    init(_ source: any ByteSource) { self.source = source }

    func read(into buffer: inout [UInt8], from offset: Int) throws -> Int {
        if !isStarted { try start() }
        if decoder == nil {
            guard position == text.count else { return give(&buffer, offset) }
            return try source.read(into: &buffer, from: offset)
        }
        while position == text.count {
            guard !isAtEnd else { return 0 }
            if chunk.isEmpty { chunk = [UInt8](repeating: 0, count: 1 << 16) }
            let count = try source.read(into: &chunk, from: 0)
            isAtEnd = count == 0
            text.removeAll(keepingCapacity: true)
            position = 0
            decoder?.decode(chunk.span.extracting(0..<count), isLast: isAtEnd, to: &text)
        }
        return give(&buffer, offset)
    }

    /// Copies decoded text to the buffer and returns the number of bytes.
    private func give(_ buffer: inout [UInt8], _ offset: Int) -> Int {
        let count = min(text.count - position, buffer.count - offset)
        guard count > 0 else { return 0 }
        buffer.replaceSubrange(offset..<(offset + count), with: text[position..<(position + count)])
        position += count
        return count
    }

    /// Detects the encoding from the document's first bytes.
    private func start() throws {
        isStarted = true
        var head = [UInt8](repeating: 0, count: 256)
        var filled = 0
        while filled < head.count {
            let count = try source.read(into: &head, from: filled)
            guard count > 0 else { break }
            filled += count
        }
        head.removeLast(head.count - filled)
        guard let (encoding, mark) = Self.encoding(head) else { return text = head }
        decoder = TextDecoder(encoding)
        decoder?.decode(head.span.extracting(droppingFirst: mark), isLast: false, to: &text)
    }

    /// The encoding and the length of its byte order mark; nil for UTF-8 and unknown encodings.
    private static func encoding(_ head: [UInt8]) -> (TextEncoding, mark: Int)? {
        if head.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        if head.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        if head.starts(with: [0x3C, 0]) { return (.utf16LittleEndian, 0) }
        if head.starts(with: [0, 0x3C]) { return (.utf16BigEndian, 0) }
        guard head.starts(with: Array("<?xml".utf8)) else { return nil }
        let declaration = String(decoding: head.prefix { $0 != 0x3E }, as: UTF8.self).lowercased()
        guard let name = declaration.firstMatch(of: /encoding\s*=\s*["']([^"']+)["']/)?.1 else { return nil }
        switch name {
        // Browsers and Excel treat ISO 8859-1 as Windows-1252.
        case "iso-8859-1", "latin1", "windows-1252": return (.windows1252, 0)
        case "iso-8859-15": return (.latin9, 0)
        default: return nil
        }
    }
}
