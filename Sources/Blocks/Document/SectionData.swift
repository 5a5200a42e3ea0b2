import Digests
import JSONReading
package import Model

/// The stored rows that a section shows: the file attached to its pages. The file contains neither
/// the run's language nor its time, so that equal rows have the same checksum.
package struct SectionData: Sendable {
    /// Unique in the document: `pits-ID.json`.
    package let name: String
    package let bytes: [UInt8]
    /// SHA-256 of the bytes, in hexadecimal digits.
    package let sha256: String
    /// The content of the QR code on the section's pages; nil: they have no QR code.
    package let code: String?

    /// - Parameters:
    ///   - row: the section's row.
    ///   - shown: the rows of each query that the section's blocks showed, in the order of the
    ///     template.
    ///   - revision: the revision of the record; nil if it has none.
    init(
        _ definition: ReportDefinition, pack: Pack, anchor: String, row: ReportRow?,
        shown: [(query: String, rows: [ReportRow])], revision: String?
    ) {
        // Local paths of files are left out: they differ between replicas.
        let own = Set(pack.entities.compactMap { $0.file[.path] })
        let queries = shown.map {
            JSONValue.Member(key: $0.query, value: .array($0.rows.map { $0.json(without: own) }))
        }
        let document: [JSONValue.Member] = [
            .init(key: "format", value: .string("fichero-report-data")), .init(key: "version", value: .number("1")),
            .init(key: "system", value: .string(pack.name)), .init(key: "report", value: .string(definition.name)),
            .init(key: "section", value: .string(anchor)), .init(key: "row", value: row?.json(without: own) ?? .null),
            .init(key: "queries", value: .object(queries)),
        ]
        bytes = Array((JSONValue.object(document).description + "\n").utf8)
        let sum = SHA256.digest(of: bytes).hexadecimal
        sha256 = sum
        name = DataCode.fileName(of: anchor)
        code = definition.code.map { _ in DataCode(anchor: anchor, revision: revision, sha256: sum).text }
    }
}

extension ReportRow {
    /// The row's columns by name, with their stored values, except the columns in `own`.
    fileprivate func json(without own: Set<String>) -> JSONValue {
        .object(
            columns.query.columns.filter { !own.contains($0.name) }.map {
                JSONValue.Member(key: $0.name, value: Self.json(value($0.name), $0.type))
            })
    }

    private static func json(_ value: MemoryRows.Value, _ type: FieldType) -> JSONValue {
        switch value {
        case .null: .null
        case .integer(let integer):
            type == .boolean && (0...1).contains(integer) ? .bool(integer == 1) : .number(String(integer))
        case .real(let real):
            !real.isFinite
                ? .string("\(real)")
                : real.rounded() == real && abs(real) < 1e15 ? .number(String(Int64(real))) : .number("\(real)")
        case .text(let text): type == .json ? (try? JSONValue.stored(text)) ?? .string(text) : .string(text)
        }
    }
}

/// A section with all its content: pages starting on a new page, or a sheet.
package struct SectionContent: Sendable {
    /// Machine name of the template's section.
    package var name: String
    /// The section's title in a PDF's outline, and its sheet's name.
    package var title: String
    /// Target of links: `pits/ID`, or the section's name; unique in the document.
    package var anchor: String
    /// Whether the section represents a row of a query: its pages are then numbered separately
    /// (sheet n of m).
    package var isOfRow: Bool
    package var paper: ReportPaper
    /// Whether the section begins on a new page, or below the previous section.
    package var begins: ReportBeginning
    package var blocks: [any BlockContent]
    /// The rows that the blocks show; nil: the blocks show only information about the run.
    package var data: SectionData?

    package init(
        name: String, title: String, anchor: String, isOfRow: Bool, paper: ReportPaper, begins: ReportBeginning = .page,
        blocks: [any BlockContent], data: SectionData? = nil
    ) {
        self.name = name
        self.title = title
        self.anchor = anchor
        self.isOfRow = isOfRow
        self.paper = paper
        self.begins = begins
        self.blocks = blocks
        self.data = data
    }
}
