import Foundation

/// The first bytes of a file, from which its kind is determined.
package struct FileHead: Sendable {
    package let path: String
    /// Up to 64 KiB.
    package let bytes: [UInt8]
    /// Size of the whole file.
    package let size: Int

    package init(path: String) throws(ImportFailure) {
        guard FileManager.default.fileExists(atPath: path) else { throw .notFound(path: path) }
        // Opening a pipe or device could block for ever, so they are rejected.
        guard let file = try? FileBytes(path) else { throw .unreadable(path: path) }
        self.init(path: path, bytes: file.read(at: 0, 1 << 16), size: file.count)
    }

    package init(path: String, bytes: [UInt8], size: Int) {
        self.path = path
        self.bytes = bytes
        self.size = size
    }

    package func starts(with signature: [UInt8]) -> Bool { bytes.starts(with: signature) }

    /// Whether the file contains only spaces, line endings and byte order marks.
    package var isEmpty: Bool {
        let isWide = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        let mark = isWide ? 2 : bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let spaces: [UInt8] = [0x09, 0x0A, 0x0D, 0x20, 0x1A]
        return size == bytes.count && bytes.dropFirst(mark).allSatisfy { spaces.contains($0) || (isWide && $0 == 0) }
    }

    /// The head as UTF-8, without its mark; nil where no encoding fits.
    var text: [UInt8]? {
        guard let guess = EncodingDetector.guess(bytes) else { return nil }
        var decoder = TextDecoder(guess.encoding)
        var text: [UInt8] = []
        decoder.decode(bytes.span.extracting(droppingFirst: guess.mark), isLast: true, to: &text)
        return text
    }

    /// Whether the head contains an ASCII text.
    package func contains(_ text: String) -> Bool { bytes.firstRange(of: Array(text.utf8)) != nil }

    /// The file's name without its ending: the name of a table that has none.
    package var tableName: String {
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        return name.isEmpty ? path : name
    }
}
