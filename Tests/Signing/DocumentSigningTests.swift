import Foundation
import Model
import Testing
import Workbench

@testable import Signing

/// Signatures that Fichero makes, as other programs see them.
@Suite struct DocumentSigningTests {
    private let scene: SigningScene

    init() throws { scene = try SigningScene() }

    /// The tables of objects that documents have.
    private static let kinds: [[String]] = [
        ["--object-streams=disable"], ["--object-streams=generate"], ["--linearize"], ["--linearize", "--object-streams=generate"],
    ]

    @Test(arguments: kinds) func isValidForOtherPrograms(options: [String]) throws {
        let folder = try TemporaryFolder()
        let once = try scene.signed(SmallDocument.remade(SmallDocument.bytes(), options))
        let twice = try scene.signed(once, by: "luis")
        #expect(twice.starts(with: once))
        let path = try folder.write(twice, to: "out.pdf")
        let hanko = try scene.people.hanko(path)
        #expect(hanko == ["bottom ENTIRE_REVISION FORM_FILLING unstamped", "bottom ENTIRE_FILE NONE unstamped"], "\(hanko)")
        let check = try OtherProgram.run("/usr/bin/qpdf", ["--check", path])
        #expect(check.status == 0, "\(check.text)")
        let poppler = try OtherProgram.run("/usr/bin/pdfsig", ["-nocert", path])
        #expect(poppler.text.components(separatedBy: "Signature is Valid.").count == 3 && poppler.text.contains("ETSI.CAdES.detached"), "\(poppler.text)")
        let found = try scene.read(twice)
        #expect(found.map(\.holds) == [true, true] && found.map(\.later) == [.signatures, .nothing] && found.map(\.level) == ["B-B", "B-B"], "\(found)")
        #expect(found[0].signer == "Ana Núñez (CIP 12345)" && found[0].place == "Cañete" && found[0].reason == "Revisado (conforme)")
        #expect(found[1].signer == "Luis Rossi" && found[1].claimedTime?.prefix(19) == Timestamp.format(scene.time).prefix(19))
    }

    /// What `openssl` says of the message, and what is in it.
    @Test func theMessageIsTheBaselines() throws {
        let folder = try TemporaryFolder(), bytes = try scene.signed(SmallDocument.bytes())
        let message = try folder.write(SigningScene.message(in: bytes), to: "message")
        let text = String(decoding: bytes, as: UTF8.self)
        let range = try #require(text.range(of: "/ByteRange [")), numbers = text[range.upperBound...].prefix { $0 != "]" }.split(separator: " ").compactMap { Int($0) }
        let content = try folder.write(Array(bytes[..<numbers[1]]) + bytes[numbers[2]...], to: "content")
        let verified = try OtherProgram.run(
            "/usr/bin/openssl",
            ["cms", "-verify", "-cades", "-inform", "DER", "-in", message, "-content", content, "-binary", "-CAfile", scene.people.file("ca.pem"), "-purpose", "any", "-out", "/dev/null"])
        #expect(verified.status == 0, "\(verified.text)")
        let parsed = try OtherProgram.run("/usr/bin/openssl", ["asn1parse", "-inform", "DER", "-in", message]).text
        #expect(parsed.contains(":id-smime-aa-signingCertificateV2") && parsed.contains(":messageDigest") && parsed.contains(":contentType"), "\(parsed)")
        #expect(!parsed.contains("signingTime") && parsed.contains(":rsaEncryption"))
        // Re-encoding changes nothing: the message is in the distinguished encoding.
        let again = try OtherProgram.run("/usr/bin/openssl", ["cms", "-cmsout", "-inform", "DER", "-outform", "DER", "-in", message, "-out", folder.file("again")])
        #expect(again.status == 0)
        #expect(try folder.data(of: "again") == folder.data(of: "message"))
    }

    @Test func theSameTimeGivesTheSameBytes() throws {
        #expect(try scene.signed(SmallDocument.bytes()) == scene.signed(SmallDocument.bytes()))
    }

    private static let metadata = "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/></x:xmpmeta>"

    /// Forms and notes in the ways in which documents have them.
    @Test(arguments: [
        SmallDocument.bytes(catalog: "/AcroForm << /Fields [] /SigFlags 1 >>", page: "/Annots []"),
        SmallDocument.bytes(catalog: "/AcroForm 6 0 R", page: "/Annots 7 0 R", others: ["<< /Fields 8 0 R /DA (/Helv 0 Tf) >>", "[ 9 0 R ]", "[ 9 0 R ]",
            "<< /Type /Annot /Subtype /Widget /FT /Tx /T (Signature1) /V (x) /Rect [0 0 9 9] /P 3 0 R >>"]),
        SmallDocument.bytes(catalog: "/AcroForm null /Metadata 6 0 R", others: ["<< /Type /Metadata /Subtype /XML /Length \(metadata.utf8.count) >>\nstream\n\(metadata)\nendstream"]),
        SmallDocument.bytes(others: ["<< /Title (\\(a\\)) >>"], trailer: "/ID [<00112233> <44556677>] /Info 6 0 R"),
        Array(SmallDocument.bytes().dropLast()),
        SmallDocument.bytes(catalog: "/Many [\((6..<2000).map { "\($0) 0 R" }.joined(separator: " "))]", others: Array(repeating: "(x)", count: 1994)),
    ])
    func keepsWhatTheDocumentHas(document: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(scene.signed(scene.signed(document), by: "luis"), to: "out.pdf")
        let hanko = try scene.people.hanko(path)
        #expect(hanko == ["bottom ENTIRE_REVISION FORM_FILLING unstamped", "bottom ENTIRE_FILE NONE unstamped"], "\(hanko)")
        #expect(try scene.read(Array(folder.data(of: "out.pdf"))).map(\.holds) == [true, true])
        let parts = try OtherProgram.run("/usr/bin/qpdf", ["--json=2", "--json-key=qpdf", path]).text
        let trailer = String(decoding: document, as: UTF8.self)
        if trailer.contains("/ID") { #expect(parts.contains("b:00112233") && !parts.contains("b:44556677") && parts.contains("(a)")) }
        if trailer.contains("/Metadata") { #expect(parts.contains("\"/Metadata\": \"6 0 R\"")) }
        if trailer.contains("/Tx") { #expect(parts.contains("u:Signature2") && parts.contains("u:Signature3")) }
    }

    @Test func refusesWhatCannotBeSigned() throws {
        func failure(_ bytes: [UInt8]) -> SigningFailure? {
            do { _ = try scene.signed(bytes) } catch { return error as? SigningFailure }
            return nil
        }
        #expect(try failure(SmallDocument.remade(SmallDocument.bytes(), ["--encrypt", "", "owner", "256", "--"])) == .encrypted(path: "a.pdf"))
        #expect(try failure(SmallDocument.remade(SmallDocument.bytes(), ["--encrypt", "user", "owner", "256", "--"])) == .encrypted(path: "a.pdf"))
        let certified = "/Perms << /DocMDP << /Reference [<< /TransformParams << /P 1 >> >>] >> >>"
        #expect(failure(SmallDocument.bytes(catalog: certified)) == .locked(path: "a.pdf"))
        let whole = SmallDocument.bytes(), text = String(decoding: whole, as: UTF8.self)
        let table = try #require(text.range(of: "startxref\n")).upperBound, place = text[table...].prefix { $0 != "\n" }
        let broken = [
            "", "%PDF-1.7", String(text.prefix(300)), text.replacing("startxref\n\(place)", with: "startxref\n99999999999999999999"),
            text.replacing("startxref\n\(place)", with: "startxref\n0"), text.replacing("/Size 6", with: "/Size 99999999"),
            text.replacing("/Size 6", with: "/Size -1"), text.replacing("/Size 6", with: "/Size 6 /Prev \(place)"),
            text.replacing("/Root 1 0 R", with: "/Root 9 0 R"), text.replacing("/Kids [3 0 R]", with: "/Kids [2 0 R]"),
            text.replacing("/Kids [3 0 R]", with: "/Kids []      "), "junk\n" + text,
        ]
        for text in broken { #expect(failure(Array(text.utf8))?.code == "SIGN-DOCUMENT", "signed: \(text)") }
    }

    /// Whose certificate is trusted does not matter, whether the document is what was signed does.
    @Test func signsOverWhatHoldsForTheDocumentOnly() throws {
        let once = try scene.signed(SmallDocument.bytes(), by: "alone")
        #expect(try scene.read(scene.signed(once)).map(\.isUnchanged) == [true, true])
        let later = try SmallDocument.adding([(5, "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>")], to: once, root: 1)
        #expect(throws: SigningFailure.broken(path: "a.pdf", signer: "Nobody")) { try scene.signed(later) }
        var broken = once
        broken[try #require(broken.firstRange(of: Array("(Ficha)".utf8))).lowerBound + 1] ^= 1
        #expect(throws: SigningFailure.broken(path: "a.pdf", signer: "Nobody")) { try scene.signed(broken) }
    }

    /// Signatures of kinds that nobody can judge here, or with a message that cannot be read, are not
    /// called broken.
    @Test(arguments: [("/ETSI.CAdES.detached", "/adbe.x509.rsa_sha1 "), ("/ETSI.CAdES.detached", "/adbe.pkcs7.sha1    "), ("/Contents <3082", "/Contents <0000")])
    func signsOverWhatCannotBeJudged(written: String, other: String) throws {
        let once = Array(String(decoding: try scene.signed(SmallDocument.bytes()), as: UTF8.self).replacing(written, with: other).utf8)
        let update = try scene.update(of: once, by: "luis")
        #expect(update.unjudged.map(\.field) == ["Signature1"])
        let found = try scene.read(once + update.bytes)
        #expect(found.map(\.isJudged) == [false, true] && found.map(\.holds) == [false, true] && found.map(\.isBroken) == [false, false], "\(found)")
        // That something else came after it is seen all the same.
        let later = try SmallDocument.adding([(5, "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>")], to: once, root: 1)
        #expect(throws: SigningFailure.broken(path: "a.pdf", signer: "Signature1")) { try scene.signed(later) }
    }

    /// A hybrid document has a table for old readers and a stream for newer ones.
    @Test func signsAHybridDocument() throws {
        var bytes = SmallDocument.bytes()
        let table = try #require(String(decoding: bytes, as: UTF8.self).range(of: "startxref\n")), text = String(decoding: bytes, as: UTF8.self)
        let before = text[table.upperBound...].prefix { $0 != "\n" }
        let stream = bytes.count
        // Object 7 is told by the stream alone.
        bytes += Array("6 0 obj\n<< /Type /XRef /Size 8 /W [1 4 1] /Index [7 1] /Length 6 >>\nstream\n".utf8)
        let hidden = bytes.count + 6 + "\nendstream\nendobj\n".utf8.count
        bytes += [1, 0, 0, UInt8(hidden >> 8), UInt8(hidden & 0xFF), 0] + Array("\nendstream\nendobj\n7 0 obj\n(hidden)\nendobj\n".utf8)
        let own = bytes.count
        bytes += Array("xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 8 /Root 1 0 R /Prev \(before) /XRefStm \(stream) >>\nstartxref\n\(own)\n%%EOF\n".utf8)
        let folder = try TemporaryFolder(), path = try folder.write(scene.signed(bytes), to: "out.pdf")
        let found = try scene.read(Array(folder.data(of: "out.pdf")))
        #expect(found.map(\.holds) == [true], "\(found)")
        let poppler = try OtherProgram.run("/usr/bin/pdfsig", ["-nocert", path]).text
        #expect(poppler.contains("Signature is Valid."), "\(poppler)")
        #expect(try OtherProgram.run("/usr/bin/qpdf", ["--show-object=7", path]).text.contains("hidden"))
    }

    /// However a document is damaged, it is signed so that the signature holds, or refused.
    @Test func damagedDocumentsAreSignedOrRefused() throws {
        var numbers = SeededNumbers(17)
        let whole = try [SmallDocument.bytes(), SmallDocument.remade(SmallDocument.bytes(), ["--object-streams=generate"])]
        for round in 0..<400 {
            var bytes = whole[round % 2]
            if round % 5 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &numbers)) }
            for _ in 0..<4 where !bytes.isEmpty { bytes[Int.random(in: 0..<bytes.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers) }
            do {
                let signed = try scene.signed(bytes, by: "luis")
                #expect(try scene.read(signed).last?.isWhole == true, "round \(round)")
            } catch is SigningFailure {}
        }
    }
}
