import Foundation
import Model
import Photos

/// The pictures that lie over the sheets of a workbook. They are known by their content; those that rows take are put into a folder of
/// their own until the import is over.
final class FormPictures {
    /// Found from a picture's content.
    struct Facts {
        var type: String
        var ending: String
        var sha256: String
        var bytes: Int
        /// What the picture says of itself.
        var said: [Entity.FileFact: String] = [:]
    }

    private let file: (any PictureFile)?
    private let limits: FormLimits
    private var facts: [String: Facts?] = [:]
    private var paths: [String: String] = [:]
    private var room: UInt64
    private var folder: PrivateFolder?

    /// Where links to pictures start from; nil: they are not opened.
    private let linked: String?
    private var linkFacts: [String: [Entity.FileFact: String]] = [:]

    init(_ file: any TableFile, limits: FormLimits, linked: String? = nil) {
        self.linked = linked
        self.file = file as? any PictureFile
        self.limits = limits
        room = UInt64(limits.allPictureBytes)
    }

    /// Nil for what is neither JPEG nor PNG, whatever it is called.
    func facts(of entry: String) throws -> Facts? {
        if let known = facts[entry] { return known }
        guard let bytes = try file?.picture(entry, atMost: UInt64(limits.pictureBytes)) else { return nil }
        var found: Facts?
        for (mark, type, ending) in Self.marks where bytes.starts(with: mark) {
            let digest = FileDigest.sha256(of: bytes)
            found = Facts(type: type, ending: ending, sha256: digest, bytes: bytes.count, said: Self.said(by: bytes))
        }
        facts[entry] = found
        return found
    }

    /// What a linked picture says of itself; nothing where it is not there.
    func said(byLink path: String) -> [Entity.FileFact: String] {
        if let known = linkFacts[path] { return known }
        let parts = path.replacingOccurrences(of: "\\", with: "/").split(separator: "/").map(String.init)
        var said: [Entity.FileFact: String] = [:]
        if let linked, !parts.isEmpty, !parts.contains(".."), let found = FileLocation.find(parts, below: linked),
            let size = try? FileManager.default.attributesOfItem(atPath: found)[.size] as? Int, size <= limits.pictureBytes,
            let bytes = FileManager.default.contents(atPath: found) {
            said = Self.said(by: Array(bytes))
        }
        linkFacts[path] = said
        return said
    }

    private static func said(by bytes: [UInt8]) -> [Entity.FileFact: String] {
        guard let picture = PhotoFile(bytes: bytes).picture else { return [:] }
        return PhotoFacts.facts(of: picture).reduce(into: [:]) { said, fact in
            switch fact.1 {
            case .integer(let number): said[fact.0] = String(number)
            case .real(let number): said[fact.0] = String(number)
            case .text(let text): said[fact.0] = text
            default: break
            }
        }
    }

    private static let marks: [(mark: [UInt8], type: String, ending: String)] = [
        ([0xFF, 0xD8, 0xFF], "image/jpeg", "jpg"), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png", "png"),
    ]

    /// A file with the picture, there for as long as this object is; nil for what is none.
    func path(of entry: String) throws -> String? {
        if let path = paths[entry] { return path }
        guard let facts = try facts(of: entry), let bytes = try file?.picture(entry, atMost: UInt64(limits.pictureBytes)) else { return nil }
        guard room >= UInt64(bytes.count) else {
            throw TableFailure.tooLarge(Place(pointer: entry), kind: "form", limit: "formAllPictureBytes \(limits.allPictureBytes)")
        }
        room -= UInt64(bytes.count)
        do {
            let folder = try folder ?? PrivateFolder()
            self.folder = folder
            let url = folder.url.appendingPathComponent(facts.sha256 + "." + facts.ending)
            try Data(bytes).write(to: url)
            paths[entry] = url.path
            return url.path
        } catch {
            throw ImportFailure.photoStore(path: FileManager.default.temporaryDirectory.path)
        }
    }
}
