import Foundation
package import Model

/// Reads merged cells, links, pictures, and hidden rows and columns of one table, in a pass that
/// ignores values.
struct ODSDetailsReader {
    let parts: WorkbookParts
    /// The table's index in the file, and its name.
    let table: Int
    let name: String

    func read() throws -> SheetDetails {
        try parts.reading("content.xml", sheet: name) {
            var scanner = try parts.scanner(of: "content.xml")
            var cells = ODSCellDetails(limits: parts.limits)
            var tables = 0
            // The number of open tables, and of open elements in a part that is skipped.
            var (depth, skipped) = (0, 0)
            while true {
                let token = try scanner.next()
                if token == .finished { return cells.details }
                if skipped > 0 {
                    if token == .end { skipped -= 1 } else if token == .start, !scanner.isEmpty { skipped += 1 }
                    continue
                }
                if token == .end, scanner.isNamed("table") {
                    if depth == 1, tables == table + 1 { return cells.details }
                    depth -= 1
                }
                guard token == .start else { continue }
                let isInTable = depth == 1 && tables == table + 1
                if scanner.isNamed("table") {
                    if depth == 0 { tables += 1 }
                    depth += scanner.isEmpty ? 0 : 1
                } else if ODSParser.isOutside(scanner) || isInTable && scanner.isNamed("annotation") {
                    skipped = scanner.isEmpty ? 0 : 1
                } else if isInTable {
                    try cells.take(scanner) { parts.contains($0) }
                }
            }
        }
    }
}

/// The details of a table's cells, and the place that the reader has reached.
private struct ODSCellDetails {
    private(set) var details = SheetDetails()
    private let limits: TableLimits
    /// The current row; several if one element stands for equal rows.
    private var rows = 0..<0
    private var cell = SheetDetails.Position(row: 0, column: 0)
    private var nextColumn = 0
    /// The number of columns that were declared so far.
    private var columns = 0

    init(limits: TableLimits) { self.limits = limits }

    /// - Parameter isPart: whether the file contains a picture.
    mutating func take(_ scanner: borrowing MarkupScanner, isPart: (String) -> Bool) throws {
        if scanner.isNamed("table-row") {
            let count = try count(scanner, "number-rows-repeated")
            rows = rows.upperBound..<min(rows.upperBound + count, limits.rows)
            nextColumn = 0
            // A sheet often ends with a single repeated row, which is empty: whether that row is
            // hidden does not matter.
            if try isHidden(scanner), rows.count <= limits.span { details.hiddenRows += rows }
        } else if scanner.isNamed("table-column") {
            let end = min(columns + (try count(scanner, "number-columns-repeated")), limits.columns)
            if try isHidden(scanner), columns < end { details.hiddenColumns.append(columns...(end - 1)) }
            columns = end
        } else if scanner.isNamed("table-cell") || scanner.isNamed("covered-table-cell") {
            try takeCell(scanner)
        } else if scanner.isNamed("a"), let target = try scanner.attribute("href") {
            details.links[cell] = target
        } else if scanner.isNamed("image"), let entry = try scanner.attribute("href"), isPart(entry) {
            details.pictures.append(.init(cell: cell, entry: entry))
        }
    }

    private mutating func takeCell(_ scanner: borrowing MarkupScanner) throws {
        cell = SheetDetails.Position(row: rows.lowerBound, column: min(nextColumn, limits.columns))
        nextColumn = min(nextColumn + (try count(scanner, "number-columns-repeated")), limits.columns)
        let height = min(try count(scanner, "number-rows-spanned"), limits.rows - cell.row)
        let width = min(try count(scanner, "number-columns-spanned"), limits.columns - cell.column)
        guard height > 1 || width > 1 else { return }
        details.mergedRanges.append(
            .init(first: cell, last: .init(row: cell.row + height - 1, column: cell.column + width - 1)))
    }

    private func isHidden(_ scanner: borrowing MarkupScanner) throws -> Bool {
        let visibility = try scanner.attribute("visibility")
        return visibility == "collapse" || visibility == "filter"
    }

    private func count(_ scanner: borrowing MarkupScanner, _ name: StaticString) throws -> Int {
        guard let number = try scanner.attribute(name).flatMap({ Int($0) }), number > 0 else { return 1 }
        return min(number, 1 << 40)
    }
}

/// A spreadsheet of OpenDocument (ISO 26300), as LibreOffice and other programs write it. Rows are
/// streamed in constant memory. A formula's cell has its saved value. Annotations, tracked changes
/// and objects over the cells are not values.
package final class ODSFile: TableFormat, TableFile, PictureFile {
    package static let kind = "ods"
    package static let isWorkbook = true
    package let tables: [ForeignTable]
    package let origin: BookOrigin?
    private let parts: WorkbookParts

    /// Recognises an archive whose first entry declares its type, or one without that entry that
    /// has a content and a manifest.
    package static func recognises(_ head: FileHead) -> Bool {
        guard head.starts(with: [0x50, 0x4B, 0x03, 0x04]) else { return false }
        if head.contains("mimetypeapplication/vnd.oasis.opendocument.") {
            return head.contains("mimetypeapplication/vnd.oasis.opendocument.spreadsheet")
        }
        guard let parts = try? WorkbookParts(path: head.path, limits: TableLimits(), kind: kind) else { return false }
        return parts.contains("content.xml") && parts.contains("META-INF/manifest.xml")
    }

    package static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile {
        try ODSFile(path: head.path, limits: options.limits)
    }

    package init(path: String, limits: TableLimits = TableLimits()) throws {
        let parts = try WorkbookParts(path: path, limits: limits, kind: Self.kind)
        if try Self.isEncrypted(parts) { throw TableFailure.encrypted(path: path, kind: Self.kind) }
        let outline = try ODSOutline(parts)
        origin = try? parts.origin(in: "meta.xml")
        self.parts = parts
        tables = outline.tables.enumerated().map { index, table in
            ForeignTable(
                name: table.name, isHidden: table.isHidden,
                details: { try ODSDetailsReader(parts: parts, table: index, name: table.name).read() },
                open: { try ODSRows(parts, table: index, of: outline) })
        }
    }

    package func picture(_ entry: String, atMost limit: UInt64) throws -> [UInt8] {
        try parts.bytes(of: entry, atMost: limit)
    }

    /// Whether the manifest describes an encryption of the content.
    private static func isEncrypted(_ parts: WorkbookParts) throws -> Bool {
        let manifest = "META-INF/manifest.xml"
        guard parts.contains(manifest) else { return false }
        return try parts.reading(manifest) {
            var scanner = try parts.smallScanner(of: manifest)
            // Manifests of OpenOffice.org 2 name their document type.
            scanner.skipsDocumentType = true
            var path = ""
            while true {
                let token = try scanner.next()
                if token == .finished { return false }
                guard token == .start else { continue }
                if scanner.isNamed("file-entry") { path = try scanner.attribute("full-path") ?? "" }
                // Pictures are never encrypted alone. Since ODF 1.3 the whole package is one
                // encrypted entry.
                if scanner.isNamed("encryption-data"), path == "content.xml" || path == "encrypted-package" {
                    return true
                }
            }
        }
    }
}
