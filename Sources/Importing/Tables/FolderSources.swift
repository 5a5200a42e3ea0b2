internal import Foundation
internal import Model

/// The sources in a tree of folders that no mapping fits as a whole: each file is one, and each folder of
/// dBase tables.
package struct FolderSources {
    /// Folder by folder, in alphabetical order.
    package private(set) var paths: [String] = []
    /// How many pictures each folder has: they come in with the rows that name them.
    package private(set) var pictures: [(folder: String, count: Int)] = []
    /// Files and folders that are left out, because the user or a program says so.
    package private(set) var leftOut: [String] = []
    /// Whether several files directly in the folder are one source. What lies below may be an older copy of them.
    package private(set) var isSet = false
    private let options: TableOptions

    private enum Kind { case dBase, otherTable, picture, unknown }

    private static let pictureKinds: Set<String> = ["JPEG", "PNG", "GIF", "TIFF", "WebP", "HEIC", "BMP"]

    /// - Parameter isSource: whether the files directly in the folder are one source.
    ///
    /// Throws `TableFailure.tooLarge` for more files than a file may have tables.
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
            // A link may lead out of the folder, or back to it.
            switch try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType {
            case .typeRegular: files.append((path, kind(of: path)))
            case .typeDirectory: folders.append(path)
            default: continue
            }
        }
        let count = files.count { $0.kind == .picture }
        if count > 0 { pictures.append((folder, count)) }
        // A program that has a file for each table has memos and indexes beside them.
        let isSet = isSource || files.contains { $0.kind == .dBase } && !files.contains { $0.kind == .otherTable }
        if isSource { self.isSet = files.count { $0.kind != .picture } > 1 }
        // A folder that is one source reports what it leaves out when it is read.
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
