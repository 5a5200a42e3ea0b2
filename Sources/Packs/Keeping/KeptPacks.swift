internal import Digests
package import Foundation
internal import Model

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Caches the parsed files of packs without mistakes, one file for each pack, so that a command
/// parses and checks only changed packs. The cache of packs shipped with an installed program is
/// made with the program's package and lies beside them.
///
/// A cached pack is valid only for the same bytes of all files and the same build of the program.
/// Its folder and file must belong to this user, or to the system if shipped, and only the owner
/// may write them. In any other case, or when a file is damaged, the pack is read from its own
/// files with the same result, so no error is reported. A failure to write the cache is ignored.
package struct KeptPacks: Sendable {
    /// The user's cache folder; nil for a user without one.
    let directory: String?
    /// The folder of the cache made with the program's package.
    private let shipped: String?
    /// The build of the program, since another build may parse and check differently.
    private let program: String
    /// The user whose files are trusted.
    private let owner: uid_t

    /// The maximum size of a cached file.
    private static let maximumBytes = 64 << 20

    /// Uses the user's cache folder (`XDG_CACHE_HOME`, or `.cache` in the home), and `kept` beside
    /// the templates.
    package init(_ environment: [String: String], program: String, templates: URL) {
        let stated = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let base = stated ?? environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.cache" : nil }
        self.init(in: base, shipped: templates.deletingLastPathComponent().path + "/kept", program: program)
    }

    init(in base: String?, shipped: String? = nil, program: String, owner: uid_t = geteuid()) {
        self.directory = base.map { $0 + "/fichero" }
        self.shipped = shipped
        self.program = program
        self.owner = owner
    }

    /// The files with their contents, if they are cached; else nil.
    func files(_ files: [PackFolder.File], of pack: String, fingerprint: String) -> [PackFolder.File]? {
        self.files(files, of: pack, fingerprint, in: directory, owners: [owner])
            ?? self.files(files, of: pack, fingerprint, in: shipped, owners: [owner, 0])
    }

    private func files(
        _ files: [PackFolder.File], of pack: String, _ fingerprint: String, in directory: String?, owners: [uid_t]
    ) -> [PackFolder.File]? {
        guard let directory, let folder = openFolder(directory, owners) else { return nil }
        defer { close(folder) }
        guard let bytes = bytes(of: Self.name(pack), in: folder, owners), var rest = opened(bytes, fingerprint) else {
            return nil
        }
        var result = files
        for index in result.indices {
            guard let node = PackNode.read(from: &rest) else { return nil }
            result[index].node = node
        }
        return rest.isEmpty ? result : nil
    }

    /// Caches the files of a pack without mistakes.
    func keep(_ files: [PackFolder.File], of pack: String, fingerprint: String) {
        guard let directory else { return }
        var trees: [UInt8] = []
        for file in files { file.node.write(to: &trees) }
        // Nothing is created in another user's home, where root may be with sudo.
        for path in [(directory as NSString).deletingLastPathComponent, directory] where ownsFolder(around: path) {
            _ = unsafe mkdir(path, 0o700)
        }
        guard let folder = openFolder(directory, [owner]) else { return }
        defer { close(folder) }
        // Two commands at once may replace each other's draft. The file is then from one of the
        // two, or its digest is wrong.
        let draft = Self.name(pack) + ".new"
        _ = unsafe unlinkat(folder, draft, 0)
        let file = unsafe openat(folder, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: sealed(trees, fingerprint))
            guard unsafe renameat(folder, draft, folder, Self.name(pack)) == 0 else { throw POSIXError(.EIO) }
        } catch {
            _ = unsafe unlinkat(folder, draft, 0)
        }
    }

    private static func name(_ pack: String) -> String { pack + ".pack" }

    /// The file of a cached pack: the program, the fingerprint of the parsed files, the digest of
    /// the trees, and the trees.
    func sealed(_ trees: [UInt8], _ fingerprint: String) -> [UInt8] {
        beginning(fingerprint) + SHA256.digest(of: trees).bytes + trees
    }

    /// The trees in a cached file; nil if the file is damaged, or was made from other files or by
    /// another build.
    private func opened(_ bytes: [UInt8], _ fingerprint: String) -> ArraySlice<UInt8>? {
        let start = beginning(fingerprint)
        guard bytes.starts(with: start), bytes.count >= start.count + Digest.byteCount else { return nil }
        let trees = bytes[(start.count + Digest.byteCount)...]
        return bytes[start.count..<trees.startIndex].elementsEqual(SHA256.digest(of: trees.span).bytes) ? trees : nil
    }

    private func beginning(_ fingerprint: String) -> [UInt8] {
        Array("fichero pack\n\(program)\n\(fingerprint)\n".utf8)
    }

    /// Whether the parent folder of a path belongs to this user, or to the system.
    private func ownsFolder(around path: String) -> Bool {
        var facts = stat()
        return unsafe stat((path as NSString).deletingLastPathComponent, &facts) == 0
            && [owner, 0].contains(facts.st_uid)
    }

    private func openFolder(_ directory: String, _ owners: [uid_t]) -> Int32? {
        let folder = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        guard size(of: folder, owners) != nil else {
            close(folder)
            return nil
        }
        return folder
    }

    /// The size of an open file or folder; nil unless it belongs to one of these users and only its
    /// owner may write it.
    private func size(of descriptor: Int32, _ owners: [uid_t]) -> Int? {
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0, owners.contains(facts.st_uid), facts.st_mode & 0o022 == 0 else {
            return nil
        }
        return Int(facts.st_size)
    }

    private func bytes(of name: String, in folder: Int32, _ owners: [uid_t]) -> [UInt8]? {
        // Opening a pipe must not block.
        let file = unsafe openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        guard let size = size(of: file, owners), size <= Self.maximumBytes,
            let data = try? handle.read(upToCount: size), data.count == size
        else { return nil }
        return [UInt8](data)
    }
}
