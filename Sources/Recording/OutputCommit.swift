import Glibc
import OutputFiles

/// Gives written files their final names. A file is complete and flushed before it comes here; after `publish` its name is
/// on disk too. A kill in between leaves the temporary file or the whole one, never a torn one.
package enum OutputCommit {
    /// What may be replaced where a file has the final name already.
    package enum Replacing: Sendable, Hashable {
        case nothing
        /// A file whose content was registered by an earlier run: one with one of these SHA-256.
        case registered(Set<String>)
        /// Whatever is there, because the person said so.
        case anything
    }

    /// Makes the directories above a file, flushed, so that the rename into them survives a loss of power.
    package static func makeDirectory(for path: String) throws(RecordingFailure) {
        let directory = parent(of: path)
        var status = stat()
        if unsafe stat(directory, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else {
                throw .outputDirectory(path: directory, reason: systemReason(ENOTDIR))
            }
            return
        }
        try makeDirectory(for: directory)
        guard unsafe mkdir(directory, 0o755) == 0 || errno == EEXIST else {
            throw .outputDirectory(path: directory, reason: systemReason(errno))
        }
        try flushDirectory(parent(of: directory))
    }

    /// Says, before anything is renamed, whether `publish` would refuse: so that several files go together or not at all.
    package static func check(final path: String, replacing: Replacing) throws(RecordingFailure) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        switch replacing {
        case .anything where status.st_mode & S_IFMT != S_IFDIR: return
        case .registered(let known) where status.st_mode & S_IFMT == S_IFREG:
            guard known.contains(try FileChecksum(of: path).sha256) else { throw .outputExists(path: path) }
        default: throw .outputExists(path: path)
        }
    }

    /// Renames a written temporary file to its final name and flushes the directory.
    ///
    /// A file that is replaced is kept beside it until `settle` or `takeBack`: as long as the new one is not registered, the old one is
    /// what the books know.
    ///
    /// - Throws: `.outputExists` when the final name is taken by what may not be replaced; the temporary file then stays.
    package static func publish(
        temporary: String, final path: String, replacing: Replacing = .nothing
    ) throws(RecordingFailure) {
        try check(final: path, replacing: replacing)
        let isLinked = replacing == .nothing ? try link(temporary, as: path) : false
        if !isLinked {
            if case .registered = replacing { try keep(path, as: TemporaryName.replaced(by: temporary)) }
            guard unsafe rename(temporary, path) == 0 else {
                throw .outputRename(path: path, reason: systemReason(errno))
            }
        }
        try flushDirectory(parent(of: path))
    }

    /// Gives a written folder its final name, which must be free.
    package static func publishFolder(temporary: String, final path: String) throws(RecordingFailure) {
        try check(final: path, replacing: .nothing)
        // A rename may replace an empty folder: then nothing is lost.
        guard unsafe rename(temporary, path) == 0 else { throw .outputRename(path: path, reason: systemReason(errno)) }
        try flushDirectory(parent(of: path))
    }

    /// Forgets the file that a published one has replaced: the new one is registered.
    package static func settle(temporary: String) throws(RecordingFailure) {
        try removeLeftovers([TemporaryName.replaced(by: temporary)])
    }

    /// Takes a published file back that was not registered: the one that it replaced gets its name again.
    ///
    /// - Parameter isOurs: whether what has the final name now is known to be the file that was published, if none was replaced.
    package static func takeBack(temporary: String, final path: String, isOurs: Bool) throws(RecordingFailure) {
        let kept = TemporaryName.replaced(by: temporary)
        var status = stat()
        if unsafe lstat(kept, &status) == 0 {
            guard unsafe rename(kept, path) == 0 else { throw .outputRename(path: path, reason: systemReason(errno)) }
            // Two names of one file are left alone by a rename.
            try removeLeftovers([kept])
            try flushDirectory(parent(of: path))
        } else if isOurs {
            try removeLeftovers([path])
        }
    }

    /// Gives the file that has a name now a second one; where links are not known, another one.
    private static func keep(_ path: String, as kept: String) throws(RecordingFailure) {
        if unsafe Glibc.link(path, kept) == 0 || errno == ENOENT || errno == EEXIST { return }
        guard unsafe rename(path, kept) == 0 else { throw .outputRename(path: path, reason: systemReason(errno)) }
    }

    /// Removes files and folders that a dead run left; names that are gone already are no error.
    package static func removeLeftovers(_ paths: [String]) throws(RecordingFailure) {
        for path in paths where !GrowingFiles.remove(path) {
            throw .outputRename(path: path, reason: systemReason(errno))
        }
    }

    /// Gives the file its second name and takes the first away: unlike a rename, this refuses a name that is taken, whoever took it
    /// since the check. False on file systems without links (network shares, FAT), where the check alone has to do.
    private static func link(_ temporary: String, as path: String) throws(RecordingFailure) -> Bool {
        guard unsafe Glibc.link(temporary, path) == 0 else {
            switch errno {
            case EEXIST: throw .outputExists(path: path)
            case EPERM, EOPNOTSUPP, ENOSYS, EMLINK: return false
            default: throw .outputRename(path: path, reason: systemReason(errno))
            }
        }
        try removeLeftovers([temporary])
        return true
    }

    private static func flushDirectory(_ path: String) throws(RecordingFailure) {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .outputDirectory(path: path, reason: systemReason(errno)) }
        defer { close(descriptor) }
        // EINVAL: a file system that knows no flush of directories.
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw .outputDirectory(path: path, reason: systemReason(errno))
        }
    }

    private static func parent(of path: String) -> String {
        var trimmed = path[...]
        while trimmed.count > 1, trimmed.last == "/" { trimmed.removeLast() }
        guard let slash = trimmed.lastIndex(of: "/") else { return "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }
}
