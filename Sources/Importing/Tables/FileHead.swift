import Foundation

/// The first bytes of a file, by which its kind is told.
package struct FileHead: Sendable {
    package let path: String
    /// Up to 64 KiB.
    package let bytes: [UInt8]
    /// Size of the whole file.
    package let size: Int

    package init(path: String) throws(ImportFailure) {
        guard FileManager.default.fileExists(atPath: path) else { throw .notFound(path: path) }
        guard let handle = FileHandle(forReadingAtPath: path) else { throw .unreadable(path: path) }
        defer { try? handle.close() }
        guard let head = try? handle.read(upToCount: 1 << 16), let end = try? handle.seekToEnd() else {
            // An empty file reads as nil.
            self.init(path: path, bytes: [], size: 0)
            return
        }
        self.init(path: path, bytes: Array(head), size: Int(clamping: end))
    }

    package init(path: String, bytes: [UInt8], size: Int) {
        self.path = path
        self.bytes = bytes
        self.size = size
    }

    package func starts(with signature: [UInt8]) -> Bool { bytes.starts(with: signature) }

    /// Whether an ASCII text stands somewhere in the head.
    package func contains(_ text: String) -> Bool { bytes.firstRange(of: Array(text.utf8)) != nil }

    /// The file's name without its ending: what a table without a name is called.
    package var tableName: String {
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        return name.isEmpty ? path : name
    }
}
