import Digests
import Model
import Testing

@testable import Signing

/// Attached files against what codes state, in documents that nobody makes by accident.
@Suite struct AttachedDataTests {
    private static let rows = "{}"
    private static let stated = DataCode(anchor: "pits/1", revision: nil, sha256: SHA256.digest(of: Array(rows.utf8)).hexadecimal)

    private func findings(_ catalog: String, _ others: [String]) throws -> [String?] {
        try SignatureReading(SmallDocument.bytes(catalog: catalog, others: others), path: "a.pdf").findings.map { $0.arguments["found"] }
    }

    private static func file(_ text: String) -> String { "<< /Type /EmbeddedFile /Length \(text.utf8.count) >>\nstream\n\(text)\nendstream" }
    private static func specification(_ number: Int) -> String { "<< /Type /Filespec /F (pits-1.json) /EF << /F \(number) 0 R >> >>" }

    /// 6 is the code's figure, 7 a file as stated, 8 leads to it, 9 another, 10 leads to that.
    private static let parts = ["<< /S /Figure /Alt (\(stated.text)) >>", file(rows), specification(7), file("[]"), specification(9)]

    @Test func whatIsStatedMustBeThereWhereverItIsListed() throws {
        let code = "/StructTreeRoot << /K [6 0 R] >>"
        func names(_ number: Int) -> String { "/Names << /EmbeddedFiles << /Names [(pits-1.json) \(number) 0 R] >> >>" }
        let other = SHA256.digest(of: Array("[]".utf8)).hexadecimal
        #expect(try findings("\(code) \(names(8)) /AF [8 0 R]", Self.parts) == [])
        #expect(try findings("\(code) \(names(10))", Self.parts) == [other])
        // One that readers do not list must be no other.
        #expect(try findings("\(code) \(names(8)) /AF [10 0 R]", Self.parts) == [other])
        #expect(try findings("\(code) \(names(10)) /AF [8 0 R]", Self.parts) == [other])
        #expect(try findings(code, Self.parts) == ["–"])
        #expect(try findings(names(10), Self.parts) == [])
    }

    /// Trees that lead back to themselves, many times.
    @Test func loopsEnd() throws {
        let loops = Self.parts + ["<< /K [11 0 R 11 0 R 6 0 R 11 0 R] >>", "<< /Kids [12 0 R 12 0 R 12 0 R] /Names [(x) 8 0 R] >>"]
        #expect(try findings("/StructTreeRoot << /K 11 0 R >> /Names << /EmbeddedFiles 12 0 R >>", loops) == [])
    }
}
