import Foundation
import Model

/// Reads another source on a thread of its own, a few pieces ahead: while rows are extracted from
/// one piece, the next is inflated.
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
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[taken]))
            }
        }
        position += count
        return count
    }
}
