import Testing

@testable import Importing
@testable import Model

/// Which values of options a mapping accepts.
@Suite struct ImportOptionTests {
    private static let mapping: ImportMapping = {
        var mapping = ImportMapping(name: "m")
        mapping.options = [.init("app_version", isRequired: true, pattern: "[0-9.]+", example: "1.2"), .init("device", isRequired: true), .init("note")]
        return mapping
    }()

    private func failure(_ given: [String: String]) -> OptionFailure? {
        do { try Self.mapping.checkOptions(given, path: "f") } catch { return error }
        return nil
    }

    @Test func allThatIsMissingIsAskedForAtOnce() {
        #expect(
            failure([:]) == .missing(path: "f", mapping: "m", names: ["app_version", "device"], example: "--option app_version=1.2 --option device=…"))
        #expect(failure([:])?.exitCode == .usage)
        #expect(failure(["app_version": "1", "device": "R"]) == nil)
    }

    @Test func anUnknownNameIsToldWithTheNearest() {
        let failure = failure(["app_verson": "1", "device": "R"])
        #expect(failure?.code == "OPTION-UNKNOWN" && failure?.arguments["nearest"] == "app_version")
        #expect(failure?.arguments["known"] == "app_version, device, note")
    }

    @Test(arguments: ["", "1.2-beta", "1\n2", "1\u{0}", String(repeating: "1", count: 201), "１"]) func aValueMustFit(_ value: String) {
        #expect(failure(["app_version": value, "device": "R"]) == .value(path: "f", name: "app_version", value: value, expected: "1.2 · [0-9.]+"))
    }

    @Test(arguments: ["\u{1B}[31m", "\u{7F}", "a\tb", "", String(repeating: "ñ", count: 101)]) func aValueIsOneShortLine(_ value: String) {
        #expect(failure(["app_version": "1", "device": value])?.code == "OPTION-VALUE")
    }

    @Test(arguments: ["R-07", "a b=c&d?#/", "ñandú", String(repeating: "x", count: 200)]) func otherTextsAreTaken(_ value: String) {
        #expect(failure(["app_version": "1", "device": value]) == nil)
    }

    @Test func aMappingTakesOnlyItsOwn() {
        #expect(Self.mapping.taking(["note": "x", "other": "y"]).given == ["note": "x"])
        #expect(Self.mapping.taking(["note": "x", "other": "y"]).identity == "m?note=x")
    }
}
