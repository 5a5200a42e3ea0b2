import ArgumentParser
import Foundation
import Model
import Pipeline
import Recording
import Replica
import Signing

/// `fichero verify`: compares exported files with their registrations, or shows the signatures of
/// documents.
struct VerifyCommand: FicheroCommand {
    static let task = CommandTask.check
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compare exported files with what was registered; show the signatures of a PDF.",
        discussion: """
            Finds registered files that changed or are missing, and files in an output directory that no export \
            registered. The exit code is 1 when there are any.

            With files, it shows the signatures of these PDFs: who signed and when, whether every signed byte is as \
            it was, what was added later, and whether the certificate is trusted. It also compares the attached \
            data with the codes on the pages. The exit code is 1 when a document is not signed, a signature does \
            not hold, or attached data was changed; that of the worst file when one cannot be read: the others are \
            shown. Whether a certificate was revoked is not asked.

            Examples:
              fichero verify -o out
              fichero verify informe.pdf --trust authorities.pem
            """)

    @OptionGroup var options: CommonOptions

    @Argument(help: ArgumentHelp("PDFs whose signatures are shown.", valueName: "file"))
    var files: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Certificates that are trusted (PEM); those of this machine by default.", valueName: "file"))
    var trust: String?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Also look for files that no export registered, in this directory.", valueName: "dir"))
    var outputDir: String?

    @Option(
        name: .long, help: ArgumentHelp("Only files of this project.", valueName: "code"),
        completion: .names(of: .projects))
    var project: String?

    func validate() throws {
        if files.isEmpty, trust != nil { throw ValidationError("--trust needs a PDF.") }
        if !files.isEmpty, outputDir != nil || project != nil {
            throw ValidationError("With PDFs, leave out --output-dir and --project.")
        }
    }

    func run() throws {
        if files.isEmpty { try compare() } else { try showSignatures() }
    }

    private func showSignatures() throws {
        let session = try WorkSession.ofFiles(options).session
        let trust = try SigningFiles.trust(trust)
        let documents = try files.map { try VerifiedDocument($0, trust: trust, session, options.output) }
        options.output.show(documents, text: SignatureText(session).text(documents))
        let worst = documents.map(\.exitCode).max { $0.rawValue < $1.rawValue } ?? .done
        if worst != .done { throw CommandExit(exitCode: worst) }
    }

    private func compare() throws {
        let session = try WorkSession.existing(options)
        let replica = try session.openReplica()
        let actor = try session.actor(in: replica, to: .read)
        let visible = Set(try session.projectIDs(of: actor, project, replica))
        if let outputDir {
            var isFolder: ObjCBool = false
            guard unsafe FileManager.default.fileExists(atPath: outputDir, isDirectory: &isFolder), isFolder.boolValue
            else {
                throw SettingFailure.noFolder(outputDir)
            }
        }
        let exports = try replica.registeredFiles()
        let shown = Set(exports.filter { visible.contains($0.projectID) }.map(\.id))
        // All registrations are compared with the directory; otherwise files of other projects
        // would count as unregistered.
        let registered = exports.map { file in
            Verification.RegisteredFile(
                exportID: file.id, path: file.localPath, sha256: file.sha256, bytes: file.bytes,
                isSuperseded: file.status == "superseded")
        }
        var report = Verification(
            registered: registered, drafts: Set(try replica.drafts()),
            directory: outputDir ?? session.outputFolder ?? ".")
        // If no directory is given or configured, other files in the working directory are not
        // reported.
        if outputDir == nil, session.outputFolder == nil { report.entries.removeAll { $0.state == .foreign } }
        report.entries.removeAll { entry in entry.exportID.map { !shown.contains($0) } ?? false }
        options.output.show(report.entries, text: VerifyText(session, folder: outputDir).text(report))
        if !report.isClean { throw CommandExit(exitCode: .findings) }
    }
}

/// A verification, formatted for display: the files that differ from their registration, then
/// totals.
struct VerifyText {
    private let session: WorkSession
    private let folder: String?

    /// - Parameter folder: the output directory of the command line.
    init(_ session: WorkSession, folder: String?) {
        self.session = session
        self.folder = folder.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
    }

    private func isBelow(_ path: String) -> Bool {
        guard let folder, path.hasPrefix("/") else { return true }
        return path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }

    func text(_ report: Verification) -> String {
        var lines: [String] = []
        for entry in report.entries where ![.ok, .superseded, .draft, .absent].contains(entry.state) {
            lines.append("\(session.text("cli.verify." + entry.state.rawValue)): \(entry.path)")
        }
        let files = report.entries.filter { $0.state == .ok }
        // Files outside the folder are verified too, but counted separately.
        let here = files.filter { isBelow($0.path) }
        lines.append(session.text("cli.verify.summary", ["count": String(here.count)]))
        if files.count > here.count {
            lines.append(session.text("cli.verify.elsewhere", ["count": String(files.count - here.count)]))
        }
        let absent = report.count(.absent)
        if absent > 0 { lines.append(session.text("cli.verify.absent", ["count": String(absent)])) }
        return lines.joined(separator: "\n")
    }
}

/// A document with its signatures, and with findings where its data differs from its pages' codes.
struct VerifiedDocument: Encodable {
    var path: String
    var signatures: [DocumentSignature] = []
    var findings: [Finding] = []
    /// Reason why the document could not be read.
    var error: FailureText.Detail?
    /// Whether the document is signed, every signature is valid, and the attached data matches the
    /// codes.
    var holds = false

    /// Reads a document; one that cannot be read is reported on standard error at once.
    init(_ path: String, trust: TrustStore, _ session: WorkSession, _ output: ResultOutput) throws {
        self.path = path
        do {
            let reading = try SignatureReader(SigningFiles.read(path), path: path)
            (signatures, findings) = (try reading.signatures(trust: trust, at: session.asOf), try reading.findings())
            holds = !signatures.isEmpty && signatures.allSatisfy(\.holds) && findings.isEmpty
        } catch let failure as any Failure {
            let text = FailureText(failure, texts: session.pack.texts, language: session.language)
            error = text.detail
            if !output.isJSON {
                StandardError.write(
                    (output.isQuiet ? "\(path): " + ErrorOutput.inOneLine(text.text) : text.text) + "\n")
            }
        }
    }

    var exitCode: Model.ExitCode {
        error.flatMap { Model.ExitCode(rawValue: $0.exitCode) } ?? (holds ? .done : .findings)
    }
}
