import Foundation
import Testing

@testable import Model
@testable import Packs

/// Rules of the kind `photo`: how they are read, and which mistakes are found in them.
@Suite struct PhotoRuleDeclarationTests {
    private static let rule = """
        rules:
          - code: PIT-PHOTO
            entity: pits
            severity: warning
            check: photo
            when: status != 'DRAFT'
            file: code
            longestSide: 1280
            bytes: layer_min
            sha256: work_id.code
            place:
              easting: depth_m
              northing: layer_min
              zone: work_id.code
              within: 100

        """

    private func sample(_ rule: String) -> SamplePack {
        var sample = SamplePack().adding("pits/rules/photos.yaml", rule)
        for language in ["es", "en"] {
            // A rule of this kind has a title but no message of its own.
            sample = sample.replacing("job.monthly:", with: "rule.PIT-PHOTO: Fotos\njob.monthly:", in: "pits/texts/\(language).yaml")
        }
        return sample
    }

    @Test func isReadAsItStands() throws {
        let rule = try #require(try sample(Self.rule).load().rules.first { $0.code == "PIT-PHOTO" })
        guard case .photo(let check) = rule.check else { return #expect(Bool(false), "\(rule)") }
        #expect(check.file == FieldPath("code") && check.longestSide == 1280 && check.bytes == FieldPath("layer_min"))
        #expect(check.sha256 == FieldPath("work_id.code") && check.time == nil && check.timeTolerance == 120 && check.reach == 100)
        #expect(check.place == .grid(
            easting: FieldPath("depth_m"), northing: FieldPath("layer_min"), zone: FieldPath("work_id.code"), datum: nil))
        #expect(rule.isOverTables && rule.findingCodes.contains("PHOTO-PLACE"))
    }

    @Test func degreesDoAsWell() throws {
        let text = Self.rule.replacing("easting: depth_m", with: "latitude: depth_m").replacing("northing: layer_min", with: "longitude: depth_m")
            .replacing("      zone: work_id.code\n", with: "")
        let rule = try #require(try sample(text).load().rules.first { $0.code == "PIT-PHOTO" })
        guard case .photo(let check) = rule.check else { return #expect(Bool(false), "\(rule)") }
        #expect(check.place == .degrees(latitude: FieldPath("depth_m"), longitude: FieldPath("depth_m")))
    }

    @Test(arguments: [
        ("file: code", "file: depth_m", PackMistake.Code.wrongField), ("file: code", "file: coda", .badPath), ("    file: code\n", "", .missingKey),
        ("bytes: layer_min", "bytes: code", .wrongField), ("sha256: work_id.code", "time: dug_on", .wrongField),
        ("longestSide: 1280", "longestSide: 0", .badValue), ("longestSide: 1280", "longestSide: large", .wrongType),
        ("longestSide: 1280", "timeTolerance: 60", .missingKey), ("longestSide: 1280", "arguments: [code]", .unknownKey),
        ("      northing: layer_min\n", "", .missingKey), ("      zone: work_id.code\n", "", .missingKey),
        ("      within: 100\n", "", .missingKey), ("zone: work_id.code", "latitude: depth_m", .exclusive),
        ("easting: depth_m", "easting: code", .wrongField), ("longestSide: 1280", "sql: SELECT 1", .unknownKey),
        ("check: photo", "check: foto", .badValue),
    ]) func mistakesAreFound(_ old: String, _ new: String, _ code: PackMistake.Code) throws {
        #expect(Self.rule.contains(old))
        let mistakes = try sample(Self.rule.replacing(old, with: new)).mistakes()
        #expect(
            mistakes.contains { $0.code == code && $0.file == "pits/rules/photos.yaml" },
            "\(mistakes.map { $0.line(Texts.shipped, .english) })")
        for mistake in mistakes where mistake.code == code {
            #expect(Set(Language.allCases.map { mistake.message(Texts.shipped, $0) }).count == 3)
        }
    }

    @Test func itsOwnTitleIsAllThatItNeeds() throws {
        let without = SamplePack().adding("pits/rules/photos.yaml", Self.rule)
        #expect(try without.mistakes().map(\.code) == [.missingText, .missingText])
    }
}
