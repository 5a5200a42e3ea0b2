import Foundation
import Zipping

/// The container of a package's files: a folder or an archive. Names are relative to the package's
/// top folder, with `/` between folders.
protocol PackageContainer: AnyObject {
    /// The path of the package as the user gave it.
    var path: String { get }
    /// All files, sorted. In a folder this includes links and other special files, which `check`
    /// rejects if the manifest lists them.
    func names() throws -> [String]
    func contains(_ name: String) -> Bool
    /// Rejects a link, or a name that points outside the package.
    func check(_ name: String) throws
    func open(_ name: String) throws -> any ByteSource
    /// The entry's name if the package is an archive; nil for a folder.
    func entry(of name: String) -> String?
}

extension PackageContainer {
    func entry(of name: String) -> String? { nil }

    /// The path of a package's file, as reported in a `Place`.
    func place(of name: String) -> String { path + "/" + name }

    /// The beginning of a file.
    func head(of name: String, _ most: Int = 1 << 20) throws -> (bytes: [UInt8], isWhole: Bool) {
        let source = try open(name)
        var head = [UInt8](repeating: 0, count: most)
        var count = 0
        while count < most {
            let more = try source.read(into: &head, from: count)
            guard more > 0 else { return (Array(head.prefix(count)), true) }
            count += more
        }
        return (head, false)
    }

    /// The contents of a small file.
    func read(_ name: String, atMost limit: UInt64) throws -> [UInt8] {
        let source = try open(name)
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try source.read(into: &piece, from: 0)
            if count == 0 { return content }
            content += piece[..<count]
            guard UInt64(content.count) <= limit else {
                throw PackageFailure.tooLarge(
                    path: path, name: name, limit: "documentBytes", value: "\(limit)", found: nil)
            }
        }
    }
}

/// A package in a folder.
final class FolderContainer: PackageContainer {
    let path: String
    private let limits: PackageLimits
    /// The folder's files, once they have been listed.
    private var known: [String]?

    init(path: String, limits: PackageLimits) {
        self.path = path
        self.limits = limits
    }

    /// Lists the folder's files and checks them against the limits, like an archive's entries when
    /// it is opened.
    func names() throws -> [String] {
        if let known { return known }
        guard let walk = FileManager.default.enumerator(atPath: path) else {
            throw ImportFailure.unreadable(path: path)
        }
        func tooLarge(_ name: String, _ limit: String, _ value: UInt64, _ found: UInt64? = nil) -> PackageFailure {
            .tooLarge(path: path, name: name, limit: limit, value: String(value), found: found.map { String($0) })
        }
        var files: [String] = []
        var total: UInt64 = 0
        for case let name as String in walk {
            let attributes = walk.fileAttributes
            guard attributes?[.type] as? FileAttributeType != .typeDirectory else { continue }
            files.append(name)
            guard files.count <= limits.entries else { throw tooLarge("", "packageEntries", UInt64(limits.entries)) }
            guard attributes?[.type] as? FileAttributeType == .typeRegular else { continue }
            let size = (attributes?[.size] as? NSNumber)?.uint64Value ?? 0
            guard size <= limits.entryBytes else { throw tooLarge(name, "packageEntryBytes", limits.entryBytes, size) }
            total += size
            guard total <= limits.totalBytes else { throw tooLarge(name, "packageBytes", limits.totalBytes, total) }
        }
        files.sort()
        known = files
        return files
    }

    func contains(_ name: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: path + "/" + name))?[.type] as? FileAttributeType
            == .typeRegular
    }

    /// Accepts only plain relative names below the folder, without links on the way.
    func check(_ name: String) throws {
        guard (try? ZipName.check(name)) != nil, !name.hasSuffix("/") else {
            throw ImportFailure.escapingPath(path: path, name: name)
        }
        var path = self.path
        for part in name.split(separator: "/") {
            path += "/" + part
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            if attributes?[.type] as? FileAttributeType == .typeSymbolicLink {
                throw ImportFailure.escapingPath(path: self.path, name: name)
            }
        }
    }

    func open(_ name: String) throws -> any ByteSource { try FileStream(path: path + "/" + name) }
}

/// A package in a ZIP archive: `manifest.json` is at the top level, or in a single folder that
/// contains everything else.
final class ArchiveContainer: PackageContainer {
    /// Smaller files may exceed the compression ratio: a blank page may shrink a thousandfold.
    private static let ratioFrom: UInt64 = 64 << 20

    let path: String
    private let zip: ArchiveHandle
    /// Entries by their names relative to the package's top folder.
    private let entries: [String: ZipEntry]

    /// The folder within the archive that contains the package, with a slash; empty at the top
    /// level; nil if the archive is not a package.
    static func top(of names: [String]) -> String? {
        if names.contains("manifest.json") { return "" }
        // Ignores the files that macOS adds beside the folder.
        let own = names.filter { !$0.hasPrefix("__MACOSX/") && !$0.hasSuffix(".DS_Store") }
        guard let first = own.first, let slash = first.firstIndex(of: "/") else { return nil }
        let folder = String(first[...slash])
        return own.allSatisfy { $0.hasPrefix(folder) } && own.contains(folder + "manifest.json") ? folder : nil
    }

    init(path: String, limits: PackageLimits) throws {
        self.path = path
        do throws(ZipFailure) {
            zip = try ArchiveHandle(path: path, maximumEntries: limits.entries)
        } catch {
            throw PackageFailure.translated(error, path: path)
        }
        let files = zip.entries.filter { !$0.isDirectory }
        try Self.judge(zip.entries, path: path, limits: limits)
        guard let top = Self.top(of: files.map(\.name)) else {
            throw ImportFailure.invalidManifest(path: path, reason: "the archive holds no `manifest.json`")
        }
        entries = Dictionary(
            files.map { ($0.name.hasPrefix(top) ? String($0.name.dropFirst(top.count)) : $0.name, $0) }
        ) { first, _ in first }
    }

    /// Checks the archive's directory against the limits before a byte is inflated. Reading never
    /// exceeds the sizes that the directory states.
    private static func judge(_ entries: [ZipEntry], path: String, limits: PackageLimits) throws {
        var (total, compressed): (UInt64, UInt64) = (0, 0)
        var seen: Set<String> = []
        for entry in entries {
            guard !entry.isLink else { throw ImportFailure.escapingPath(path: path, name: entry.name) }
            let plain = entry.name.precomposedStringWithCanonicalMapping.lowercased()
            guard seen.insert(plain).inserted else { throw PackageFailure.nameTwice(path: path, name: entry.name) }
            func tooLarge(_ limit: String, _ value: UInt64, _ found: UInt64) -> PackageFailure {
                .tooLarge(path: path, name: entry.name, limit: limit, value: String(value), found: String(found))
            }
            guard entry.size <= limits.entryBytes else {
                throw tooLarge("packageEntryBytes", limits.entryBytes, entry.size)
            }
            let (sum, overflow) = total.addingReportingOverflow(entry.size)
            guard !overflow, sum <= limits.totalBytes else {
                throw tooLarge("packageBytes", limits.totalBytes, overflow ? .max : sum)
            }
            let (packed, packedOverflow) = compressed.addingReportingOverflow(entry.compressedSize)
            guard !packedOverflow else {
                throw PackageFailure.damaged(path: path, name: entry.name, reason: "its sizes cannot be")
            }
            (total, compressed) = (sum, packed)
            let ratio = entry.size / max(1, entry.compressedSize)
            if entry.size > ratioFrom, ratio > limits.compressionRatio {
                throw tooLarge("packageRatio", limits.compressionRatio, ratio)
            }
        }
        let size = UInt64((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0)
        // Overlapping entries could unpack a small file to any size.
        guard compressed <= size else {
            throw PackageFailure.damaged(
                path: path, name: "",
                reason: "its entries lie over one another: \(compressed) bytes in a file of \(size)")
        }
        if total > ratioFrom, total / max(1, size) > limits.compressionRatio {
            throw PackageFailure.tooLarge(
                path: path, name: "", limit: "packageRatio", value: String(limits.compressionRatio),
                found: String(total / max(1, size)))
        }
    }

    func names() -> [String] { entries.keys.sorted() }

    func contains(_ name: String) -> Bool { entries[name] != nil }

    func entry(of name: String) -> String? { entries[name]?.name }

    func check(_ name: String) throws {
        guard (try? ZipName.check(name)) != nil, !name.hasSuffix("/") else {
            throw ImportFailure.escapingPath(path: path, name: name)
        }
    }

    func open(_ name: String) throws -> any ByteSource {
        guard let entry = entries[name] else {
            throw PackageFailure.damaged(path: path, name: name, reason: "the entry is missing")
        }
        do throws(ZipFailure) {
            return ArchiveStream(try zip.reader(of: entry), path: path)
        } catch {
            throw PackageFailure.translated(error, path: path)
        }
    }
}

/// An open archive that can be shared.
private final class ArchiveHandle {
    private let zip: ZipReader
    let entries: [ZipEntry]

    init(path: String, maximumEntries: Int) throws(ZipFailure) {
        zip = try ZipReader(path: path, maximumEntries: maximumEntries)
        entries = zip.entries
    }

    func reader(of entry: ZipEntry) throws(ZipFailure) -> ZipEntryReader { try zip.reader(of: entry) }
}

/// The bytes of an entry; its faults are reported as faults of the package.
private final class ArchiveStream: ByteSource {
    private let reader: ZipEntryReader
    private let path: String

    init(_ reader: ZipEntryReader, path: String) {
        self.reader = reader
        self.path = path
    }

    func read(into buffer: inout [UInt8], from offset: Int) throws -> Int {
        do throws(ZipFailure) {
            return try reader.read(into: &buffer, from: offset)
        } catch {
            throw PackageFailure.translated(error, path: path)
        }
    }
}

/// Limits on the resources that a survey package may use. Each can be set (`--limit name=value`). A
/// package that exceeds one is rejected, with the limit's name and value, before anything is
/// imported.
package struct PackageLimits: Sendable, Hashable {
    /// Files in the archive or folder.
    package var entries = 500_000
    /// Inflated bytes of one file.
    package var entryBytes: UInt64 = 16 << 30
    /// Inflated bytes of all files together.
    package var totalBytes: UInt64 = 256 << 30
    /// The highest allowed ratio of inflated to compressed size, for files above 64 MiB and for all
    /// files together.
    package var compressionRatio: UInt64 = 200
    /// Bytes of `manifest.json`, and of a file of the app's folder; both are read into memory.
    package var documentBytes: UInt64 = 64 << 20
    /// Events of a log, which are sorted in memory.
    package var events = 2_000_000
    /// Bytes of the events' contents.
    package var eventBytes = 128 << 20
    /// Bytes of a drawing, and the number of its points.
    package var drawingBytes: UInt64 = 1 << 30
    package var drawingPoints = 5_000_000

    package init() {}

    // The same limits as `Int`, because `ReadingBound` sets limits of this type.
    package var entryByteCount: Int { get { Int(clamping: entryBytes) } set { entryBytes = UInt64(newValue) } }
    package var totalByteCount: Int { get { Int(clamping: totalBytes) } set { totalBytes = UInt64(newValue) } }
    package var ratio: Int { get { Int(clamping: compressionRatio) } set { compressionRatio = UInt64(newValue) } }
    package var documentByteCount: Int { get { Int(clamping: documentBytes) } set { documentBytes = UInt64(newValue) } }
    package var drawingByteCount: Int { get { Int(clamping: drawingBytes) } set { drawingBytes = UInt64(newValue) } }
}
