import Counting
import Foundation
import Logging
import Model
import Packs
import Replica
import Testing
import Workbench

@testable import Importing
@testable import Pipeline

/// If a reader loses something, the import stops and stores nothing.
@Suite struct ImportGapTests {
    /// All cells of a table. A test can damage them.
    private final class Cells { var rows: [[(kind: ForeignBatch.Kind, text: String)]] = [] }

    /// Reads CSV, and damages the cells that it read.
    private enum LossyFormat: TableFormat {
        static let kind = CSVFile.kind
        @TaskLocal static var damage: @Sendable (Cells) -> Void = { _ in }

        static func recognises(_ head: FileHead) -> Bool { CSVFile.recognises(head) }

        static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile {
            let file = try CSVFile(head, options: options)
            for index in file.tables.indices {
                let open = file.tables[index].open
                file.tables[index].open = { try LossyRows(open(), damage) }
            }
            return file
        }
    }

    private final class LossyRows: ForeignRows {
        private let cells = Cells()
        private var isGiven = false

        init(_ rows: any ForeignRows, _ damage: (Cells) -> Void) throws {
            var batch = ForeignBatch()
            while true {
                try rows.fill(&batch)
                if batch.rowCount == 0 { break }
                for row in 0..<batch.rowCount {
                    cells.rows.append((0..<batch.width(row)).map { (batch.cell(row, $0).kind, batch.string(row, $0) ?? "") })
                }
            }
            damage(cells)
        }

        func fill(_ batch: inout ForeignBatch) {
            batch.removeAll()
            guard !isGiven else { return }
            isGiven = true
            for (number, row) in cells.rows.enumerated() {
                for cell in row { if cell.kind == .empty { batch.appendEmpty() } else { batch.append(cell.kind, cell.text) } }
                batch.endRow(number: number + 1)
            }
        }
    }

    /// Imports a register in the same way as the program, but with a reader of CSV that damages the
    /// cells.
    private func bringIn(_ office: TemporaryFolder, _ damage: @escaping @Sendable (Cells) -> Void) throws -> ImportResult {
        let text = """
            Proyecto;Calicata;Prof. (m);Estrato;Desde;Hasta
            EV-1;C-1;2,50;1;0,0;1,5
            EV-1;C-1;2,50;2;1,5;2,5
            EV-1;C-2;3,00;1;0,0;1,0
            """
        let path = try office.write(text, to: "registro.csv")
        let templates = ProjectFolder.root.appendingPathComponent("Templates"), replica = office.file("fichero.db")
        let pack = try PackLoader.load("ingeplus", from: templates), time = try #require(Timestamp.parse("2025-12-01T14:00:00Z"))
        let role = pack.roles.first { $0.permissions.contains(.administer) }
        if !FileManager.default.fileExists(atPath: replica) {
            try Replica.create(at: replica, pack: pack, now: time)
            _ = try Replica.open(at: replica, pack: pack).addAdministrator(
                email: "admin@example.org", fullName: nil, role: role?.name ?? "", environment: "DEV", now: time)
        }
        var session = try WorkSession(
            pack, from: .program, in: templates, replica: replica, at: time,
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        session.email = "admin@example.org"
        let opened = try session.openReplica()
        let actor = try session.actor(in: opened, to: .import)
        return try RunScope.perform(session, opened, session.context(actor), command: "import", waitSeconds: 0) { scope in
            var run = ImportRun(scope: scope, policy: .conflict)
            run.reading.kinds = [LossyFormat.self]
            let result = try LossyFormat.$damage.withValue(damage) {
                try run.importSource(path, entity: nil, mapping: "registro-plano", state: opened.contentState())
            }
            return (result, .done, "{}")
        }
    }

    private func rows(_ office: TemporaryFolder) throws -> String {
        let counts = ["projects", "calicatas", "calicata_cortes", "rejects"].map { "(SELECT count(*) FROM \($0))" }.joined(separator: " || ' ' || ")
        return try OtherProgram.run("/usr/bin/sqlite3", ["-readonly", office.file("fichero.db"), "SELECT \(counts)"]).text
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static let damages: [@Sendable (Cells) -> Void] = [
        { $0.rows[1][2] = (.empty, "") }, { $0.rows.remove(at: 2) }, { $0.rows[3][2].text = "3,50" }, { $0.rows[2].remove(at: 3) },
        { $0.rows[3].append((.text, "nada")) },
    ]

    @Test("An import stops if its reader loses a cell or a row, changes a number, moves a row or adds a cell", arguments: damages.indices)
    func aLossStopsTheImport(damage: Int) throws {
        let office = try TemporaryFolder()
        let failure = #expect(throws: ImportFailure.self) { try bringIn(office, Self.damages[damage]) }
        #expect(failure?.code == "IMPORT-GAP")
        #expect(failure?.exitCode.rawValue == 70)
        #expect(failure?.arguments["table"] == "registro")
        #expect(try rows(office) == "0 0 0 0")
        // The same import without damage stores its rows.
        #expect(try bringIn(office) { _ in }.evidence?.tables.first?.columns.map(\.there) == [4, 4, 4, 4, 4, 4])
        #expect(try rows(office) == "1 2 3 0")
    }

    // MARK: what lies between the reader and the account

    private func outcome(_ table: TableCount, byName: Bool = false, given: [TableCount]? = nil) -> IndependentCount.Outcome {
        var count = SourceCount(tables: [table])
        count.columnsByName = byName
        let given = given ?? [table]
        return .init(file: "f", comparison: CountComparison(reader: given, source: count), count: count, given: given)
    }

    /// What a mapping reads of one row in which all these columns are filled.
    private func use(_ names: [String], table: String = "t") -> ColumnUse {
        let use = ColumnUse(file: "f", table: table)
        var batch = ForeignBatch()
        for name in names { batch.append(.text, name) }
        batch.endRow(number: 1)
        use.note(batch, 0) { _ in .read }
        use.name(names)
        return use
    }

    @Test func aColumnThatNobodyUsedIsAGap() throws {
        let table = TableCount(name: "t", rows: 1, columns: ["a", "b"].map { .init(name: $0, filled: 1) })
        for byName in [false, true] {
            #expect(try ImportEvidence([outcome(table, byName: byName)], [use(["a", "b"])]).tables.first?.columns.allSatisfy(\.isWhole) == true)
            let failure = #expect(throws: ImportFailure.self) { try ImportEvidence([outcome(table, byName: byName)], [use(["a"])]) }
            #expect(failure?.arguments["expected"] == "1" && failure?.arguments["found"] == "0")
        }
    }

    @Test func aColumnThatTheCountDoesNotKnowIsAGap() throws {
        let table = TableCount(name: "t", rows: 1, columns: [.init(name: "a", filled: 1)])
        #expect(throws: ImportFailure.self) { try ImportEvidence([outcome(table, byName: true)], [use(["a", "z"])]) }
        // The row takes the value of `../z` over from an element around it. That value is counted
        // at its own place.
        #expect(try ImportEvidence([outcome(table, byName: true)], [use(["a", "../z"])]).tables.first?.columns.map(\.there) == [1, nil])
    }

    @Test func aTableThatWasNotReadToItsEndIsAGap() throws {
        let table = TableCount(name: "t", rows: 1, columns: [.init(name: "a", filled: 1)])
        let failure = #expect(throws: ImportFailure.self) { try ImportEvidence([outcome(table, given: [])], [use(["a"])]) }
        #expect(failure?.arguments["table"] == "t" && failure?.arguments["expected"] == "1" && failure?.arguments["found"] == "0")
        #expect(throws: ImportFailure.self) { try ImportEvidence([outcome(table)], [use(["a"]), use(["a"], table: "u")]) }
    }
}
