import Foundation
import Testing

@testable import Model

/// Nobody sees the last class of privacy, even if there are only few classes.
@Suite struct PrivacyTests {
    private func pack(_ classes: [String]) -> Pack {
        Pack(
            name: "p", version: "1.0.0", fingerprint: "", directory: URL(fileURLWithPath: "/"), languages: [.english], environments: [],
            timeZone: "UTC", privacyClasses: classes, roles: [], project: ProjectNaming(entity: "works", code: "code", name: "code"),
            entities: [], vocabularies: [], records: [], numberings: [], rules: [], exports: [], jobs: [], texts: Texts())
    }

    @Test(arguments: [
        (["public"], ["public"]), (["public", "secret"], ["public"]), (["public", "internal", "secret"], ["public", "internal"]),
        (["public", "internal", "personal", "secret"], ["public", "internal"]),
    ])
    func messagesQuoteTheLeastSensitive(classes: [String], quoted: [String]) {
        let pack = pack(classes)
        let found = classes.filter { pack.mayQuote(Field(name: "f", type: .text, privacy: $0)) }
        #expect(found == quoted)
        #expect(pack.quoted("x", of: Field(name: "f", type: .text, privacy: classes.last ?? "")) == (classes.count == 1 ? "x" : Pack.hiddenValue))
    }

    @Test func theLastClassIsNobodysWhateverARoleSees() {
        let pack = pack(["public", "personal", "secret"])
        let role = Role(name: "ALL", permissions: [], sees: ["public", "personal", "secret"])
        let seen = pack.privacyClasses.filter { pack.isVisible(Field(name: "f", type: .text, privacy: $0), to: role) }
        #expect(seen == ["public", "personal"])
        #expect(pack.isVisible(Field(name: "f", type: .text, privacy: "public"), to: Role(name: "NONE", permissions: [], sees: [])))
    }
}
