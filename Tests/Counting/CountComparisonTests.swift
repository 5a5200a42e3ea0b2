import Counting
import Foundation
import Importing
import Model
import Testing
import Workbench

/// If a reader damages what it gives, the comparison finds a gap at the damaged place.
@Suite struct CountComparisonTests {
    private typealias Cell = (kind: ForeignBatch.Kind, text: String)

    /// A file of each kind that has numbers in it. The tests damage the cells as the reader gives
    /// them.
    private static let files = [
        "ingeplus/legacy/registros/registro-legado.xlsx", "ingeplus/legacy/registros/registro-legado.xls", "ingeplus/legacy/registros/registro-plano.csv",
        "ingeplus/legacy/registros/registro-web.xls", "ingeplus/legacy/registros/registro.xml", "ingeplus/legacy/foxpro/ESTRATO.DBF",
        "ingeplus/legacy/access/calicatas.mdb", "ingeplus/legacy/device.db",
    ]

    private func cells(_ table: ForeignTable) throws -> [[Cell]] {
        var rows: [[Cell]] = []
        try Evidence.forEachBatch(of: table) { batch in
            for row in 0..<batch.rowCount {
                rows.append((0..<batch.width(row)).map { (batch.cell(row, $0).kind, batch.string(row, $0) ?? "") })
            }
        }
        return rows
    }

    private func tally(_ table: ForeignTable, _ rows: [[Cell]]) -> TableCount {
        var tally = TableTally(table)
        var batch = ForeignBatch(mostRows: 7)
        for (number, row) in rows.enumerated() {
            for cell in row { if cell.kind == .empty { batch.appendEmpty() } else { batch.append(cell.kind, cell.text) } }
            batch.endRow(number: number + 1)
            if batch.isFull {
                tally.add(batch)
                batch.removeAll()
            }
        }
        tally.add(batch)
        return tally.count
    }

    @Test(arguments: files)
    func everyDamageIsAGap(name: String) throws {
        let path = Evidence.samples + "/" + name
        let file = try TableFiles.open(path: path)
        let source = try SourceCounter.count(path: path, kind: file.contentKind, options: try Evidence.options(file, path: path))
        let whole = try Evidence.tallies(file)
        var random = SeededNumbers(7)
        var found: Set<String> = []
        for (index, table) in file.tables.enumerated() {
            let rows = try cells(table)
            func gaps(_ damaged: [[Cell]]) -> [CountComparison.Gap] {
                var tallies = whole
                tallies[index] = tally(table, damaged)
                return CountComparison(reader: tallies, source: source).gaps
            }
            #expect(gaps(rows) == [])
            // A value that an XML row takes over from the elements around it is counted at its own
            // place.
            let isOwn = { (column: Int) in !(table.columns.map { $0.indices.contains(column) && $0[column].hasPrefix("..") } ?? false) }
            for _ in 0..<20 {
                guard let row = rows.indices.randomElement(using: &random) else { break }
                let full = rows[row].indices.filter { rows[row][$0].kind != .empty && !rows[row][$0].text.isEmpty && isOwn($0) }
                guard let column = full.randomElement(using: &random) else { continue }
                // One cell is lost.
                var damaged = rows
                damaged[row][column] = (.empty, "")
                #expect(gaps(damaged).contains { $0.what == .filled && $0.column == column && $0.expected == $0.found + 1 }, "\(table.name) \(row) \(column)")
                found.insert("cell")
                // The cells of a row move to the left.
                if let gap = rows[row].indices.first(where: { rows[row][$0].kind == .empty && $0 < (full.last ?? 0) }), file.contentKind != "xml" {
                    damaged = rows
                    damaged[row].remove(at: gap)
                    #expect(!gaps(damaged).isEmpty, "\(table.name) \(row)")
                    found.insert("shift")
                }
                // A row is lost.
                damaged = rows
                damaged.remove(at: row)
                #expect(gaps(damaged).contains { $0.what == .filled }, "\(table.name) \(row)")
                found.insert("row")
                // A number changes in its second decimal.
                guard let place = full.first(where: { rows[row][$0].kind == .number }), let value = Double(rows[row][place].text) else { continue }
                damaged = rows
                damaged[row][place].text = "\(value + 0.01)"
                let covered = CountComparison(reader: whole, source: source).sums.first { $0.table == table.name && $0.column == place }?.isCovered
                #expect(gaps(damaged).contains { $0.what == .sum && $0.column == place } == (covered ?? false), "\(table.name) \(row) \(place)")
                if covered == true { found.insert("number") }
            }
        }
        #expect(found.isSuperset(of: ["cell", "row"]), "\(found)")
        if ["xlsx", "xls", "dbf", "sqlite", "access"].contains(file.contentKind) { #expect(found.contains("number")) }
    }

    private func column(_ numbers: [Double], dates: Int = 0) -> TableCount.Column {
        var own = TableCount.Numbers()
        for number in numbers { own.add(number) }
        return .init(filled: numbers.count + dates, dates: dates, numbers: own, textNumbers: .init())
    }

    @Test("A changed number is found even if the numbers of the column add up to the same sum")
    func cancelling() {
        let source = SourceCount(tables: [TableCount(name: "T", rows: 4, columns: [column([1e6, -1e6, 2, -2])])])
        let same = CountComparison(reader: [TableCount(name: "T", rows: 4, columns: [column([-2, 1e6, 2, -1e6])])], source: source)
        #expect(same.gaps == [])
        let turned = CountComparison(reader: [TableCount(name: "T", rows: 4, columns: [column([1e6, -1e6, 3, -3])])], source: source)
        #expect(turned.gaps.map(\.what) == [.sum])
    }

    @Test("The sum of a column with dates is marked as not covered, but the number of its values is compared")
    func dates() throws {
        var source = SourceCount(tables: [TableCount(name: "T", rows: 3, columns: [column([45_000, 45_001, 2])])])
        source.datesAreNumbers = true
        let same = CountComparison(reader: [TableCount(name: "T", rows: 3, columns: [column([2], dates: 2)])], source: source)
        #expect(same.gaps == [])
        #expect(same.sums.map(\.cover) == [.dates])
        #expect(same.sums.map(\.isCovered) == [false])
        var texts = column([2], dates: 1)
        texts.filled = 3
        let lost = CountComparison(reader: [TableCount(name: "T", rows: 3, columns: [texts])], source: source)
        #expect(lost.gaps.map(\.what) == [.numbers])
    }

    @Test("The comparison names tables that are missing, not counted or not read")
    func tables() {
        let source = SourceCount(
            tables: [TableCount(name: "A", rows: 1, columns: [column([1])]), TableCount(name: "B", rows: 1, columns: [column([1])])],
            uncounted: [.init(table: "V", reason: "it runs for ever")])
        let comparison = CountComparison(
            reader: [TableCount(name: "B", rows: 1, columns: [column([1])]), TableCount(name: "V", rows: 1), TableCount(name: "X", rows: 1)], source: source)
        #expect(comparison.unread == ["A"])
        #expect(comparison.uncounted.map(\.table) == ["V"])
        #expect(comparison.gaps.map(\.what) == [.table])
        #expect(comparison.gaps.map(\.table) == ["X"])
    }

    @Test("A count that is stored as JSON is read back unchanged")
    func coding() throws {
        let source = try SourceCounter.count(path: Evidence.samples + "/ingeplus/legacy/foxpro/ESTRATO.DBF", kind: "dbf")
        #expect(try JSONDecoder().decode(SourceCount.self, from: JSONEncoder().encode(source)) == source)
    }
}
