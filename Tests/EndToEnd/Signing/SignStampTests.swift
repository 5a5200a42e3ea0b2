import Foundation
import Testing
import Workbench

/// A signature that is seen: above a line to sign on, in an archive that stays one.
@Suite struct SignStampTests {
    private let people: SignaturePeople

    init() throws { people = try SignaturePeople.shared.get() }

    private func sign(_ office: Office, _ file: String, by name: String, _ options: String...) throws -> ProgramRun {
        try office.run(["sign", file, "--certificate", people.file(name + ".pem"), "--key", people.file(name + ".key"), "--as-of", people.now, "--allow-draft"] + options)
    }

    private func reported(_ office: Office, _ report: String) throws {
        let run = try office.run("report", report, "--project", "CHU-2025", "--format", "pdf", "-o", "out", "--output-name", report)
        guard run.status == 0 else { throw Office.Trouble(run) }
    }

    /// For each page whose picture differs, the box of the difference in points from the upper left
    /// corner.
    private func differences(_ before: String, _ after: String) throws -> [[Double]] {
        let script = """
            import glob, json, subprocess, sys, tempfile
            from PIL import Image, ImageChops
            def pages(path):
                folder = tempfile.mkdtemp()
                subprocess.run(['pdftoppm', '-r', '72', '-gray', path, folder + '/p'], check=True)
                return [Image.open(name) for name in sorted(glob.glob(folder + '/p*'))]
            boxes = [ImageChops.difference(*pair).getbbox() for pair in zip(pages(sys.argv[1]), pages(sys.argv[2]))]
            print(json.dumps({'boxes': [box for box in boxes if box]}))
            """
        let run = try Reading.python(script, before, after)
        try #require(run.status == 0, "\(run.error)")
        return try #require(try Reading.json(run.output)["boxes"] as? [[Double]])
    }

    /// The time of the signature by the office's clock, in Spanish and in English.
    private func officeTime() throws -> (spanish: String, english: String) {
        let shown = try OtherProgram.run("/usr/bin/env", ["TZ=America/Lima", "date", "-d", people.now, "+%d/%m/%Y %H:%M|%Y-%m-%d %H:%M"]).text
        let parts = shown.split(separator: "\n")[0].split(separator: "|").map(String.init)
        return (parts[0], parts[1])
    }

    @Test func standsAboveItsLine() throws {
        let now = try officeTime()
        let office = try Office.pits()
        try reported(office, "ficha-calicata")
        let first = try sign(office, "out/ficha-calicata.pdf", by: "ana", "--line", "3", "--lang", "es")
        #expect(first.status == 0, "\(first.error)")
        let second = try sign(office, "out/ficha-calicata-firmado.pdf", by: "luis", "--line", "1", "-o", "both.pdf")
        #expect(second.status == 0, "\(second.error)")
        // The sheet says who logged the pit, and not who is responsible for it.
        #expect(second.error.contains("The line is that of ") && second.error.contains("and Luis Rossi signs"), "\(second.error)")
        #expect(!first.error.contains("La línea es de "), "\(first.error)")
        // Right and left, a line of letters or three high, and nothing else on any page.
        let right = try differences(office.path("out/ficha-calicata.pdf"), office.path("out/ficha-calicata-firmado.pdf"))
        let left = try differences(office.path("out/ficha-calicata-firmado.pdf"), office.path("both.pdf"))
        #expect(right.count == 1 && left.count == 1, "\(right) \(left)")
        for box in right + left { #expect(box[2] - box[0] > 60 && box[2] - box[0] < 135 && box[3] - box[1] > 10 && box[3] - box[1] < 28, "\(box)") }
        #expect(right[0][0] > 380 && left[0][2] < 200 && abs(right[0][3] - left[0][3]) < 3, "\(right) \(left)")
        #expect(try people.hanko(office.path("both.pdf")) == ["bottom ENTIRE_REVISION FORM_FILLING unstamped", "bottom ENTIRE_FILE NONE unstamped"])
        #expect(try ArchiveTests.breaches("PDFA-3B", [office.path("both.pdf")]).isEmpty)
        let verified = try office.run("verify", "both.pdf", "--trust", people.file("ca.pem"), "--as-of", people.now)
        #expect(verified.status == 0, "\(verified.output)")
        // What is drawn can be read aloud.
        let parts = try OtherProgram.run("/usr/bin/qpdf", ["--json=2", "--json-key=qpdf", office.path("both.pdf")]).text
        #expect(parts.contains("u:Ana Núñez (CIP 12345), Firma digital, \(now.spanish) (UTC-5)"), "\(now)")
        #expect(parts.contains("u:Luis Rossi, Signed digitally, \(now.english) (UTC-5)"), "\(now)")
        // A line has one signature, and three are all.
        for line in ["1", "4"] {
            let taken = try sign(office, "both.pdf", by: "luis", "--line", line, "-o", "more.pdf")
            #expect(taken.status == 65 && taken.error.contains("SIGN-NO-LINE") && taken.error.contains("has 3"), "\(taken.error)")
        }
        #expect(try sign(office, "both.pdf", by: "luis", "--line", "0").status == 64)
    }

    @Test func aDocumentWithoutLinesSaysSo() throws {
        let office = try Office.pits()
        try reported(office, "cuadro-resumen-ensayos")
        let run = try sign(office, "out/cuadro-resumen-ensayos.pdf", by: "ana", "--line", "1")
        #expect(run.status == 65 && run.error.contains("SIGN-NO-LINE") && run.error.contains("has 0"), "\(run.error)")
        #expect(try office.files("out") == ["cuadro-resumen-ensayos.pdf"])
    }
}
