import Glibc
import Synchronization

/// A note beside the replica of the files that this process lets grow under temporary names, wherever they lie and whatever they are called:
/// after a kill whoever holds the replica's lock removes just these.
///
/// The note is locked while its process lives, and the kernel frees it however that ends. A replica in a folder in which nobody may write has
/// none; the files are made all the same.
package enum GrowingFiles {
    private struct Note {
        /// Path of the note but for what tells processes apart; nil: none is kept.
        var start: String?
        var path: String?
        var descriptor: Int32 = -1
        var files: [String] = []
    }

    private static let note = Mutex(Note())

    /// From now on temporary files are noted; the note goes with the process, if they are gone.
    package static func watch(besideReplica replica: String) {
        let isFirst = note.withLock { note in
            defer { note.start = start(replica) }
            return note.start == nil
        }
        if isFirst { atexit { GrowingFiles.settle() } }
    }

    /// Called before a temporary file is made.
    static func add(_ path: String) {
        note.withLock { note in
            guard let start = note.start else { return }
            if note.descriptor < 0 {
                let path = "\(start)\(getpid())-\(UInt32.random(in: 0 ... .max))"
                note.descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
                guard note.descriptor >= 0, flock(note.descriptor, LOCK_EX | LOCK_NB) == 0 else { return note.start = nil }
                note.path = path
            }
            let file = absolute(path)
            note.files.append(file)
            // Names may hold any character but this.
            var line = [0] + Array(file.utf8) + [0]
            // Where the disk is full, the file that is noted will not grow either; the separator before the next keeps half a name apart.
            _ = unsafe line.withUnsafeMutableBytes { unsafe Glibc.write(note.descriptor, $0.baseAddress, $0.count) }
        }
    }

    /// The note goes when its files are gone; one that could not be removed is for the next run.
    private static func settle() {
        note.withLock { note in
            guard let path = note.path, note.files.allSatisfy({ !exists($0) || remove($0) }) else { return }
            unsafe unlink(path)
        }
    }

    /// Temporary files that processes left which are gone, for whoever holds the replica's lock.
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
            guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
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
        // A name without its end was not made.
        return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map { String(decoding: $0, as: UTF8.self) }
    }

    private static func names(in folder: String) -> [String] {
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

    /// Removes a file, or a folder with all that is in it. A link is removed, and not what it leads to.
    @discardableResult
    package static func remove(_ path: String) -> Bool {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return errno == ENOENT }
        guard status.st_mode & S_IFMT == S_IFDIR else { return unsafe unlink(path) == 0 }
        for name in names(in: path) where !remove(path + "/" + name) { return false }
        return unsafe rmdir(path) == 0
    }
}
