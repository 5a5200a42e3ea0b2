import Model
import Testing
import Workbench

@testable import Importing
@testable import Suggesting

/// A suggestion takes nothing for a value that is none, and no entity from two tables.
@Suite struct NoInventedValueTests {
    private static func id(_ number: Int) -> String { "0197a000-0000-7000-8000-0000000000\(10 + number)" }

    @Test func aColumnOfIDsIsNoValue() throws {
        let rows = (1...6).map { "CHU-2025;C-\($0);\(Self.id($0));1,\($0);CL;\($0)" }
        let fed = try PitSuggestions.fed(
            PitSuggestions.suggest((["Proyecto;Calicata;Informe;Profundidad (m);SUCS;N°"] + rows).joined(separator: "\n")))
        #expect(fed["Calicata"] == "calicatas.code")
        #expect(fed["Informe"] == nil, "\(fed)")
    }

    @Test(
        "A number of records is no number of a record",
        arguments: [
            ("N.º de cortes", true), ("Nº cortes", true), ("Cantidad de fotos", true), ("Number of test pits", true),
            ("Total de muestras", true),
            ("N.º de corte", false), ("N° de calicata", false), ("Muestra N°", false), ("Cortes", false),
            ("Número", false),
        ])
    func counts(_ heading: String, _ isCount: Bool) throws {
        #expect(HeadingWords(try #require(PitSuggestions.pits)).isCount(heading) == isCount)
    }

    @Test func aNumberOfStrataIsNoStratum() throws {
        let rows = (1...6).map { "CHU-2025;C-\($0);2,5;\($0 % 3 + 1)" }
        let suggestion = try PitSuggestions.suggest(
            (["Proyecto;Calicata;Profundidad (m);N.º de cortes"] + rows).joined(separator: "\n"))
        #expect(
            !suggestion.tables.flatMap(\.targets).contains { $0.entity.name == "calicata_cortes" },
            "\(PitSuggestions.fed(suggestion))")
    }

    private func tables(_ sheets: [(String, String)]) throws -> MappingSuggestion {
        let book = FormBook()
        for (name, text) in sheets { book.add(name, text) }
        return try MappingSuggester(pack: try #require(PitSuggestions.pits)).suggest(
            book, path: "libro.xlsx", name: "libro")
    }

    private static let pits = "Proyecto;Calicata;Este;Norte;Profundidad (m)\n"

    @Test func theBetterOfTwoTablesGivesTheRecords() throws {
        let full =
            Self.pits + (1...6).map { "CHU-2025;C-\($0);50012\($0).5;865012\($0).5;2.\($0)" }.joined(separator: "\n")
        let index =
            "Proyecto;Calicata;Observaciones\n" + (1...6).map { "CHU-2025;C-\($0);hoja \($0)" }.joined(separator: "\n")
        let suggestion = try tables([("Índice", index), ("Registro", full)])
        #expect(suggestion.tables.map(\.name) == ["Registro"] && suggestion.unusedTables == ["Índice"])
    }

    @Test func sheetsOfOneLayoutGiveTheSameRecords() throws {
        func year(_ first: Int) -> String {
            Self.pits
                + (first..<first + 6).map { "CHU-2025;C-\($0);50012\($0 % 10).5;865012\($0 % 10).5;2.\($0 % 10)" }
                .joined(separator: "\n")
        }
        let suggestion = try tables([("2024", year(1)), ("2025", year(11))])
        #expect(suggestion.tables.map(\.name) == ["2024", "2025"])
    }
}
