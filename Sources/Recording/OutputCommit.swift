import Glibc
package import Model
import OutputFiles

/// Gives written files their final names. A file must be complete and flushed; after `publish` the
/// name is on disk too. If the process is killed in between, either the temporary file or the
/// complete final one is left, never a partial one.
package enum OutputCommit {
    /// The files that may be replaced if one with the final name exists.
    package enum Replacing: Sendable, Hashable {
        case nothing
        /// A file that an earlier run registered, recognised by its SHA-256, which must be in this
        /// set.
        case registered(Set<String>)
        /// Any file except those of the replica, because the user named the path.
        case anything(but: ReplicaFiles)
    }

    /// Makes the directories above a file and flushes them, so that the later rename survives a
    /// loss of power.
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

    /// Checks, before anything is renamed, whether `publish` would refuse, so that several files
    /// are published together or not at all.
    package static func check(final path: String, replacing: Replacing) throws(RecordingFailure) {
        if case .anything(let own) = replacing, own.contains(path) { throw .outputOfReplica(path: path) }
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
    /// A replaced file remains beside the new one under another name until `confirm` or `takeBack`,
    /// since it stays registered until the new file is.
    ///
    /// - Throws: `.outputExists` when a file that may not be replaced has the final name; the
    ///   temporary file then remains.
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
        // The rename may replace an empty folder, which loses nothing.
        guard unsafe rename(temporary, path) == 0 else { throw .outputRename(path: path, reason: systemReason(errno)) }
        try flushDirectory(parent(of: path))
    }

    /// Deletes the replaced file, once the published one is registered.
    package static func confirm(temporary: String) throws(RecordingFailure) {
        try removeLeftovers([TemporaryName.replaced(by: temporary)])
    }

    /// Removes a published file that was not registered, and restores the file that it replaced.
    ///
    /// - Parameter isOurs: whether the file with the final name is known to be the published one.
    ///   Only used if no file was replaced.
    package static func takeBack(temporary: String, final path: String, isOurs: Bool) throws(RecordingFailure) {
        let kept = TemporaryName.replaced(by: temporary)
        var status = stat()
        if unsafe lstat(kept, &status) == 0 {
            guard unsafe rename(kept, path) == 0 else { throw .outputRename(path: path, reason: systemReason(errno)) }
            // A rename does nothing if both names are links to one file, so the second name is
            // removed separately.
            try removeLeftovers([kept])
            try flushDirectory(parent(of: path))
        } else if isOurs {
            try removeLeftovers([path])
        }
    }

    /// Gives an existing file a second name with a hard link; renames it on file systems without
    /// hard links.
    private static func keep(_ path: String, as kept: String) throws(RecordingFailure) {
        if unsafe Glibc.link(path, kept) == 0 || errno == ENOENT || errno == EEXIST { return }
        guard unsafe rename(path, kept) == 0 else { throw .outputRename(path: path, reason: systemReason(errno)) }
    }

    /// Removes leftover files and folders; a missing one is not an error.
    package static func removeLeftovers(_ paths: [String]) throws(RecordingFailure) {
        for path in paths where !UnfinishedFiles.remove(path) {
            throw .outputRename(path: path, reason: systemReason(errno))
        }
    }

    /// Gives the file its final name with a hard link, and removes the temporary name. Unlike a
    /// rename, this fails if the name exists, even if it was made after the check. Returns false on
    /// file systems without hard links (network shares, FAT), where only the earlier check protects
    /// an existing file.
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
        // EINVAL: the file system cannot flush directories.
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
