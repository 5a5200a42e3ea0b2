internal import Foundation
internal import Model

/// The sources in a folder tree, for a tree that no mapping accepts as a whole. Each file is a source,
/// and each folder of dBase tables.
package struct FolderSources {
    /// Folder by folder, in alphabetical order.
    package private(set) var paths: [String] = []
    /// Number of pictures by folder; they are imported with the rows that refer to them.
    package private(set) var pictures: [(folder: String, count: Int)] = []
    /// Files and folders that are skipped, because the user or a program excludes them.
    package private(set) var leftOut: [String] = []
    /// Whether several files directly in the folder are one source. Files in subfolders do not
    /// count, since they may be old copies.
    package private(set) var isSet = false
    private let options: TableOptions

    private enum Kind { case dBase, otherTable, picture, unknown }

    private static let pictureKinds: Set<String> = ["JPEG", "PNG", "GIF", "TIFF", "WebP", "HEIC", "BMP"]

    /// - Parameter isSource: whether the files directly in the folder are one source.
    ///
    /// Throws `TableFailure.tooLarge` if the files are more than the limit for tables in one file.
    package init(_ folder: String, isSource: Bool = false, options: TableOptions) throws {
        self.options = options
        try add(folder, isSource: isSource)
    }

    private mutating func add(_ folder: String, isSource: Bool = false) throws {
        let names = try FolderNames(folder, options: options)
        var files: [(path: String, kind: Kind)] = []
        var folders: [String] = []
        for name in names.taken {
            let path = folder + "/" + name
            // Links are not followed: one may lead out of the folder, or back to it.
            switch try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType {
            case .typeRegular: files.append((path, kind(of: path)))
            case .typeDirectory: folders.append(path)
            default: continue
            }
        }
        let count = files.count { $0.kind == .picture }
        if count > 0 { pictures.append((folder, count)) }
        // A program with one file for each table stores memos and indexes beside them.
        let isSet = isSource || files.contains { $0.kind == .dBase } && !files.contains { $0.kind == .otherTable }
        if isSource { self.isSet = files.count { $0.kind != .picture } > 1 }
        // A folder that is one source reports its excluded files when it is read.
        if !isSet { leftOut += names.leftOut.map { folder + "/" + $0 } }
        paths += isSet ? [folder] : files.filter { $0.kind != .picture }.map(\.path)
        guard paths.count <= options.limits.tables else {
            let limit = "tables \(options.limits.tables)"
            throw TableFailure.tooLarge(
                Place(file: folder), kind: TableFolder.kind, limit: limit, found: String(paths.count))
        }
        for folder in folders { try add(folder) }
    }

    private func kind(of path: String) -> Kind {
        guard let head = try? FileHead(path: path) else { return .unknown }
        if let name = TablelessKind.name(of: head) { return Self.pictureKinds.contains(name) ? .picture : .unknown }
        guard let kind = options.kinds.first(where: { $0.recognises(head) }) else { return .unknown }
        return kind.kind == DBFFile.kind ? .dBase : .otherTable
    }
}

/// The names in a folder: those to read, and those that are left out.
struct FolderNames {
    /// Names of the files to read.
    private(set) var taken: [String] = []
    /// Names excluded by the user, and files that programs leave beside the user's files. Hidden
    /// files and the replica's files are not included.
    private(set) var leftOut: [String] = []
    /// Names of the replica's files.
    private(set) var own: [String] = []

    /// Files that Windows, Office and Access leave: views, thumbnails, locks of open files.
    private static let left = ["desktop.ini", "thumbs.db", "ehthumbs.db", "~$*", "~*.tmp", "*.ldb", "*.laccdb"]

    init(_ folder: String, options: TableOptions) throws {
        let isOwn = options.own.filter(below: folder)
        let patterns = (Self.left + options.excluded).map { Array($0.lowercased()) }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
            if isOwn(name) { own.append(name) }
            if name.hasPrefix(".") || own.last == name { continue }
            let letters = Array(name.lowercased())
            if patterns.contains(where: { Self.fits(letters, $0) }) { leftOut.append(name) } else { taken.append(name) }
        }
    }

    /// Exclusion patterns that match nothing in these folders and their subfolders.
    static func unused(_ patterns: [String], in folders: [String]) -> [String] {
        guard !patterns.isEmpty else { return [] }
        let below = folders.flatMap { (try? FileManager.default.subpathsOfDirectory(atPath: $0)) ?? [] }
        let names = Set(below.compactMap { $0.split(separator: "/").last?.lowercased() }).map(Array.init)
        return patterns.filter { pattern in !names.contains { fits($0, Array(pattern.lowercased())) } }
    }

    /// Whether a name matches a pattern: `*` matches any letters, `?` one.
    static func fits(_ name: [Character], _ pattern: [Character]) -> Bool {
        var (letter, place) = (0, 0)
        // The last star, and the end of the letters that the star matches: one more at each
        // mismatch.
        var star: (place: Int, letter: Int)?
        while letter < name.count {
            if place < pattern.count, pattern[place] == "*" {
                star = (place, letter)
                place += 1
            } else if place < pattern.count, pattern[place] == "?" || pattern[place] == name[letter] {
                (letter, place) = (letter + 1, place + 1)
            } else if let last = star {
                star = (last.place, last.letter + 1)
                (letter, place) = (last.letter + 1, last.place + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }
}
