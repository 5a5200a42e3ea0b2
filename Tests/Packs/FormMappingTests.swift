import Foundation
import Testing

@testable import Model
@testable import Packs

/// Forms of a mapping as a pack writes them: what the loader makes of them, and which mistakes it
/// reports with their line.
@Suite struct FormMappingTests {
    private static let mapping = """
        import: sheets
        forms:
          - sheets: ["C-*"]
            start: B3
            every: {rows: 25, columns: 8}
            present: [pit]
            values:
              pit: POZO
              depth: {label: [PROF, "DEPTH*"], at: {row: 0, column: 2}, optional: true}
              east: {label: ESTE, at: below, within: COORD}
              day: {cell: H4}
            tables:
              strata: {columns: {from: [DE, DESDE], to: A}, headingRows: 2, sideways: true, until: OBS}
            picturesBelow: FOTOS
            columns:
              d: {column: depth, type: decimal}
            where: d > 0
            rows:
              - entity: pits
                key: [code]
                fields: {code: pit, depth_m: {expression: d}}
              - entity: layers
                of: strata
                key: [pit_id, from_m]
                fields: {pit_id: {parent: pits, by: {code: pit}}, from_m: from, to_m: {column: to}}
        """

    private static let text = "import.sheets: text of import.sheets\n"

    private func pack(_ mapping: String) -> SamplePack {
        var pack = SamplePack().adding("pits/imports/sheets.yaml", mapping)
        for language in ["es", "en"] { pack.files["pits/texts/\(language).yaml", default: ""] += Self.text }
        return pack
    }

    private func mistakes(_ mapping: String) throws -> [PackMistake] {
        try pack(mapping).inFolder { folder in
            do {
                _ = try PackLoader.load("pits", from: folder)
                return []
            } catch let failure as PackFailure {
                return failure.mistakes
            }
        }
    }

    @Test func everyKeyIsRead() throws {
        let loaded = try pack(Self.mapping).inFolder { try PackLoader.load("pits", from: $0) }
        let form = try #require(loaded.mapping("sheets")?.forms.first)
        #expect(form.names == ["C-*"])
        #expect(form.start == SheetCell(row: 2, column: 1))
        #expect(form.every == .init(rows: 25, columns: 8))
        #expect(form.present == ["pit"])
        #expect(form.values.map(\.name) == ["pit", "depth", "east", "day"])
        #expect(
            form.values.map(\.place) == [
                .label(["POZO"], .right, within: []), .label(["PROF", "DEPTH*"], .away(rows: 0, columns: 2), within: []),
                .label(["ESTE"], .below, within: ["COORD"]), .cell(SheetCell(row: 3, column: 7)),
            ])
        #expect(form.values.map(\.isOptional) == [false, true, false, false])
        let table = try #require(form.tables.first)
        #expect(table.columns.map(\.headings) == [["DE", "DESDE"], ["A"]])
        #expect(table.headingRows == 2 && table.isSideways && table.until == ["OBS"])
        #expect(form.picturesBelow == ["FOTOS"])
        #expect(form.filter != nil)
        #expect(form.rows.map(\.of) == [.form, .table("strata")])
        #expect(form.table(for: form.rows[1]).requires == ["pit"])
    }

    @Test(arguments: [
        ("start: B3", "start: 3B", PackMistake.Code.badValue), ("{cell: H4}", "{cell: XFE1}", .badValue), ("present: [pit]", "present: [pitt]", .unknownName),
        ("of: strata", "of: layers", .unknownName), ("from_m: from", "from_m: form", .unknownName), ("{column: depth,", "{column: deep,", .unknownName),
        ("by: {code: pit}", "by: {code: pits}", .unknownName), ("at: below", "at: above", .badValue), ("where: d > 0", "where: e > 0", .expressionField),
        ("rows: 25, columns: 8", "", .missingKey), ("headingRows: 2", "headingRows: 0", .badValue), ("import: sheets\nforms:", "import: sheets\nlookups:", .missingKey),
    ])
    func slipsAreReportedWithTheirLine(_ old: String, _ new: String, _ code: PackMistake.Code) throws {
        let text = Self.mapping.replacing(old, with: new, maxReplacements: 1)
        #expect(text != Self.mapping)
        let found = try mistakes(text)
        let own = found.filter { $0.code == code && $0.place.file.hasSuffix("imports/sheets.yaml") }
        #expect(!own.isEmpty, "\(found)")
    }
}
