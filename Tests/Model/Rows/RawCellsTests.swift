import Foundation
import Model
import Testing

@Suite struct RawCellsTests {
    private func json(_ kind: RawCells.Kind, _ text: String) -> String {
        var raw = RawCells(headings: ["Código"])
        let bytes = Array(text.utf8)
        raw.appendHead(kind, count: bytes.count)
        raw.endHeads()
        raw.append(bytes.span)
        raw.endRow()
        return raw.json(0)
    }

    /// `0001` is a number in a spreadsheet and in dBase. In a rejected row it must be valid JSON,
    /// so that the row can be edited and tried again.
    @Test(arguments: [
        ("0001", "\"0001\""), ("00012.5", "\"00012.5\""), ("+4", "\"+4\""), (".5", "\".5\""), ("5.", "\"5.\""), ("1e", "\"1e\""), ("-", "\"-\""), ("", "\"\""),
        ("0", "0"), ("-0", "-0"), ("12.50", "12.50"), ("-3e-07", "-3e-07"), ("1E+5", "1E+5"), ("0.07", "0.07"),
    ])
    func whatIsNoNumberOfJSONIsAText(_ text: String, _ expected: String) throws {
        let found = json(.number, text)
        #expect(found == "{\"Código\":\(expected)}")
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(found.utf8)) }
    }

    @Test func columnsOfOneNameAreToldApart() {
        #expect(RawCells.distinct(["SUCS", "", "SUCS", "C", "SUCS", ""]) == ["SUCS", "B", "SUCS (C)", "C", "SUCS (E)", "F"])
        // A name that a column gets by its letter is given to no other column.
        #expect(RawCells.distinct(["", "A", "A", "A (C)"]) == ["A (A)", "A", "A (C) (C)", "A (C)"])
    }

    @Test func rowsOfJSONAreKeptAsTheyStand() {
        var raw = RawCells(headings: [], isText: true)
        let bytes = Array("{ \"a\": 1.10 }".utf8)
        raw.append(bytes.span)
        raw.endRow()
        #expect(raw.json(0) == "{ \"a\": 1.10 }")
    }
}
