import Model
import Testing

/// How a rejected row says by which mapping, options and project it was read.
@Suite struct MappingIdentityTests {
    private static let digest = String(repeating: "3fa9", count: 16)

    static let all: [MappingIdentity] = [
        MappingIdentity(name: "registro-plano"),
        MappingIdentity(name: "registro-plano", projectCode: "CSM-2025"),
        MappingIdentity(name: "base", given: ["app_version": "100.2.0", "device": "R-07"], projectCode: "R-07"),
        // A code and a path may have the marks that separate the parts.
        MappingIdentity(name: "base", given: ["a": "1"], projectCode: "P?a=2#3@\(digest)"),
        MappingIdentity(name: "/tmp/what? #1/mine.yaml", sha256: digest),
        MappingIdentity(name: "/tmp/a@b.yaml", sha256: digest, given: ["word": "dos palabras"], projectCode: "C/1@#"),
        MappingIdentity(name: "base", given: ["word": "?#&=/%\"'«ñ»\\@\(digest)", "other": "a/0/1"]),
        MappingIdentity(name: "entity calicatas"),
    ]

    @Test(arguments: all) func whatIsWrittenIsReadAgain(_ identity: MappingIdentity) {
        #expect(MappingIdentity(identity.text) == identity, "\(identity.text)")
        #expect(MappingIdentity(ofAddress: identity.text + "/form0/12") == identity)
    }

    @Test func optionsStandInTheOrderOfTheirNames() {
        #expect(MappingIdentity(name: "m", given: ["b": "x y", "a": "1"], projectCode: "P").text == "m?a=1&b=x%20y#P")
    }

    @Test(arguments: ["", "?", "#", "m?", "m?a", "m?a=%ZZ", "m?=1&&a", "@", "/", "m?#"]) func anythingCanBeRead(_ text: String) {
        #expect(MappingIdentity(text).given.values.allSatisfy { !$0.isEmpty || text.contains("=") })
    }
}
