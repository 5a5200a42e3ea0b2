import Foundation
import Model

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Facts about a file that can be determined before SQLite opens it.
enum FileInspection {
    /// The first 100 bytes of an SQLite file (sqlite.org/fileformat2.html, 1.3), as far as the
    /// inspection needs them.
    struct Header: Equatable {
        var applicationID: Int32
        /// The size in bytes according to the header; nil if it contains none (very old versions of
        /// SQLite).
        var expectedBytes: Int64?
    }

    /// Reads the header; throws if the file cannot be a replica.
    static func header(at path: String) throws(ReplicaFailure) -> Header {
        var isDirectory: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw .missing(path: path)
        }
        guard !isDirectory.boolValue else { throw .damaged(path: path, reason: "is a directory") }
        // Reading a named pipe would block.
        let type =
            try? FileManager.default.attributesOfItem(
                atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)[.type] as? FileAttributeType
        guard type == .typeRegular else { throw .damaged(path: path, reason: "is no regular file") }
        let bytes: [UInt8]
        let size: Int64
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            bytes = [UInt8](try file.read(upToCount: 100) ?? Data())
            size = Int64(try file.seekToEnd())
        } catch {
            throw .inputOutput(path: path, code: "cannot be read")
        }
        guard !bytes.isEmpty else { throw .damaged(path: path, reason: "file is empty") }
        guard bytes.count == 100, bytes.starts(with: Array("SQLite format 3".utf8) + [0]) else {
            throw .damaged(path: path, reason: "file is not a database")
        }
        let header = Header(
            applicationID: Int32(bitPattern: number(bytes[68..<72])), expectedBytes: expectedBytes(bytes))
        // If the write-ahead log is absent, all pages must be in the file. If a killed import left
        // a journal, it restores the file when the replica is opened.
        if let expected = header.expectedBytes, size < expected,
            !["-wal", "-journal"].contains(where: { FileManager.default.fileExists(atPath: path + $0) })
        {
            throw .damaged(path: path, reason: "file is cut off: \(size) of \(expected) bytes")
        }
        return header
    }

    private static func expectedBytes(_ bytes: [UInt8]) -> Int64? {
        let rawPageSize = Int64(bytes[16]) << 8 | Int64(bytes[17])
        let pageSize = rawPageSize == 1 ? 65_536 : rawPageSize
        let pages = Int64(number(bytes[28..<32]))
        // The page count is valid only when its counter agrees with the file's change counter.
        return pages > 0 && bytes[24..<28].elementsEqual(bytes[92..<96]) ? pages * pageSize : nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The kind of network file system that contains a path (or the path's nearest existing
    /// directory); nil on a local file system. SQLite's write-ahead log needs memory shared between
    /// processes, which no network file system supports.
    static func networkFileSystem(at path: String) -> String? {
        var place = URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
        while !FileManager.default.fileExists(atPath: place), place != "/" {
            place = (place as NSString).deletingLastPathComponent
        }
        guard let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8) else { return nil }
        return networkFileSystem(at: place, mounts: mounts)
    }

    /// Finds the same in the text of `/proc/self/mountinfo` (proc(5)): fields up to ` - `, then the
    /// file system's type.
    static func networkFileSystem(at path: String, mounts: String) -> String? {
        var best: (point: String, type: String)?
        for line in mounts.split(separator: "\n") {
            let halves = line.split(separator: " - ", maxSplits: 1)
            let fields = halves[0].split(separator: " ")
            guard halves.count == 2, fields.count > 4, let type = halves[1].split(separator: " ").first else {
                continue
            }
            let point = unescaped(String(fields[4]))
            let isAbove = point == "/" || path == point || path.hasPrefix(point + "/")
            // A later line hides an earlier one with the same mount point.
            if isAbove, point.utf8.count >= best?.point.utf8.count ?? 0 { best = (point, String(type)) }
        }
        return best.flatMap { networkTypes.contains($0.type) ? $0.type : nil }
    }

    /// Resolves the escapes of a mount point: a space is `\040`; a tab, newline and backslash are
    /// escaped likewise.
    private static func unescaped(_ point: String) -> String {
        [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")].reduce(point) {
            $0.replacing($1.0, with: $1.1)
        }
    }

    private static let networkTypes: Set<String> = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "glusterfs", "lustre", "ncpfs", "davfs", "fuse.sshfs",
        "fuse.davfs",
        "fuse.rclone", "fuse.s3fs", "fuse.gvfsd-fuse", "fuse.glusterfs", "fuse.ceph", "fuse.smbnetfs", "fuse.curlftpfs",
    ]
}
