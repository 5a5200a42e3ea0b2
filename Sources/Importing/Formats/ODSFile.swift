import Foundation
import Model

/// A spreadsheet of OpenDocument (ISO 26300), as LibreOffice and others write it: rows are streamed
/// in flat memory; formulas give their saved value. Annotations, tracked changes and objects over
/// the cells are not values.
package final class ODSFile: TableFormat, TableFile, PictureFile {
    package static let kind = "ods"
    package static let isWorkbook = true
    package let tables: [ForeignTable]
    package let origin: String?
    private let parts: WorkbookParts

    /// Recognises an archive whose first entry states its type, or one without that entry by its
    /// content and manifest.
    package static func recognises(_ head: FileHead) -> Bool {
        guard head.starts(with: [0x50, 0x4B, 0x03, 0x04]) else { return false }
        if head.contains("mimetypeapplication/vnd.oasis.opendocument.") {
            return head.contains("mimetypeapplication/vnd.oasis.opendocument.spreadsheet")
        }
        guard let parts = try? WorkbookParts(path: head.path, limits: TableLimits(), kind: kind) else { return false }
        return parts.contains("content.xml") && parts.contains("META-INF/manifest.xml")
    }

    package static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile { try ODSFile(path: head.path, limits: options.limits) }

    package init(path: String, limits: TableLimits = TableLimits()) throws {
        let parts = try WorkbookParts(path: path, limits: limits, kind: Self.kind)
        if try Self.isEncrypted(parts) { throw TableFailure.encrypted(path: path, kind: Self.kind) }
        let outline = try ODSOutline(parts)
        origin = try? parts.origin(in: "meta.xml")
        self.parts = parts
        tables = outline.tables.enumerated().map { index, table in
            ForeignTable(
                name: table.name, isHidden: table.isHidden, details: { try ODSDetailsReader(parts: parts, table: index, name: table.name).read() },
                open: { try ODSRows(parts, table: index, of: outline) })
        }
    }

    package func picture(_ entry: String, atMost limit: UInt64) throws -> [UInt8] { try parts.bytes(of: entry, atMost: limit) }

    /// Whether the manifest describes how the content is encrypted.
    private static func isEncrypted(_ parts: WorkbookParts) throws -> Bool {
        let manifest = "META-INF/manifest.xml"
        guard parts.contains(manifest) else { return false }
        return try parts.reading(manifest) {
            var scanner = try parts.smallScanner(of: manifest)
            var path = ""
            while true {
                let token = try scanner.next()
                if token == .finished { return false }
                guard token == .start else { continue }
                if scanner.isNamed("file-entry") { path = try scanner.attribute("full-path") ?? "" }
                // Pictures are never encrypted alone; since ODF 1.3 the whole package is one
                // encrypted entry.
                if scanner.isNamed("encryption-data"), path == "content.xml" || path == "encrypted-package" { return true }
            }
        }
    }
}
