import Testing

@testable import Model

/// A code is read as it was written, and leads to the attached file of its section.
@Suite struct DataCodeTests {
    @Test(arguments: [("pits/0a-1", "3"), ("pits/0a-1", nil), ("absent", nil), ("zone/ñ b/1", "2025-03-03t14:20:00z"), ("s/A1", "X/y"), ("rev/5", nil)])
    func isReadAsWritten(_ anchor: String, _ revision: String?) {
        let code = DataCode(anchor: anchor, revision: revision, sha256: "5f0e")
        #expect(DataCode(code.text) == code, "\(code.text)")
    }

    @Test func leadsToItsFile() {
        #expect(DataCode("FICHERO:ZONE/%C3%B1/REV/3/SHA256/5F0E").map { DataCode.fileName(of: $0.anchor) } == "zone-%C3%B1.json")
    }

    @Test(arguments: ["", "Plan of the pits", "fichero:", "fichero:pits", "fichero:sha256/5f0e", "FICHERO:PITS/1/REV/3"])
    func otherTextsAreNone(_ text: String) { #expect(DataCode(text) == nil) }
}
