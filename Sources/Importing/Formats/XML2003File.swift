import Foundation
import Model

/// A workbook as a single XML document, as Excel 2002 and 2003 wrote it and some office programs
/// still do (`urn:schemas-microsoft-com:office:spreadsheet`), often named `.xls`. Formulas give
/// their saved value.
package final class XML2003File: TableFormat, TableFile {
    package static let kind = "xml2003"
    package static let isWorkbook = true
    package let tables: [ForeignTable]

    package static func recognises(_ head: FileHead) -> Bool {
        guard XMLFile.recognises(head), let text = head.text else { return false }
        return ["urn:schemas-microsoft-com:office:spreadsheet", "Workbook"].allSatisfy { text.firstRange(of: Array($0.utf8)) != nil }
    }

    package static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile { try XML2003File(path: head.path, limits: options.limits) }

    package init(path: String, limits: TableLimits = TableLimits()) throws {
        let outline = try XML2003Outline(path: path, limits: limits)
        tables = outline.sheets.enumerated().map { index, sheet in
            ForeignTable(name: sheet.name, isHidden: sheet.isHidden, details: { sheet.details }) {
                try XML2003Rows(path: path, sheet: index, of: outline, limits: limits)
            }
        }
    }

    /// The document's markup from its start.
    static func scanner(_ path: String, _ limits: TableLimits) throws -> MarkupScanner {
        MarkupScanner(UnicodeBytes(try FileStream(path: path)), limit: limits.cellBytes)
    }

    /// Runs `body` and reports faults of the markup as failures of this file.
    static func reading<Result>(_ path: String, sheet: String? = nil, row: Int? = nil, _ body: () throws -> Result) throws -> Result {
        let place = Place(file: path, sheet: sheet, line: row)
        do {
            return try body()
        } catch let fault as MarkupScanner.Fault {
            switch fault {
            case .cut: throw TableFailure.damaged(place, kind: kind, reason: "it is cut off")
            case .documentType: throw TableFailure.damaged(place, kind: kind, reason: "it has a document type, which a workbook never has")
            case .notUTF8: throw TableFailure.damaged(place, kind: kind, reason: "it is neither UTF-8 nor UTF-16")
            case .unknownEntity: throw TableFailure.damaged(place, kind: kind, reason: "it has an entity that is not XML's")
            case .tooLong(let limit): throw TableFailure.tooLarge(place, kind: kind, limit: "cellBytes \(limit)")
            }
        }
    }
}
