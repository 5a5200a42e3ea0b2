import Foundation
import JSONReading
package import Model
import OutputFiles

/// Writes an export as one JSON document, `STEM.json` (RFC 8259): facts about the export, the cover
/// in `about`, and each sheet with its columns and rows. A row has every column, with null for a
/// missing value. Numbers, booleans and JSON fields are written as such, not as texts.
///
/// Adds the finding `TEXT-CHARACTER` once for each sheet if characters were replaced because no
/// file may contain them. Throws `OutputFailure`.
package struct JSONDocumentWriter: ExportWriter {
    private static let pieceSize = 1 << 17

    package init() {}

    package func write(
        _ document: ExportDocument, stem: String, findings: any FindingSink, progress: (Int) -> Void
    ) throws -> [WrittenFile] {
        let sink = BackgroundSink(try OutputFile(finalPath: stem + ".json"))
        var buffer = ByteBuffer(capacity: Self.pieceSize * 2)
        buffer.append(utf8: "{\(Self.head(document))\"sheets\": [")
        var done = 0
        for (index, sheet) in document.sheets.enumerated() {
            buffer.append(index == 0 ? "\n  " as StaticString : ",\n  ")
            done += try append(sheet, to: sink, &buffer, findings) { progress(done + $0) }
        }
        buffer.append("\n]}\n" as StaticString)
        try sink.send(&buffer)
        return [try sink.finish().close(rows: done)]
    }

    /// Writes one sheet; returns the number of its rows.
    private func append(
        _ sheet: Sheet, to sink: BackgroundSink<OutputFile>, _ buffer: inout ByteBuffer, _ findings: any FindingSink,
        progress: (Int) -> Void
    ) throws -> Int {
        var formatter = JSONFormatter(columns: sheet.columns)
        let columns = sheet.columns.map { column in
            JSONValue.object([
                .init(key: "name", value: .string(column.name)), .init(key: "label", value: .string(column.label)),
                .init(key: "unit", value: column.unit.map { .string($0) } ?? .null),
            ])
        }
        buffer.append(
            utf8:
                """
                {\"name\": \(JSONValue.string(sheet.name)), \"title\": \(JSONValue.string(sheet.title)), \"columns\": \
                \(JSONValue.array(columns)), \"rows\": [
                """
        )
        var isFirst = true
        let count = try sheet.forEachBatch(progress: progress) { batch in
            for row in 0..<batch.rowCount {
                buffer.append(isFirst ? "\n    " as StaticString : ",\n    ")
                isFirst = false
                formatter.append(batch, row, to: &buffer)
            }
            if buffer.count >= Self.pieceSize { try sink.send(&buffer) }
        }
        buffer.append(count == 0 ? "]}" as StaticString : "\n  ]}")
        try TextChanges(characters: formatter.replaced).add(sheet: sheet.title, to: findings)
        return count
    }

    /// The facts and the cover, which are the first members of a document.
    static func head(_ document: ExportDocument) -> String {
        let facts: [(String, String)] = [
            ("export", document.name), ("pack", document.packName), ("packVersion", document.packVersion),
            ("asOf", Timestamp.format(document.asOf)),
            ("timeZone", document.timeZone.identifier), ("language", document.language.rawValue),
        ]
        let lines = facts.map { "\(JSONValue.string($0.0)): \(JSONValue.string($0.1))" }
        return lines.joined(separator: ", ") + ",\n\"about\": \(about(document.cover)),\n"
    }

    private static func about(_ cover: Cover) -> JSONValue {
        func object(_ members: [(String, JSONValue?)]) -> JSONValue {
            .object(members.compactMap { member in member.1.map { .init(key: member.0, value: $0) } })
        }
        func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
        return object([
            ("title", .string(cover.title)), ("subtitle", .string(cover.subtitle)), ("author", .string(cover.author)),
            ("environmentBanner", cover.environmentBanner.map { .string($0) }),
            ("draftBanner", cover.draftBanner.map { .string($0) }),
            (
                "lines",
                .array(
                    cover.lines.map {
                        object([("name", .string($0.name)), ("label", .string($0.label)), ("value", .string($0.value))])
                    })
            ),
            (
                "tables",
                .array(
                    cover.tables.map { table in
                        object([
                            ("name", .string(table.name)), ("title", .string(table.title)),
                            ("headers", texts(table.headers)),
                            ("rows", .array(table.rows.map(texts))),
                        ])
                    })
            ),
        ])
    }
}
