import Digests
import Glibc
import Synchronization

/// Lists, in a file beside the replica (the note), the temporary files that this process is
/// writing, in any folder. If the process is killed, the next one that has the replica's lock
/// removes exactly these files.
///
/// The note is locked while its process lives, and the kernel releases the lock however the process
/// ends. If the replica's folder is not writable, there is no note, but the files are still
/// written.
package enum UnfinishedFiles {
    private struct Note {
        /// The note's path without the process id and random number; nil if no note is written.
        var start: String?
        var path: String?
        var descriptor: Int32 = -1
        var files: [String] = []
    }

    private static let note = Mutex(Note())

    /// Starts listing temporary files. At the end of the process, the note is deleted if the files
    /// no longer exist.
    package static func watch(besideReplica replica: String) {
        let isFirst = note.withLock { note in
            defer { note.start = start(replica) }
            return note.start == nil
        }
        if isFirst { atexit { UnfinishedFiles.finish() } }
    }

    /// Adds a temporary file to the note; to be called before the file is made.
    static func add(_ path: String) {
        note.withLock { note in
            guard let start = note.start else { return }
            if note.descriptor < 0 {
                let path = "\(start)\(getpid())-\(UInt32.random(in: 0 ... .max))"
                note.descriptor = unsafe open(
                    path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
                guard note.descriptor >= 0, flock(note.descriptor, LOCK_EX | LOCK_NB) == 0 else {
                    return note.start = nil
                }
                note.path = path
            }
            let file = absolute(path)
            note.files.append(file)
            // A file name may contain any character but NUL.
            var line = [0] + Array(file.utf8) + [0]
            // A failed write is ignored: on a full disk, the noted file cannot grow either. The
            // leading separator keeps the next name apart from one that was cut off.
            _ = unsafe line.withUnsafeMutableBytes { unsafe Glibc.write(note.descriptor, $0.baseAddress, $0.count) }
        }
    }

    /// Removes the listed files and then the note. If a file cannot be removed, the note remains
    /// for the next run.
    private static func finish() {
        note.withLock { note in
            guard let path = note.path, note.files.allSatisfy({ !exists($0) || remove($0) }) else { return }
            unsafe unlink(path)
        }
    }

    /// Temporary files that dead processes left; the caller must have the replica's lock.
    package static func forgotten(besideReplica replica: String) -> [String] {
        var found: [String] = []
        forEachForgotten(replica) { _, files in found += files.filter(exists) }
        return found.sorted()
    }

    package static func removeForgotten(besideReplica replica: String) {
        forEachForgotten(replica) { path, files in
            let left = files.filter { exists($0) && !remove($0) }
            if left.isEmpty { unsafe unlink(path) }
        }
    }

    private static func forEachForgotten(_ replica: String, _ body: (_ note: String, _ files: [String]) -> Void) {
        let (folder, prefix) = TemporaryName.split(start(replica))
        for name in names(in: folder.isEmpty ? "." : folder) where name.hasPrefix(prefix) {
            let path = folder + name
            let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                status.st_uid == geteuid(),
                flock(descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            body(path, content(descriptor).filter { TemporaryName.matches(TemporaryName.split($0).name) })
        }
    }

    private static func start(_ replica: String) -> String {
        let (folder, name) = TemporaryName.split(replica)
        return "\(folder).\(name).growing-"
    }

    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(folder) }
        return unsafe String(cString: folder) + "/" + path
    }

    private static func content(_ descriptor: Int32) -> [String] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe piece.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        // A name without its end separator was cut off, and no such file was made.
        return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    static func names(in folder: String) -> [String] {
        guard let directory = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    /// Removes a file, or a folder with its contents. For a link, only the link is removed, not its
    /// target.
    @discardableResult
    package static func remove(_ path: String) -> Bool {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return errno == ENOENT }
        guard status.st_mode & S_IFMT == S_IFDIR else { return unsafe unlink(path) == 0 }
        for name in names(in: path) where !remove(path + "/" + name) { return false }
        return unsafe rmdir(path) == 0
    }
}

/// The name under which a file is written beside its final path:
/// `.cortes.xlsx.5f3a09c2d71b.partial`. The name is hidden, never looks like a finished file, and
/// can be recognised in the cleanup after a killed run. `UnfinishedFiles` lists each.
package enum TemporaryName {
    package static let suffix = ".partial"
    private static let replacedSuffix = ".replaced"
    private static let longest = 255

    package static func path(beside finalPath: String) -> String {
        let (directory, name) = split(finalPath)
        let token = UInt64.random(in: 0..<(1 << 48)).hexadecimal(12)
        var kept = Substring(name)
        while kept.utf8.count + token.utf8.count + suffix.utf8.count + 2 > longest { kept.removeLast() }
        let path = "\(directory).\(kept).\(token)\(suffix)"
        UnfinishedFiles.add(path)
        return path
    }

    /// The name under which a replaced file is kept until its replacement is registered:
    /// `.cortes.xlsx.5f3a09c2d71b.replaced`.
    package static func replaced(by temporaryPath: String) -> String {
        (temporaryPath.hasSuffix(suffix) ? String(temporaryPath.dropLast(suffix.count)) : temporaryPath)
            + replacedSuffix
    }

    /// Whether a file's name has the form of a temporary name.
    package static func matches(_ name: String) -> Bool { matches(name, suffix) }

    /// Whether a file's name is that of a replaced file.
    package static func matchesReplaced(_ name: String) -> Bool { matches(name, replacedSuffix) }

    private static func matches(_ name: String, _ suffix: String) -> Bool {
        guard name.hasPrefix("."), name.hasSuffix(suffix) else { return false }
        let token = name.dropLast(suffix.count).split(separator: ".", omittingEmptySubsequences: false).last ?? ""
        return token.utf8.count == 12
            && token.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// The temporary files of one final path.
    package static func left(beside finalPath: String) -> [String] {
        let (directory, name) = split(finalPath)
        return UnfinishedFiles.names(in: directory.isEmpty ? "." : directory)
            .filter { matches($0) && $0.dropLast(suffix.utf8.count + 13) == "." + name }.map { directory + $0 }
    }

    /// The directory with its slash, empty for the current one, and the name.
    static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path) }
        return (String(path[...slash]), String(path[path.index(after: slash)...]))
    }
}

/// A file that is deleted together with this value.
package struct TemporaryFile: ~Copyable {
    package let path: String

    package init(path: String) { self.path = path }

    deinit { unsafe unlink(path) }
}
