import Digests
import Zipping

/// A file within the document (ISO 19005-3, 6.8): the data that its pages show.
package struct Attachment: Sendable {
    /// Unique in the document.
    package let name: String
    /// `application/json`.
    package let type: String
    /// For people.
    package let about: String
    package let sha256: String
    private let count: Int
    private let compressed: [UInt8]

    package init(name: String, type: String, about: String, bytes: [UInt8]) throws {
        self.name = name
        self.type = type
        self.about = about
        count = bytes.count
        sha256 = SHA256.digest(of: bytes).hexadecimal
        compressed = try ZlibStream.compress(bytes, level: 6)
    }

    /// - Returns: the number of its file specification.
    func write(to objects: ArchiveObjects, modified: String) throws -> Int {
        let stream = objects.allocate(), specification = objects.allocate()
        let subtype = type.replacing("/", with: "#2F")
        try objects.stream(stream, "/Type/EmbeddedFile/Subtype/\(subtype)/Params<</Size \(count)/ModDate\(PDFText.date(modified))>>/Filter/FlateDecode", compressed)
        try objects.object(
            specification,
            "<</Type/Filespec/F\(PDFText.bytes(name))/UF\(PDFText.string(name))/Desc\(PDFText.string(about))/AFRelationship/Data/EF<</F \(stream) 0 R/UF \(stream) 0 R>>>>")
        return specification
    }
}
