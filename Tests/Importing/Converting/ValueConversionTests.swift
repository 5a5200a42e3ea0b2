import JSONReading
import Testing

@testable import Importing
@testable import Model

@Suite struct ValueConversionTests {
    private func convert(_ json: String, _ field: String) throws -> MemoryRows.Value {
        let entity = try #require(EveryFieldPack.pack.entity("calicatas"))
        return try ValueConversion(pack: EveryFieldPack.pack).convert(JSONValue.parse(json), for: try #require(entity.field(field)))
    }

    @Test(arguments: [
        ("1.10", "depth_m", MemoryRows.Value.real(1.1)), ("\"2.5\"", "depth_m", .real(2.5)), ("3", "depth_m", .real(3)),
        ("9007199254740993", "number", .integer(9_007_199_254_740_993)), ("7.0", "number", .integer(7)), ("\"12\"", "number", .integer(12)),
        ("true", "dry", .integer(1)), ("0", "dry", .integer(0)), ("\"Sí\"", "dry", .integer(1)), ("\"sì\"", "dry", .integer(1)), ("\"YES\"", "dry", .integer(1)),
        ("\"no\"", "dry", .integer(0)), ("\"VERDADERO\"", "dry", .integer(1)), ("\"Falso\"", "dry", .integer(0)), ("\"vero\"", "dry", .integer(1)), ("\"2024-02-29\"", "day", .text("2024-02-29")),
        ("\"2025-05-11T10:00:00-05:00\"", "seen_at", .text("2025-05-11T15:00:00Z")), ("12", "code", .text("12")), ("0.10", "code", .text("0.10")),
        ("\"HUMEDO\"", "moisture", .text("húmedo")), ("\"barro\"", "moisture", .text("barro")), ("null", "depth_m", .null),
        ("{\"b\":1.10,\"a\":[]}", "extra", .text("{\"b\":1.10,\"a\":[]}")), ("\"{\\\"a\\\":1}\"", "extra", .text("{\"a\":1}")),
        ("{\"x\":1.5,\"y\":-2}", "spot", .text("[1.5,-2]")), ("[[0,0],[1,0],[1,1]]", "ring", .text("[[0,0],[1,0],[1,1]]")),
        ("[\"0198A000-0000-7000-8000-000000000001\"]", "photo_ids", .text("[\"0198a000-0000-7000-8000-000000000001\"]")),
        ("\"0198A000-0000-7000-8000-000000000001\"", "id", .text("0198a000-0000-7000-8000-000000000001")),
    ])
    func whatFitsIsStoredWithoutLoss(json: String, field: String, expected: MemoryRows.Value) throws {
        #expect(try convert(json, field) == expected)
    }

    /// People write words of their language; `Perfil` has two meanings here, so it stays as it is written.
    @Test func labelsOfVocabulariesBecomeTheirValues() throws {
        var pack = EveryFieldPack.pack
        pack.vocabularies[0].entries += [.init(value: "dry"), .init(value: "profile_a"), .init(value: "profile_b")]
        pack.texts.lay(["vocabulary.moisture.dry": "Seco", "vocabulary.moisture.profile_a": "Perfil"], in: .spanish)
        pack.texts.lay(["vocabulary.moisture.dry": "Dry soil", "vocabulary.moisture.profile_b": "perfil"], in: .english)
        let field = try #require(pack.entity("calicatas")?.field("moisture"))
        let conversion = ValueConversion(pack: pack)
        for (text, value) in ["SECO": "dry", "dry soil": "dry", "Dry": "dry", "Húmedo": "húmedo", "Perfil": "Perfil"] {
            #expect(try conversion.convert(.string(text), for: field) == .text(value))
        }
    }

    @Test(arguments: [
        ("\"abc\"", "depth_m"), ("\"nan\"", "depth_m"), ("\"0x10\"", "depth_m"), ("1e999", "depth_m"), ("true", "depth_m"), ("1.5", "number"),
        ("99999999999999999999", "number"), ("\"maybe\"", "dry"), ("2", "dry"), ("\"2025-02-31\"", "day"), ("\"31/12/2025\"", "day"),
        ("\"yesterday\"", "seen_at"), ("\"x\"", "id"), ("[1]", "code"), ("{}", "code"), ("{\"x\":1}", "spot"), ("[\"x\"]", "photo_ids"),
        ("\"abc\"", "ring"),
    ])
    func whatDoesNotFitIsSaid(json: String, field: String) throws {
        #expect(throws: ValueConversion.Misfit.self) { try convert(json, field) }
    }
}
