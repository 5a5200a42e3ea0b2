import Testing

@testable import PDFArchive

@Suite struct PageMarksTests {
    private func rewrite(_ content: String, _ kinds: StructureElement.Kind...) throws -> String {
        let rewritten = try PageMarks(elements: kinds.map { StructureElement($0) }).rewrite(Array(content.utf8))
        return String(decoding: rewritten, as: UTF8.self)
    }

    @Test func marksGetTheNamesOfTheirElements() throws {
        let content = "/Span << /MCID 0 >> BDC\n(a)Tj\nEMC\n/Span << /MCID 1 >> BDC\n(b)Tj\nEMC\n"
        #expect(try rewrite(content, .heading(1), .cell) == "/H1 <</MCID 0>> BDC\n(a)Tj\nEMC\n/TD <</MCID 1>> BDC\n(b)Tj\nEMC\n")
    }

    @Test func everythingElseIsAnArtifact() throws {
        let content = "q\n1 0 0 RG\n/Span << /MCID 0 >> BDC\n(a)Tj\nEMC\n0 0 5 5 re f\nQ\n"
        #expect(
            try rewrite(content, .paragraph)
                == "/Artifact BMC\nq\n1 0 0 RG\nEMC\n/P <</MCID 0>> BDC\n(a)Tj\nEMC\n/Artifact BMC\n0 0 5 5 re f\nQ\nEMC\n")
        #expect(try rewrite("0 0 5 5 re f\n") == "/Artifact BMC\n0 0 5 5 re f\nEMC\n")
        #expect(try rewrite("") == "")
    }

    /// A text may say what operators say.
    @Test func textsAreNoMarks() throws {
        let content = "/Span << /MCID 0 >> BDC\n(EMC)Tj\n(/Span << /MCID 1 >> BDC)Tj\nEMC\n"
        #expect(try rewrite(content, .figure) == "/Figure <</MCID 0>> BDC\n(EMC)Tj\n(/Span << /MCID 1 >> BDC)Tj\nEMC\n")
    }

    /// Letters whose text is not theirs have marks of their own, in an element and outside of it.
    @Test func marksOfLettersStayWhereTheyAre() throws {
        let space = "/Span << /ActualText <feff0020> >> BDC\n(\\003)Tj\nEMC\n"
        #expect(try rewrite("q\n" + space + "Q\n") == "/Artifact BMC\nq\n" + space + "Q\nEMC\n")
        let content = space + "/Span << /MCID 0 >> BDC\n" + space + "(b)Tj\nEMC\n" + space
        #expect(try rewrite(content, .cell) == "/Artifact BMC\n" + space + "EMC\n/TD <</MCID 0>> BDC\n" + space + "(b)Tj\nEMC\n/Artifact BMC\n" + space + "EMC\n")
    }

    @Test func aMarkTooManyOrTooFewIsAFault() {
        let content = "/Span << /MCID 0 >> BDC\n(a)Tj\nEMC\n"
        #expect(throws: ArchiveFailure.marks(found: 1, expected: 0)) { try rewrite(content) }
        #expect(throws: ArchiveFailure.marks(found: 1, expected: 2)) { try rewrite(content, .cell, .cell) }
    }
}
