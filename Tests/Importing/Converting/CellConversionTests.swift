import Foundation
import Model
import Testing

@testable import Importing

@Suite struct CellConversionTests {
    private func apply(_ conversion: CellConversion, _ text: String) -> String? {
        try? conversion.apply(text, words: ConversionWords(lookups: ["water": ["np": "dry"]], zone: TimeZone(identifier: "America/Lima") ?? .gmt))
    }

    @Test(arguments: [
        (CellConversion.decimalComma, "1.234,50", "1234.50"), (.decimalComma, "-0,5", "-0.5"), (.decimalComma, "2.5", "2.5"),
        (.decimalComma, "12,", "12"), (.date(["dd/MM/yyyy"]), "3/12/2024", "2024-12-03"), (.date(["dd-MM-yy"]), "29-02-24", "2024-02-29"),
        (.date(["dd-MM-yy"]), "01-02-98", "1998-02-01"), (.date([]), "2024-05-06T00:00:00", "2024-05-06"),
        (.chainage, "Km 12 + 300", "12+300"), (.chainage, "12300", "12+300"), (.chainage, "0+005.50", "0+005.50"), (.chainage, "7", "0+007"),
        (.feet, "10", "3.048"), (.centimetres, "125", "1.25"), (.yesNo, "Sí", "true"), (.yesNo, "NO", "false"), (.lookup("water"), "N.P.", "dry"),
        (.trim, " a ", "a"), (.decimalPoint, "1,234.50", "1234.50"), (.decimalPoint, "7", "7"), (.inches, "10", "0.254"), (.millimetres, "850", "0.85"),
        (.split("/", piece: 2), "gris / pardo", "pardo"), (.split("-", piece: -1), "C-12", "12"), (.split(" ", piece: 3), " -6.59  -76.98\t 245.10 4.8", "245.10"), (.match("[A-Z]+-([0-9]+)"), "pozo C-12 bis", "12"),
        (.match("[0-9]+"), "km 45", "45"), (.replace(".", with: ""), "1.2.3", "123"), (.blank(["s/d"]), "gris", "gris"), (.upper, "ñ", "Ñ"), (.lower, "É", "é"),
        (.range(.from), "0.00-0.40", "0.00"), (.range(.to), "0,00 a 0,40 m", "0.40"), (.range(.to), "de 0.40 m hasta 1.60 m", "1.60"),
        (.range(.from), "0.40 – 1", "0.40"), (.thousands("."), "8.674.321,5", "8674321,5"), (.thousands("."), "674.321", "674321"),
        (.thousands(" "), "8\u{A0}674 321", "8674321"), (.thousands(","), "-1,234.5", "-1234.5"), (.decimalComma, "8.674.321", "8674321"),
        (.decimalComma, "1 234,50", "1234.50"), (.unit(["m"]), "2,50 m.", "2,50"), (.unit(["m"]), "2,50 cm", "2,50 cm"), (.unit(["%"]), "12%", "12"),
        (.date(["dd MMMM yyyy"]), "12 de marzo de 2019", "2019-03-12"), (.date(["dd MMMM yyyy"]), "Martes, 1º de setiembre del 2020", "2020-09-01"),
        (.date(["dd MMMM yyyy"]), "3 gennaio 2021", "2021-01-03"), (.date(["MMMM dd yyyy"]), "March 12th, 2019", "2019-03-12"),
        (.date(["dd MMMM yyyy"]), "5/dic/2018", "2018-12-05"), (.replace("m", with: ""), "2m", "2"),
        (.since(2001, .instant), "0", "2001-01-01T00:00:00Z"), (.since(1970, .instant), "1764565200.25", "2025-12-01T05:00:00.25Z"),
        (.since(2001, .day), "785653200.0", "2025-11-24"), (.since(2001, .time), "786195900", "06:45:00"), (.since(1970, .instant), "-1", "1969-12-31T23:59:59Z"),
        (.member("_0/name"), #"{"_0": {"name": "a"}}"#, "a"), (.member("1"), "[5, 1.10]", "1.10"), (.member("a"), #"{"a": [true]}"#, "[true]"),
        (.elements([.since(2001, .time)]), "[786195900, 786195960]", #"["06:45:00","06:46:00"]"#), (.elements([.upper]), #"["a", null]"#, #"["A",null]"#),
    ])
    func fits(_ conversion: CellConversion, _ text: String, _ expected: String) {
        #expect(apply(conversion, text) == expected)
    }

    @Test(arguments: [
        (CellConversion.decimalComma, "1,2,3"), (.decimalComma, "1.23,4"), (.decimalComma, "nan"), (.decimalComma, ""), (.decimalComma, "2 m"),
        (.date(["dd/MM/yyyy"]), "30/02/2024"), (.date(["dd/MM/yyyy"]), "3-12-2024"), (.date(["dd/MM/yyyy"]), "3/12/24"), (.date([]), ""),
        (.chainage, "12+30"), (.chainage, "-1"), (.chainage, "1000+000"), (.chainage, "12+300+1"), (.feet, "ten"), (.feet, "1e9"),
        (.decimalComma, "1.234"), (.decimalPoint, "1,2,3"), (.decimalPoint, "2,5"), (.split("/", piece: 3), "a/b"), (.match("[0-9]+"), "km"),
        (.blank(["s/d", "-"]), " S/D "), (.yesNo, "quizás"), (.lookup("water"), "?"), (.lookup("none"), "NP"),
        (.range(.from), "0.40"), (.range(.to), "0-40 cm"), (.thousands("."), "12.34"), (.date(["dd MMMM yyyy"]), "12 de marso de 2019"),
        (.since(2001, .instant), "1e300"), (.since(2001, .day), "nan"), (.since(1970, .day), "2025-01-01"), (.since(1, .day), "-1"),
        (.member("a"), "{"), (.member("a"), #"{"b": 1}"#), (.member("2"), "[1]"), (.member("a/b"), #"{"a": 1}"#), (.elements([.upper]), "{}"),
        (.elements([.since(2001, .time)]), #"["x"]"#), (.member("a"), String(repeating: "[", count: 500)),
        (.date(["dd MMMM yyyy"]), "31 de abril de 2019"), (.decimalComma, "12 34,5"),
        (.date([]), "2025-03-01x"), (.date([]), "2025-03-01Tgarbage"), (.date([]), "2025-03-01T25:61:61"), (.date([]), "2025-03-01T24:00:00"), (.date([]), "0000-03-01"),
    ])
    func isRefused(_ conversion: CellConversion, _ text: String) {
        #expect(apply(conversion, text) == nil)
    }

    @Test(arguments: [
        (CellConversion.decimalComma, "?", "IMPORT-NO-NUMBER"), (.date(["dd/MM/yyyy"]), "?", "IMPORT-NO-DATE"), (.chainage, "?", "IMPORT-NO-CHAINAGE"),
        (.yesNo, "?", "IMPORT-NO-YES-NO"), (.match("[0-9]+"), "?", "IMPORT-NO-MATCH"), (.lookup("water"), "?", "IMPORT-NOT-IN-LOOKUP"),
    ])
    func whatDoesNotFitSaysWhy(_ conversion: CellConversion, _ text: String, _ code: String) {
        #expect { try conversion.apply(text, words: ConversionWords(lookups: [:])) } throws: { ($0 as? CellConversion.Misfit)?.code == code }
    }

    @Test func headingsAreComparedByLettersAndDigits() {
        #expect(ColumnName.normal(" N.º Calicáta ") == ColumnName.normal("n.º CALICATA"))
        #expect(ColumnName.normal("PROF. (m)") == "profm")
        #expect(ColumnName.matches("Calicata 12", "calicata*") && ColumnName.matches("E3 Desde", "E*desde"))
        #expect(!ColumnName.matches("Hoja1", "calicata*") && !ColumnName.matches("Calicatas", "calicata"))
        // Each letter is folded as Foundation folds it, alone and among others.
        for value in UInt32(1)...0x2FFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for text in [String(scalar), "Ñá\(String(scalar))Z"] {
                let expected = text.folding(
                    options: [.caseInsensitive, .diacriticInsensitive], locale: Locale(identifier: "en_US_POSIX"))
                #expect(ColumnName.folded(text).unicodeScalars.elementsEqual(expected.unicodeScalars), "\(value)")
            }
        }
        #expect([0, 25, 26, 701, 702].map(ColumnName.letters) == ["A", "Z", "AA", "ZZ", "AAA"])
    }

    @Test func idsAreOfVersionEightAndKeepNeighboursApart() {
        let id = NaturalID.id(pack: "p", entity: "e", key: ["a", "b"])
        #expect(id.count == 36 && Array(id)[14] == "8" && "89ab".contains(Array(id)[19]))
        #expect(id == NaturalID.id(pack: "p", entity: "e", key: ["a", "b"]))
        #expect(id != NaturalID.id(pack: "p", entity: "e", key: ["ab", ""]))
    }
}
