import JSONReading
package import Model
import OutputFiles

/// Writes the records of an export that have a place as points of one map, `STEM.geojson` (RFC
/// 7946). Sheets of other rows are left out.
///
/// A record whose place is unknown is a feature without a geometry (3.2), so that no row is lost.
/// Properties have the names and values of the JSON export. Adds the finding `TEXT-CHARACTER` as
/// `JSONDocumentWriter` does. Throws `OutputFailure`, also if other code counts other features.
package struct GeoJSONWriter: ExportWriter {
    private static let pieceSize = 1 << 17
    /// Parts of a degree to which coordinates are rounded: a millimetre on the ground.
    private static let steps = 1e8

    package init() {}

    package func write(
        _ document: ExportDocument, stem: String, findings: any FindingSink, progress: (Int) -> Void
    ) throws -> [WrittenFile] {
        let sink = BackgroundSink(try OutputFile(finalPath: stem + ".geojson"))
        var buffer = ByteBuffer(capacity: Self.pieceSize * 2)
        buffer.append(
            utf8: """
                {"type": "FeatureCollection", "name": \(JSONValue.string(document.name)), \
                \(JSONDocumentWriter.head(document))"features": [
                """)
        var features = 0, points = 0
        for sheet in document.sheets {
            guard let rows = try sheet.openPlaced?() else { continue }
            let before = features
            var formatter = JSONFormatter(columns: sheet.columns)
            _ = try sheet.forEachBatch(of: rows, progress: { progress(before + $0) }) { batch in
                for row in 0..<batch.rowCount {
                    buffer.append(features == 0 ? "\n" as StaticString : ",\n")
                    if Self.appendGeometry(batch, row, to: &buffer) { points += 1 }
                    formatter.append(batch, row, to: &buffer)
                    buffer.append(UInt8(ascii: "}"))
                    features += 1
                }
                if buffer.count >= Self.pieceSize { try sink.send(&buffer) }
            }
            try TextChanges(characters: formatter.replaced).add(sheet: sheet.title, to: findings)
        }
        buffer.append("\n]}\n" as StaticString)
        try sink.send(&buffer)
        return [try sink.finish().close(rows: features, inList: "features", filled: ["geometry": points])]
    }

    /// Appends a feature up to its properties; returns whether it has a point. The last two cells
    /// are latitude and longitude.
    private static func appendGeometry(
        _ batch: borrowing RowBatch, _ row: Int, to buffer: inout ByteBuffer
    ) -> Bool {
        buffer.append("{\"type\": \"Feature\", \"geometry\": " as StaticString)
        let latitude = degrees(batch, row, batch.columnCount - 2, most: 90)
        let longitude = degrees(batch, row, batch.columnCount - 1, most: 180)
        if let latitude, let longitude {
            buffer.append("{\"type\": \"Point\", \"coordinates\": [" as StaticString)
            buffer.append(longitude)
            buffer.append(", " as StaticString)
            buffer.append(latitude)
            buffer.append("]}" as StaticString)
        } else {
            buffer.append("null" as StaticString)
        }
        buffer.append(", \"properties\": " as StaticString)
        return latitude != nil && longitude != nil
    }

    /// Degrees, rounded; nil if the cell is no number, or one that no place on the Earth has.
    private static func degrees(
        _ batch: borrowing RowBatch, _ row: Int, _ column: Int, most: Double
    ) -> Double? {
        let cell = batch.cell(row, column)
        let value: Double
        switch cell.kind {
        case .integer: value = Double(cell.integer)
        case .real: value = cell.real
        case .null, .text: return nil
        }
        return abs(value) <= most ? (value * steps).rounded() / steps : nil
    }
}
