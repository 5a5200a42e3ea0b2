import Model
import Testing

@testable import Importing

/// Whose a file is, by what it and its folders are called.
@Suite struct NamedRecordsTests {
    private final class Codes: RecordKeys {
        let codes: [String]
        init(_ codes: [String]) { self.codes = codes }
        func match(_ entity: String, _ key: [(field: String, value: String)]) -> KeyMatch { .none }
        func values(of: String, _ field: String, with key: [(field: String, value: String)]) -> [String] { codes }
    }

    /// The code that a path names, or why it names none.
    private func named(_ path: String, among codes: [String]) throws -> String {
        let records = NamedRecords(in: [0], words: ["Calicata", "Pozo"])
        records.begin("calicatas", "code", among: [])
        var batch = ForeignBatch()
        batch.append(.text, path)
        batch.endRow(number: 1)
        do {
            let row = ForeignRow(batch: batch, index: 0)
            return try records.key(namedIn: row, "calicata_id", keys: Codes(codes)) { _ in nil }
        } catch let fault as MappingFault {
            return fault.arguments["known"].map { "? " + $0 } ?? fault.code
        }
    }

    private static let none = "IMPORT-NAMES-NONE"

    @Test(arguments: [
        ("2019/C-01", "C-01"), ("c01", "C-01"), ("C 001", "C-01"), ("fotos C_1 norte", "C-01"),
        ("C-01_estrato2_1", "C-01"),
        ("Calicata 12/foto 3", "C-12"), ("CALICATA N° 12", "C-12"), ("Calicata C-12", "C-12"), ("pozo nº012", "C-12"),
        ("C-12A", "C-12A"), ("C-12 a", "? C-12"), ("C-1 y C-01", "? C-01"),
        // A name goes as far as its letters and digits do, and not over the end of a folder's.
        ("C-012B", none), ("XC-01", none), ("2C-01", none), ("C/01", none), ("C-011", none), ("DSC00012", none),
        ("12", none), ("", none),
        // What names two is not guessed.
        ("C-01/junto a C-12", "? C-01, C-12"), ("C-12/C-12A", "? C-12, C-12A"),
    ]) func namesAreComparedPieceByPiece(path: String, expected: String) throws {
        #expect(try named(path, among: ["C-01", "C-12", "C-12A"]) == expected)
    }

    @Test(arguments: [
        // The first of a range or a list, and a letter that may belong to the number.
        ("Calicatas 1 a 20", none), ("Calicata 1 a 20", "? C-01"), ("Calicata 1-20", "? C-01"), ("C-01 a 05", "? C-01"),
        ("C-01 y 02", "? C-01"), ("C-12-A", "? C-12"), ("Calicata 12 A", "? C-12"), ("C-01-2", "? C-01"),
        ("C-01 – 05", "? C-01"),
        // A name without doubt says which.
        ("C-01/C-01-2", "C-01"), ("Calicata 1-20/C-12", "? C-01, C-12"), ("C-01_2", "C-01"), ("C-01 norte 2", "C-01"),
        // What a camera calls its files names nobody.
        ("IMG_C12", none), ("C-01/IMG_C0012", "C-01"), ("DSC-12", none),
    ]) func whatMayMeanOthersTooIsNotGuessed(path: String, expected: String) throws {
        #expect(try named(path, among: ["C-01", "C-12"]) == expected)
    }

    @Test func aNumberAloneIsMeantBehindAWord() throws {
        #expect(try named("foto 12", among: ["12"]) == Self.none)
        #expect(try named("Calicata 012/foto 7", among: ["7", "12"]) == "12")
    }

    @Test func ofSeveralThatFitTheOneWithTheSameZerosCounts() throws {
        #expect(try named("C-01", among: ["C-1", "C-01"]) == "C-01")
        #expect(try named("C-001", among: ["C-1", "C-01"]) == "? C-01, C-1")
        #expect(try named("Calicata 12", among: ["C-12", "P-12"]) == "? C-12, P-12")
        #expect(try named("Pozo 12", among: ["POZO-12", "C-12"]) == "POZO-12")
        #expect(try named("C-1-2", among: ["C-1", "C-1-2"]) == "C-1-2")
        #expect(try named("Ñ-1", among: ["N-1"]) == "N-1")
    }
}
