import Foundation
import Photos

/// A kind of picture that can be stored, recognised by the file's first bytes, whatever its name.
package enum PictureKind: CaseIterable {
    case jpeg, png

    init?(_ bytes: [UInt8]) {
        guard let kind = Self.allCases.first(where: { bytes.starts(with: $0.mark) }) else { return nil }
        self = kind
    }

    /// Nil for a file that is not a picture, or that cannot be read.
    package init?(fileAt path: String) {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let head = try? file.read(upToCount: 8) else { return nil }
        self.init(Array(head))
    }

    /// The first bytes of a file of this kind.
    private var mark: [UInt8] {
        switch self {
        case .jpeg: [0xFF, 0xD8, 0xFF]
        case .png: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        }
    }

    /// The media type.
    package var type: String { self == .jpeg ? "image/jpeg" : "image/png" }
    var ending: String { self == .jpeg ? "jpg" : "png" }

    /// Whether a file of this kind is complete: one that was cut off while written lacks its end.
    ///
    /// - Parameter picture: the result of reading a JPEG.
    func isComplete(_ bytes: [UInt8], _ picture: JPEGPicture?) -> Bool {
        switch self {
        case .jpeg: picture?.isComplete == true
        // The last chunk has no content: its length, its name, its checksum.
        case .png: bytes.suffix(12).starts(with: [0, 0, 0, 0] + Array("IEND".utf8))
        }
    }
}

/// Kinds of file that users may mistake for tables and that no reader accepts: pictures, pages to
/// print, archives, flat OpenDocument. They are recognised by their first bytes, whatever the name.
/// Some would be read as text otherwise.
enum TablelessKind {
    private static let signatures: [(name: String, bytes: [UInt8])] = [
        ("GIF", Array("GIF87a".utf8)), ("GIF", Array("GIF89a".utf8)),
        ("TIFF", [0x49, 0x49, 0x2A, 0x00]), ("TIFF", [0x4D, 0x4D, 0x00, 0x2A]),
        ("WMF", [0xD7, 0xCD, 0xC6, 0x9A]), ("PSD", Array("8BPS".utf8) + [0, 1]),
        ("PDF", Array("%PDF-".utf8)), ("RTF", Array("{\\rtf".utf8)),
        ("7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]), ("RAR", Array("Rar!".utf8) + [0x1A, 0x07]),
        ("gzip", [0x1F, 0x8B, 0x08]),
    ]

    /// Name of the file's kind; nil if it is none of these.
    static func name(of head: FileHead) -> String? {
        if let kept = PictureKind(head.bytes) { return kept == .jpeg ? "JPEG" : "PNG" }
        return signatures.first { head.starts(with: $0.bytes) }?.name ?? picture(head.bytes) ?? flatSheet(head)
    }

    /// Name of a picture's kind whose first letters could also begin a text, so more bytes are
    /// checked.
    private static func picture(_ bytes: [UInt8]) -> String? {
        guard bytes.count >= 44 else { return nil }
        func isText(_ text: String, at place: Int) -> Bool { bytes.dropFirst(place).starts(with: Array(text.utf8)) }
        if isText("RIFF", at: 0), isText("WEBP", at: 8) { return "WebP" }
        if isText(" EMF", at: 40), bytes.starts(with: [1, 0, 0, 0]) { return "EMF" }
        // HEIC and AVIF, the picture formats of telephones, and films.
        if isText("ftyp", at: 4), bytes[0] == 0 { return isText("hei", at: 8) || isText("mif", at: 8) ? "HEIC" : "MP4" }
        // Four zero bytes, then the offset of the pixels and the length of a known header.
        let headers: Set<Int> = [12, 40, 52, 56, 64, 108, 124]
        let isBitmap = isText("BM", at: 0) && bytes[6..<10].allSatisfy { $0 == 0 }
        return isBitmap && headers.contains(bytes.little32(14) ?? 0) ? "BMP" : nil
    }

    /// An OpenDocument spreadsheet as one XML document. Archives are excluded, because an
    /// uncompressed part may contain such a document too.
    private static func flatSheet(_ head: FileHead) -> String? {
        guard !head.starts(with: [0x50, 0x4B]) else { return nil }
        let namespace = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
        return head.contains("<office:document") && head.contains(namespace) ? "FODS" : nil
    }
}
