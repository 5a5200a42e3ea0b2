import Databases
import JSONReading
import Model

/// A finding on its way into a table, always in the same memory: there may be millions.
struct FindingRow {
    private var cells = RowBatch(columnCount: 10)
    private var json = JSONTextWriter(limits: .standard)
    private var fingerprint = FingerprintMaker()

    /// Runs a statement with the parameters code, severity, table, row, row's name, field, project,
    /// arguments, place in a file, fingerprint.
    mutating func insert(_ finding: Finding, _ project: String?, by statement: PreparedStatement) throws {
        cells.removeAll()
        cells.append(finding.code)
        cells.append(finding.severity.rawValue)
        cells.append(ifAny: finding.place.table)
        cells.append(ifAny: finding.place.id)
        cells.append(ifAny: finding.place.key)
        cells.append(ifAny: finding.place.field)
        cells.append(ifAny: project)
        FlatJSON.write(finding.arguments, with: &json)
        cells.append(utf8: json.bytes)
        cells.append(ifAny: Self.spot(finding.place))
        fingerprint.take(finding)
        cells.append(utf8: fingerprint.digits)
        try statement.run(binding: cells.cells.span, text: cells.text.span, from: 1)
    }

    /// A place in a file; few findings have one.
    private static func spot(_ place: Place) -> String? {
        guard place.file != nil || place.sheet != nil || place.cell != nil || place.pointer != nil || place.line != nil || place.column != nil else {
            return nil
        }
        let members = [
            "file": place.file, "sheet": place.sheet, "cell": place.cell, "pointer": place.pointer, "line": place.line.map(String.init),
            "column": place.column.map(String.init),
        ]
        return FlatJSON.write(members.compactMapValues(\.self))
    }
}
