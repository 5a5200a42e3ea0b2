import Digests
import Model
import Testing

@testable import Signing

/// Attached files against what codes state, in documents that nobody makes by accident.
@Suite struct AttachedDataTests {
    private static let rows = "{}"
    private static let stated = DataCode(anchor: "pits/1", revision: nil, sha256: SHA256.digest(of: Array(rows.utf8)).hexadecimal)

    /// What was found in place of what was stated, or the code of what is missing.
    private func findings(_ catalog: String, _ others: [String], limit: Int = 1 << 31) throws -> [String] {
        let document = try ParsedDocument(SmallDocument.bytes(catalog: catalog, others: others), path: "a.pdf")
        return try AttachedData(of: document, path: "a.pdf", limit: limit).findings().map { $0.arguments["found"] ?? $0.code }
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
        #expect(try findings(code, Self.parts) == ["DOCUMENT-DATA-MISSING"])
        #expect(try findings(names(10), Self.parts) == [])
    }

    /// Trees that lead back to themselves, many times.
    @Test func loopsEnd() throws {
        let loops = Self.parts + ["<< /K [11 0 R 11 0 R 6 0 R 11 0 R] >>", "<< /Kids [12 0 R 12 0 R 12 0 R] /Names [(x) 8 0 R] >>"]
        #expect(try findings("/StructTreeRoot << /K 11 0 R >> /Names << /EmbeddedFiles 12 0 R >>", loops) == [])
    }

    /// One that is packed in another way is not read, and so not another one.
    @Test func whatCannotBeReadIsMissing() throws {
        let packed = "<< /Type /EmbeddedFile /Filter /LZWDecode /Length 2 >>\nstream\n{}\nendstream"
        let parts = [Self.parts[0], packed, Self.specification(7)]
        #expect(try findings("/StructTreeRoot << /K [6 0 R] >> /AF [8 0 R]", parts) == ["DOCUMENT-DATA-MISSING"])
    }

    /// Of many other files the first one is told, each time.
    @Test func theFirstOtherFileIsTold() throws {
        let numbers = (0..<20).map { 7 + 2 * $0 }
        let parts = [Self.parts[0]] + numbers.flatMap { [Self.file("[\($0)]"), Self.specification($0)] }
        let listed = numbers.reversed().map { "\($0 + 1) 0 R" }.joined(separator: " ")
        #expect(try findings("/StructTreeRoot << /K [6 0 R] >> /AF [\(listed)]", parts) == [SHA256.digest(of: Array("[7]".utf8)).hexadecimal])
    }

    /// A small document that would keep a reader busy: many codes for a file, and a file that is
    /// listed many times.
    @Test func eachFileIsReadOnce() throws {
        let rows = String(repeating: "x", count: 1000)
        let codes = (0..<50).map { "<< /S /Figure /Alt (\(DataCode(anchor: "pits/1", revision: nil, sha256: "\($0 / 2)").text)) >>" }
        let parts = [Self.file(rows)] + Array(repeating: Self.specification(6), count: 20)
        let catalog = "/StructTreeRoot << /K [\(codes.joined(separator: " "))] >> /AF [\((7..<27).map { "\($0) 0 R" }.joined(separator: " "))]"
        // A code that stands on two sheets is one.
        #expect(try findings(catalog, parts, limit: 1000) == Array(repeating: SHA256.digest(of: Array(rows.utf8)).hexadecimal, count: 25))
        #expect(throws: SigningFailure.damaged(path: "a.pdf", reason: "> 0 MiB /EmbeddedFile")) { try findings(catalog, parts, limit: 999) }
    }

    @Test func moreCodesThanAnyReportHasAreRefused() throws {
        let codes = (0..<10_001).map { "<< /Alt (\(DataCode(anchor: "pits/\($0)", revision: nil, sha256: "0").text)) >>" }.joined(separator: " ")
        #expect(throws: SigningFailure.damaged(path: "a.pdf", reason: "> 10000 /Alt")) { try findings("/StructTreeRoot << /K [\(codes)] >>", []) }
    }
}
