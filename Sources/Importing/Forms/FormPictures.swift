import Foundation
import Model
import Photos

/// The pictures placed on the sheets of a workbook. They are identified by their content. Pictures
/// used by rows are written to a temporary folder, which exists until the import ends.
final class FormPictures {
    /// Facts derived from a picture's content.
    struct Facts {
        var type: String
        var ending: String
        var sha256: String
        var bytes: Int
        /// Facts from the picture's metadata.
        var said: [Entity.FileFact: String] = [:]
    }

    private let file: (any PictureFile)?
    private let limits: FormLimits
    private var facts: [String: Facts?] = [:]
    private var paths: [String: String] = [:]
    private var room: UInt64
    private var folder: PrivateFolder?

    /// The folder to which links to pictures are relative; nil: links are not followed.
    private let linked: String?
    private var linkFacts: [String: [Entity.FileFact: String]] = [:]

    init(_ file: any TableFile, limits: FormLimits, linked: String? = nil) {
        self.linked = linked
        self.file = file as? any PictureFile
        self.limits = limits
        room = UInt64(limits.allPictureBytes)
    }

    /// The facts about a picture; nil if its content is neither JPEG nor PNG, whatever its name.
    func facts(of entry: String) throws -> Facts? {
        if let known = facts[entry] { return known }
        guard let bytes = try file?.picture(entry, atMost: UInt64(limits.pictureBytes)) else { return nil }
        var found: Facts?
        if let kind = PictureKind(bytes) {
            let digest = FileDigest.sha256(of: bytes)
            found = Facts(
                type: kind.type, ending: kind.ending, sha256: digest, bytes: bytes.count, said: Self.said(by: bytes))
        }
        facts[entry] = found
        return found
    }

    /// The metadata of a linked picture; empty if the file does not exist.
    func said(byLink path: String) -> [Entity.FileFact: String] {
        if let known = linkFacts[path] { return known }
        let parts = path.replacingOccurrences(of: "\\", with: "/").split(separator: "/").map(String.init)
        var said: [Entity.FileFact: String] = [:]
        if let linked, !parts.isEmpty, !parts.contains(".."), let found = FileLocation.find(parts, below: linked),
            let size = try? FileManager.default.attributesOfItem(atPath: found)[.size] as? Int,
            size <= limits.pictureBytes,
            let bytes = FileManager.default.contents(atPath: found) {
            said = Self.said(by: Array(bytes))
        }
        linkFacts[path] = said
        return said
    }

    /// The facts in the metadata of a picture.
    private static func said(by bytes: [UInt8]) -> [Entity.FileFact: String] {
        guard let kind = PictureKind(bytes) else { return [:] }
        return PhotoFacts.facts(of: kind, PhotoFile(bytes: bytes).picture).reduce(into: [:]) { said, fact in
            switch fact.1 {
            case .integer(let number): said[fact.0] = String(number)
            case .real(let number): said[fact.0] = String(number)
            case .text(let text): said[fact.0] = text
            default: break
            }
        }
    }

    /// Path of a file with the picture; the file exists as long as this object. Nil if the entry is
    /// not a picture.
    func path(of entry: String) throws -> String? {
        if let path = paths[entry] { return path }
        guard let facts = try facts(of: entry),
            let bytes = try file?.picture(entry, atMost: UInt64(limits.pictureBytes))
        else { return nil }
        guard room >= UInt64(bytes.count) else {
            throw TableFailure.tooLarge(
                Place(pointer: entry), kind: "form", limit: "formAllPictureBytes \(limits.allPictureBytes)")
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

/// Limits on sheets that are read as forms: they are loaded into memory, one at a time.
package struct FormLimits: Sendable, Hashable {
    /// Filled cells of a sheet, and cells in merged ranges.
    package var cells = 200_000
    /// Bytes of a sheet's texts.
    package var bytes = 32 << 20
    /// Forms on one sheet.
    package var forms = 10_000
    /// Pictures and links of a sheet.
    package var photos = 10_000
    /// Bytes of one picture.
    package var pictureBytes = 64 << 20
    /// Bytes of all pictures that are extracted from a workbook.
    package var allPictureBytes = 4 << 30
}
