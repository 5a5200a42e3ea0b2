internal import Foundation
package import Model

/// A tree of folders of pictures as a table. Each picture is a row with its name, its folders and
/// its metadata, so that a mapping can find the record that it belongs to.
///
/// A file is a picture by its first bytes, or by its extension. In the latter case the row reports
/// the file as broken.
package final class PictureFolder: TableFile {
    package static let kind = "pictures"
    package private(set) var tables: [ForeignTable] = []
    package private(set) var findings: [Finding] = []
    /// Paths below the folder that the user excluded or a program made.
    private(set) var leftOut: Set<String> = []
    private(set) var notes = PictureNotes()
    private let folder: String
    private var pictures: [Picture] = []

    var paths: [String] { pictures.map(\.path) }

    /// A picture, identified by its path below the folder.
    struct Picture {
        let path: String
        let bytes: Int
    }

    private static let kinds: Set<String> = ["JPEG", "PNG", "HEIC"]
    private static let endings: Set<String> = [
        "jpg", "jpeg", "png", "heic", "heif", "gif", "tif", "tiff", "bmp", "webp",
    ]

    /// Nil for a folder without pictures, or with other files that are not to be skipped.
    ///
    /// - Parameter leavingOthers: whether to skip other files, with a finding for each.
    init?(path: String, options: TableOptions, leavingOthers: Bool = false) throws {
        folder = path
        guard try walk("", options, leavingOthers), !pictures.isEmpty else { return nil }
        tables = [
            ForeignTable(name: Self.kind, columns: PictureRows.columns) { [folder, pictures, weak self] in
                self?.notes = PictureNotes()
                return PictureRows(folder, pictures) { self?.notes.note($0) }
            }
        ]
    }

    /// Returns false at a file that is not a picture, unless other files are to be skipped.
    private func walk(_ below: String, _ options: TableOptions, _ leavingOthers: Bool) throws -> Bool {
        let names = try FolderNames(below.isEmpty ? folder : folder + "/" + below, options: options)
        let prefix = below.isEmpty ? "" : below + "/"
        leftOut.formUnion((names.leftOut + names.own).map { prefix + $0 })
        findings += names.leftOut.map { TableFolder.leftOut(folder + "/" + prefix + $0) }
        var folders: [String] = []
        for name in names.taken {
            let path = prefix + name
            let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + path)
            // Links are not followed: one may lead out of the folder, or back to it.
            switch attributes[.type] as? FileAttributeType {
            case .typeDirectory: folders.append(path)
            case .typeRegular where Self.isPicture(folder + "/" + path):
                pictures.append(Picture(path: path, bytes: attributes[.size] as? Int ?? 0))
            case .typeRegular:
                guard leavingOthers else { return false }
                // The count decides independently that these files are not pictures.
                findings.append(Finding(
                    "IMPORT-OTHER-FILE", place: Place(file: folder + "/" + path), arguments: ["name": path]))
            default: continue
            }
        }
        for folder in folders {
            guard try walk(folder, options, leavingOthers) else { return false }
        }
        return true
    }

    private static func isPicture(_ path: String) -> Bool {
        if endings.contains(URL(fileURLWithPath: path).pathExtension.lowercased()) { return true }
        guard let file = try? FileBytes(path) else { return false }
        return kind(of: file.read(at: 0, 64), path).map(kinds.contains) == true
    }

    /// Name of a file's kind by its first bytes: a picture, an archive or the like; nil otherwise.
    static func kind(of bytes: [UInt8], _ path: String) -> String? {
        TablelessKind.name(of: FileHead(path: path, bytes: bytes, size: bytes.count))
    }
}

/// Collects the findings about a folder's pictures, which are complete once all have been read.
struct PictureNotes {
    /// The path of the first picture with each content, by SHA-256.
    private var firsts: [String: String] = [:]
    private var copies: [(path: String, first: String)] = []
    /// Number of pictures whose metadata have no time zone.
    private var withoutZone = 0

    mutating func note(_ picture: PictureRows.Note) {
        if picture.isWithoutZone { withoutZone += 1 }
        guard let first = firsts[picture.sha256] else { return firsts[picture.sha256] = picture.path }
        copies.append((picture.path, first))
    }

    /// - Parameter zone: the mapping's time zone for times without one; nil if the mapping reads no
    ///   times.
    func findings(of folder: String, zone: String?) -> [Finding] {
        let same = copies.map { path, first in
            Finding(
                "IMPORT-SAME-PICTURE", place: Place(file: folder + "/" + path),
                arguments: ["name": path, "first": first])
        }
        guard let zone, withoutZone > 0 else { return same }
        return same + [
            Finding(
                "IMPORT-CAMERA-ZONE", place: Place(file: folder),
                arguments: ["count": String(withoutZone), "zone": zone])
        ]
    }
}
