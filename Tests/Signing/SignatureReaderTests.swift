import Foundation
import Testing
import Workbench

@testable import Signing

/// What is said of signatures, good and bad, ours and those of others.
@Suite struct SignatureReaderTests {
    private let scene: SigningScene

    init() throws { scene = try SigningScene() }

    @Test func everySignedByteCounts() throws {
        let signed = try scene.signed(SmallDocument.bytes())
        #expect(try scene.read(SmallDocument.bytes()).isEmpty)
        let text = String(decoding: signed, as: UTF8.self)
        let places = ["(Ficha)", "/MediaBox", "Helvetica", "/Reason", "%PDF-1.7"].map { signed.firstRange(of: Array($0.utf8))!.lowerBound + 3 }
        for place in places {
            var changed = signed
            changed[place] ^= 0x01
            if let found = try? scene.read(changed) { #expect(found.allSatisfy { !$0.isWhole && !$0.holds }, "\(text) at \(place)") }
        }
    }

    @Test func whatWasAddedLaterIsTold() throws {
        let signed = try scene.signed(SmallDocument.bytes())
        func later(_ objects: [(Int, String)], root: Int = 1) throws -> DocumentSignature.Later? {
            try scene.read(SmallDocument.adding(objects, to: signed, root: root)).first?.later
        }
        #expect(try scene.read(signed + Array("\n\n".utf8)).first?.later == .nothing)
        #expect(try later([(90, "(nobody leads here)")]) == .signatures)
        #expect(try later([(4, "<< /Length 2 >>\nstream\nBT\nendstream")]) == .changes)
        #expect(try later([(5, "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>")]) == .changes)
        #expect(try later([(1, "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [7 0 R] /SigFlags 3 >> /OpenAction [3 0 R /Fit] >>")]) == .changes)
        #expect(try later([(90, "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [7 0 R] /SigFlags 3 >> >>")], root: 90) == .changes)
        let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >>"
        #expect(try later([(3, page + " /Annots [7 0 R] >>")]) == .signatures)
        #expect(try later([(3, page + " /Annots [7 0 R 90 0 R] >>"), (90, "<< /Type /Annot /Subtype /FreeText /Rect [0 0 9 9] /Contents (x) >>")]) == .changes)
        #expect(try later([(3, page + " /Annots [] >>")]) == .changes)
        // A field that nobody signed could cover the page.
        let cover = "<< /Type /Annot /Subtype /Widget /FT /Sig /T (x) /Rect [0 0 595 842] /AP << /N 4 0 R >> /F 4"
        #expect(try later([(3, page + " /Annots [7 0 R 90 0 R] >>"), (90, cover + " >>")]) == .changes)
        #expect(try later([(3, page + " /Annots [7 0 R 90 0 R] >>"), (90, cover + " /V 6 0 R >>")]) == .changes)
        #expect(try later([(3, page + " /Annots [7 0 R 90 0 R] >>"), (90, "<< /Subtype /Widget /FT /Sig /Rect [0 0 0 0] >>")]) == .signatures)
        #expect(try later([(3, page + " /Rotate 90 /Annots [7 0 R] >>")]) == .changes)
    }

    /// The document must lead to the bytes that were checked.
    @Test func aSignatureStandsInItsOwnGap() throws {
        let signed = try scene.signed(SmallDocument.bytes())
        let start = try #require(signed.firstRange(of: Array("/ByteRange [0 ".utf8))).upperBound
        let numbers = String(decoding: signed[start...].prefix { $0 != UInt8(ascii: "]") }, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        let others = [
            [numbers[0] - 1, numbers[1], numbers[2]], [numbers[0], numbers[1] + 1, numbers[2] - 1], [numbers[0], numbers[1], numbers[2] + 1],
            [numbers[0], numbers[1], numbers[2] - 9], [0, 2, numbers[2]], [1, 2, 3], [-5, 10, 10], [Int.max, 1], [1, Int.max, Int.max],
        ]
        for other in others {
            var changed = signed
            let words = Array((other.map(String.init).joined(separator: " ") + "]").utf8)
            changed.replaceSubrange(start..<start + words.count, with: words)
            // What stood there may be longer.
            for place in (start + words.count)..<(start + 45) where changed[place] != UInt8(ascii: " ") { changed[place] = UInt8(ascii: " ") }
            let found = try scene.read(changed)
            #expect(found.map(\.holds) == [false], "\(other)")
        }
    }

    @Test func whoIsTrusted() throws {
        let reading = try SignatureReader(scene.signed(SmallDocument.bytes(), by: "luis"), path: "a.pdf")
        func verdict(_ name: String?, at time: Date? = nil) throws -> TrustStore.Verdict? {
            try reading.signatures(trust: TrustStore(name.map(scene.store)), at: time ?? scene.time).first?.trust
        }
        #expect(try verdict("ca.pem") == .trusted)
        #expect(try verdict("luis.pem") == .trusted)
        #expect(try verdict("alone.pem") == .unknownIssuer)
        #expect(try verdict(nil) == .unknownIssuer)
        #expect(try verdict("ca.pem", at: scene.time.addingTimeInterval(15 * 365 * 86_400)) == .expired)
        #expect(try verdict("ca.pem", at: scene.time.addingTimeInterval(-86_400)) == .notYetValid)
        #expect(try scene.read(scene.signed(SmallDocument.bytes(), by: "alone")).first?.trust == .selfSigned)
        #expect(throws: SigningFailure.self) { try TrustStore(scene.store("password")) }
    }

    @Test func moreSignaturesThanAnybodyMakesAreRefused() throws {
        let fields = (0..<300).map { "<< /FT /Sig /T (\($0)) /V << /Type /Sig >> >>" }.joined(separator: " ")
        #expect(throws: SigningFailure.self) { try scene.read(SmallDocument.bytes(catalog: "/AcroForm << /Fields [\(fields)] >>")) }
        // Fields that lead back to themselves.
        let looped = SmallDocument.bytes(catalog: "/AcroForm 6 0 R", others: ["<< /Fields [7 0 R] >>", "<< /T (a) /Kids [7 0 R 7 0 R] /FT /Sig /V << >> >>"])
        #expect(try scene.read(looped).map(\.holds) == [false])
    }

    /// pyHanko signs in its own way, with an attribute of the time where asked to.
    @Test func readsTheSignaturesOfOthers() throws {
        let folder = try TemporaryFolder(), input = try folder.write(SmallDocument.bytes(), to: "in.pdf")
        let script = """
            import sys
            from pyhanko.sign import signers, fields
            from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
            key, certificate, authority, source, target = sys.argv[1:]
            signer = signers.SimpleSigner.load(key, certificate, ca_chain_files=(authority,))
            kinds = fields.SigSeedSubFilter
            for kind, name, digest in ((kinds.PADES, 'A', 'sha512'), (kinds.ADOBE_PKCS7_DETACHED, 'B', 'sha256'), (kinds.ADOBE_PKCS7_DETACHED, 'C', 'sha1')):
                with open(source, 'rb') as file:
                    writer = IncrementalPdfFileWriter(file)
                    made = signers.sign_pdf(writer, signers.PdfSignatureMetadata(field_name=name, subfilter=kind, reason='ok', md_algorithm=digest), signer=signer)
                source = target + name
                with open(source, 'wb') as file: file.write(made.getbuffer())
            """
        let run = try OtherProgram.run(
            ProjectFolder.root.path + "/.build-tools/pyhanko/bin/python",
            ["-c", script, scene.people.file("ana.key"), scene.people.file("ana.pem"), scene.people.file("ca.pem"), input, folder.file("out")])
        #expect(run.status == 0, "\(run.text)")
        let found = try scene.read(Array(folder.data(of: "outB")))
        #expect(found.map(\.holds) == [true, true] && found.map(\.later) == [.signatures, .nothing], "\(found)")
        #expect(found.map(\.level) == ["B-B", nil] && found.map(\.kind) == ["ETSI.CAdES.detached", "adbe.pkcs7.detached"], "\(found)")
        // A sum that is held for broken proves nothing.
        let weak = try scene.read(Array(folder.data(of: "outC")))
        #expect(weak.map(\.holds) == [true, true, false] && weak[2].objection == "SHA1", "\(weak)")
        #expect(weak.map(\.isJudged) == [true, true, false])
        // Ours after theirs.
        let third = try scene.read(scene.signed(Array(folder.data(of: "outB")), by: "luis"))
        #expect(third.map(\.holds) == [true, true, true] && third.map(\.field) == ["A", "B", "Signature1"], "\(third)")
    }

    @Test func damagedSignaturesNeverHold() throws {
        var numbers = SeededNumbers(23)
        let signed = try scene.signed(SmallDocument.bytes(), by: "luis"), start = SmallDocument.bytes().count
        for round in 0..<400 {
            var bytes = signed
            let place = Int.random(in: (round % 2 == 0 ? 0 : start)..<bytes.count, using: &numbers)
            bytes[place] ^= UInt8.random(in: 1...255, using: &numbers)
            // The digits of the message may be large or small, and there are zeros behind it.
            let isDigit = place > start && bytes[place] ^ signed[place] == 0x20
            if let found = try? scene.read(bytes), !isDigit { #expect(found.allSatisfy { !$0.holds }, "round \(round), byte \(place) of \(bytes.count)") }
        }
    }
}
