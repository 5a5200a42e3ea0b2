internal import Foundation

/// The bytes of a file, read in pieces.
final class SourceFile {
    let path: String
    let count: Int
    let isCancelled: @Sendable () -> Bool
    private let handle: FileHandle

    init(_ path: String, isCancelled: @escaping @Sendable () -> Bool = { false }) throws(CountFault) {
        self.path = path
        self.isCancelled = isCancelled
        // Pipes and devices are rejected: they could block for ever.
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular, let size = attributes?[.size] as? Int,
            let handle = FileHandle(forReadingAtPath: path)
        else { throw .unreadable("it cannot be opened") }
        count = size
        self.handle = handle
    }

    deinit { try? handle.close() }

    /// The file's name without folder and extension: the name of its only table.
    var stem: String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }

    /// At most `length` bytes from an offset on.
    func read(at offset: Int, _ length: Int) throws(CountFault) -> [UInt8] {
        guard !isCancelled() else { throw .cancelled }
        guard offset >= 0, offset < count, length > 0 else { return [] }
        do {
            try handle.seek(toOffset: UInt64(offset))
            return Array(try handle.read(upToCount: min(length, count - offset)) ?? Data())
        } catch { throw .unreadable("it cannot be read at byte \(offset)") }
    }

    /// Passes on the whole file, piece by piece.
    func forEachPiece(of length: Int = 1 << 18, _ body: ([UInt8]) throws(CountFault) -> Void) throws(CountFault) {
        var offset = 0
        while offset < count {
            let piece = try read(at: offset, length)
            guard !piece.isEmpty else { throw .unreadable("it became shorter while it was read") }
            offset += piece.count
            try body(piece)
        }
    }
}

/// The bytes of a file, or of an entry in an archive, piece by piece.
struct SourcePieces {
    private let file: SourceFile
    private let inflation: Inflation?

    /// - Parameter entry: the entry's name in the archive.
    init(_ file: SourceFile, entry: String?) throws(CountFault) {
        self.file = file
        inflation = if let entry { try ArchiveEntries(file).open(entry) } else { nil }
    }

    func forEach(_ body: ([UInt8]) throws(CountFault) -> Void) throws(CountFault) {
        guard let inflation else { return try file.forEachPiece(body) }
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = try inflation.read(into: &buffer, from: 0)
            guard count > 0 else { return }
            try body(count == buffer.count ? buffer : Array(buffer.prefix(count)))
        }
    }
}

extension [UInt8] {
    /// A little-endian number of up to eight bytes; nil beyond the end.
    func low(_ offset: Int, _ width: Int) -> Int? {
        guard offset >= 0, offset <= count - width else { return nil }
        return (0..<width).reversed().reduce(0) { $0 << 8 | Int(self[offset + $1]) }
    }

    /// A big-endian number of up to eight bytes; nil beyond the end.
    func high(_ offset: Int, _ width: Int) -> Int? {
        guard offset >= 0, offset <= count - width else { return nil }
        return (0..<width).reduce(0) { $0 << 8 | Int(self[offset + $1]) }
    }
}
