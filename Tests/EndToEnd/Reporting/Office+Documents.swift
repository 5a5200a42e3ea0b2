import Foundation
import Testing
import Workbench

extension Office {
    /// The only file of a report, which the program makes once for all tests that ask for the same of
    /// equal replicas. Nobody may change it. It is made in a copy of this office, which stays as it is.
    ///
    /// - Parameters:
    ///   - language: nil: that of the system's office.
    ///   - options: further ones of `report`.
    func document(_ report: String, _ format: String, of project: String, language: String? = nil, _ options: [String] = []) throws -> String {
        let spoken = language ?? (system == "anagrafica" ? "it" : "es")
        let arguments = ["report", report, "--project", project, "--format", format, "--lang", spoken, "--allow-empty"] + options
        let own = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let name = (["document of", try OtherProgram.sha256(replica)] + own + arguments).joined(separator: " ")
        let made = try Scene.shared(name) { folder in
            let run = try copy().run(arguments + ["-o", folder.file("out")])
            guard run.status == 0 else { throw Trouble(run) }
        }
        let files = try FileManager.default.subpathsOfDirectory(atPath: made.file("out")).filter { $0.hasSuffix("." + format) }
        try #require(files.count == 1, "\(arguments): \(files)")
        return made.file("out/" + files[0])
    }

    /// The files of a report that is a delivery, out of its archive, made once for all tests.
    func delivery(_ report: String, of project: String) throws -> TemporaryFolder {
        let archive = try document(report, "zip", of: project)
        return try Scene.shared("unpacked " + archive) { folder in
            let run = try ProgramRun.program("/usr/bin/unzip", ["-q", archive, "-d", folder.path])
            guard run.status == 0 else { throw Trouble(run) }
        }
    }

    /// The lines of a report's pages, as pdftotext reads them. Blanks between words count as one.
    func lines(_ report: String, of project: String, language: String? = nil, _ options: [String] = []) throws -> [String] {
        let text = try ProgramRun.program("/usr/bin/pdftotext", ["-layout", document(report, "pdf", of: project, language: language, options), "-"])
        guard text.status == 0 else { throw Trouble(text) }
        return text.output.split(whereSeparator: \.isNewline).map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }.filter { !$0.isEmpty }
    }
}
