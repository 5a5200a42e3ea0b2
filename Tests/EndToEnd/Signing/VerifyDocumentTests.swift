import Foundation
import Testing
import Workbench

/// `fichero verify FILE…`: several files, attached data that is not what the pages state, encrypted
/// documents.
@Suite struct VerifyDocumentTests {
    private let people: SignaturePeople

    init() throws { people = try SignaturePeople.shared.get() }

    private func sign(_ file: String, _ options: String...) -> [String] { people.sign(file, options) }

    private func verify(_ files: String..., options: [String] = []) -> [String] { people.verify(files, options) }

    /// An office with a report, `a.pdf`, which no replica has registered.
    private func reported() throws -> Office {
        let office = try Office.pits()
        let run = try office.run("report", "ficha-calicata", "--project", "CHU-2025", "--format", "pdf", "-o", "out", "--output-name", "ficha")
        guard run.status == 0 else { throw Office.Trouble(run) }
        try FileManager.default.copyItem(atPath: office.path("out/ficha.pdf"), toPath: office.path("a.pdf"))
        return office
    }

    private func qpdf(_ office: Office, _ arguments: String...) throws {
        let run = try ProgramRun.program("/usr/bin/qpdf", arguments, in: office.folder)
        try #require(run.status == 0, "\(run.error)")
    }

    /// One file that cannot be read ends nothing: it is told, and the worst exit code counts.
    @Test func aFileThatCannotBeReadLeavesTheOthers() throws {
        let office = try reported()
        #expect(try office.run(sign("a.pdf")).status == 0)
        try FileManager.default.copyItem(atPath: people.file("ca.pem"), toPath: office.path("text.pdf"))
        let run = try office.run(verify("none.pdf", "text.pdf", "out", "a.pdf", "out/ficha.pdf"))
        #expect(run.status == 66, "\(run.status)")
        #expect(run.output.contains("Ana Núñez (CIP 12345): the signature holds") && run.output.contains("out/ficha.pdf: no signature"), "\(run.output)")
        for part in ["FILE-MISSING", "none.pdf", "SIGN-DOCUMENT", "text.pdf", "FILE-KIND"] { #expect(run.error.contains(part), "\(run.error)") }
        #expect(try office.run(verify("a.pdf", "text.pdf")).status == 65)
        #expect(try office.run(verify("out/ficha.pdf", "a.pdf")).status == 1)
        // A file whose bytes the system does not give.
        let fault = try office.run(verify("none.pdf", "/proc/self/mem", "a.pdf"))
        #expect(fault.status == 74 && fault.error.contains("FILE-UNREADABLE") && fault.error.contains("FILE-MISSING"), "\(fault.status) \(fault.error)")
        let quiet = try office.run(verify("text.pdf", "a.pdf", options: ["--quiet"]))
        #expect(quiet.status == 65 && quiet.output.isEmpty && quiet.error.contains("text.pdf: error: SIGN-DOCUMENT"), "\(quiet.error)")
        let json = try office.run(verify("none.pdf", "a.pdf", options: ["--json"]))
        let told = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
        #expect(json.status == 66 && told.map { $0["holds"] as? Bool } == [false, true] && told[1]["error"] == nil, "\(json.output)")
        let error = try #require(told[0]["error"] as? [String: Any])
        #expect(error["code"] as? String == "FILE-MISSING" && error["exitCode"] as? Int == 66, "\(error)")
    }

    /// What is attached is held against the codes on the pages.
    @Test func attachedDataThatWasChangedIsTold() throws {
        let office = try reported()
        let names = try ProgramRun.program("/usr/bin/qpdf", ["--list-attachments", office.path("a.pdf")]).output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
        let name = try #require(names.first { $0.hasPrefix("pits-") })
        try qpdf(office, "--object-streams=generate", "--recompress-flate", "a.pdf", "written-anew.pdf")
        try qpdf(office, "--remove-attachment=" + name, "a.pdf", "gone.pdf")
        try "{}".write(toFile: office.path("rows.json"), atomically: true, encoding: .utf8)
        try qpdf(office, "gone.pdf", "changed.pdf", "--add-attachment", "rows.json", "--key=" + name, "--filename=" + name, "--")
        for same in ["a.pdf", "written-anew.pdf"] {
            let run = try office.run(verify(same))
            #expect(run.status == 1 && run.output.contains("no signature") && !run.output.contains("DOCUMENT-DATA-"), "\(run.output)")
        }
        for (other, code) in [("gone.pdf", "DOCUMENT-DATA-MISSING"), ("changed.pdf", "DOCUMENT-DATA-CHANGED")] {
            let run = try office.run(verify(other))
            #expect(run.status == 1 && run.output.contains(code) && run.output.contains(name) && !run.output.contains("–"), "\(run.output)")
        }
        for (language, word) in [("es", "No se fíe"), ("it", "Non fidarsi"), ("en", "Do not rely")] {
            #expect(try office.run(verify("changed.pdf", options: ["--lang", language])).output.contains(word))
        }
        // A signature over changed data holds for the bytes, and the document does not.
        #expect(try office.run(sign("changed.pdf")).status == 0)
        let json = try office.run(verify("changed.pdf", options: ["--json"]))
        let told = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]).first
        #expect(json.status == 1 && told?["holds"] as? Bool == false, "\(json.output)")
        let signature = (told?["signatures"] as? [[String: Any]])?.first, finding = (told?["findings"] as? [[String: Any]])?.first
        #expect(signature?["holds"] as? Bool == true && finding?["code"] as? String == "DOCUMENT-DATA-CHANGED", "\(json.output)")
        #expect((finding?["arguments"] as? [String: String])?["found"] == (try OtherProgram.sha256(office.path("rows.json"))))
    }

    /// An encrypted document that anybody can open is refused like one that nobody can; the
    /// signatures of one that was signed are shown.
    @Test func encryptedDocumentsAreCalledSo() throws {
        let office = try reported()
        try qpdf(office, "--encrypt", "", "owner", "256", "--", "a.pdf", "open.pdf")
        try qpdf(office, "--encrypt", "user", "owner", "256", "--", "a.pdf", "shut.pdf")
        for name in ["open.pdf", "shut.pdf"] {
            for arguments in [verify(name), sign(name)] {
                let run = try office.run(arguments)
                #expect(run.status == 65 && run.error.contains("SIGN-ENCRYPTED") && run.error.contains("qpdf --decrypt") && !run.output.contains("no signature"), "\(arguments) \(run.error)")
                // Encrypting it afterwards would break the signature.
                #expect(run.error.contains("send it in an encrypted archive"), "\(run.error)")
            }
        }
        let script = """
            import sys
            from pyhanko.sign import signers
            from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
            signer = signers.SimpleSigner.load(sys.argv[1], sys.argv[2])
            with open('open.pdf', 'rb') as file:
                writer = IncrementalPdfFileWriter(file)
                writer.encrypt('')
                made = signers.sign_pdf(writer, signers.PdfSignatureMetadata(field_name='A'), signer=signer)
            with open('signed.pdf', 'wb') as file: file.write(made.getbuffer())
            """
        let signed = try OtherProgram.run(ProgramRun.root + "/.build-tools/pyhanko/bin/python", ["-c", script, people.file("ana.key"), people.file("ana.pem")], in: office.folder)
        try #require(signed.status == 0, "\(signed.text)")
        let run = try office.run(verify("signed.pdf"))
        #expect(run.status == 0 && run.output.contains("the signature holds"), "\(run.output)\(run.error)")
    }

    /// Nobody signs unawares over a signature that no longer holds for the document.
    @Test func aBrokenSignatureIsNotSignedOver() throws {
        let office = try reported()
        #expect(try office.run(sign("a.pdf", "--reason", "Revisado")).status == 0)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: office.path("a.pdf")))
        var broken = bytes
        broken[try #require(bytes.range(of: Data("/Reason (Revisado)".utf8))).upperBound - 2] = UInt8(ascii: "a")
        try broken.write(to: URL(fileURLWithPath: office.path("broken.pdf")))
        let luis = ["sign", "broken.pdf", "--certificate", people.file("luis.pem"), "--key", people.file("luis.key"), "--as-of", people.now, "--allow-draft"]
        let run = try office.run(luis)
        #expect(run.status == 65 && run.error.contains("SIGN-BROKEN") && run.error.contains("Ana Núñez") && run.error.contains("fichero verify"), "\(run.error)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: office.path("broken.pdf"))) == broken)
        #expect(try office.run(luis.map { $0 == "broken.pdf" ? "a.pdf" : $0 }).status == 0)
    }

    /// A signature of another kind is signed over, and whoever does so is warned.
    @Test func aSignatureThatCannotBeJudgedIsTold() throws {
        let office = try reported()
        #expect(try office.run(sign("a.pdf")).status == 0)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: office.path("a.pdf")))
        bytes.replaceSubrange(try #require(bytes.range(of: Data("/ETSI.CAdES.detached".utf8))), with: Data("/adbe.x509.rsa_sha1 ".utf8))
        try bytes.write(to: URL(fileURLWithPath: office.path("a.pdf")))
        let shown = try office.run(verify("a.pdf"))
        #expect(shown.status == 1 && shown.output.contains("cannot be judged") && shown.output.contains("adbe.x509.rsa_sha1") && !shown.output.contains("does not hold"), "\(shown.output)")
        let run = try office.run("sign", "a.pdf", "--certificate", people.file("luis.pem"), "--key", people.file("luis.key"), "--as-of", people.now, "--allow-draft", "--quiet")
        #expect(run.status == 0 && run.error.contains("Warning: it could not be judged") && run.error.contains("adbe.x509.rsa_sha1"), "\(run.error)")
    }

    @Test func remediesFitASignature() throws {
        let office = try reported()
        let missing = try office.run("sign", "a.pdf", "--certificate", "none.p12", "--as-of", people.now, "--allow-draft")
        #expect(missing.status == 66 && missing.error.contains("none.p12") && missing.error.contains("Check the name and the folder"), "\(missing.error)")
        let folder = try office.run(sign("out"))
        #expect(folder.status == 65 && folder.error.contains("FILE-KIND") && folder.error.contains("folder"), "\(folder.error)")
        let taken = try office.run(sign("a.pdf", "-o", "out/ficha.pdf"))
        #expect(taken.status == 73 && taken.error.contains("name another place with -o") && !taken.error.contains("folder"), "\(taken.error)")
    }
}
