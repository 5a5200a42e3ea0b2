import FindingDocuments
import Foundation
import Model
import Recording
import Replica
import Signing
import Validating

/// Writes documents of a validation's findings. Each is complete and flushed before it gets its
/// name, and replaces any file of that name.
struct FindingDocumentProduction {
    let session: CommandSession
    let actor: Actor
    let reading: ReadSession
    let summary: ValidationSummary
    /// The number of findings of each code that a text shows.
    let limit: Int

    /// Throws before the work begins if the documents cannot be written.
    static func prepare(_ requests: [FindingDocumentRequest], sparing own: ReplicaFiles) throws {
        for request in requests {
            try OutputCommit.makeDirectory(for: request.path)
            try OutputCommit.check(final: request.path, replacing: .anything(but: own))
        }
    }

    func write(_ requests: [FindingDocumentRequest]) throws -> [FindingDocumentFile] {
        guard !requests.isEmpty else { return [] }
        let source = SessionFindingSource(reading, language: session.language)
        let tally = try FindingTally(source)
        let document = FindingDocument(
            session.findingText, head: head, pack: session.pack, summary: JSONString.document(summary), limit: limit)
        var written: [WrittenFile] = []
        do {
            for request in requests {
                written.append(try document.write(source, tally, as: request.kind, to: request.path))
            }
            for file in written {
                try OutputCommit.publish(
                    temporary: file.temporaryPath, final: file.finalPath,
                    replacing: .anything(but: session.replicaFiles))
            }
        } catch {
            try? OutputCommit.removeLeftovers(written.map(\.temporaryPath))
            throw error
        }
        return written.map { FindingDocumentFile(path: $0.finalPath, bytes: $0.bytes, sha256: $0.sha256) }
    }

    private var head: FindingDocumentHead {
        let isFinal = session.environment == session.pack.environments.last
        return FindingDocumentHead(
            packName: session.pack.name, packVersion: session.pack.version, system: session.text("pack.title"),
            environment: session.environment,
            environmentBanner: isFinal
                ? nil : session.text("cover.environment_banner", ["environment": session.environment]),
            programVersion: ProgramVersion.current, actor: "\(actor.fullName ?? actor.email) (\(actor.role.name))",
            asOf: session.asOf,
            madeAt: "\(OfficeDay.time(of: session.asOf, in: session.timeZone)) (\(session.timeZone.identifier))",
            projects: reading.projects.map { FindingDocumentHead.Project(code: $0.code, name: $0.name) },
            rows: summary.rows.values.reduce(0, +))
    }
}

/// A document of findings as a file; the ending determines its kind.
struct FindingDocumentRequest: Hashable {
    var path: String
    var kind: FindingDocument.Kind

    /// The documents given by options; each is a separate file.
    static func parse(_ paths: [String]) throws(SettingFailure) -> [FindingDocumentRequest] {
        var requests: [FindingDocumentRequest] = []
        for stated in paths {
            let url = URL(fileURLWithPath: stated).standardizedFileURL
            guard let kind = FindingDocument.Kind(rawValue: url.pathExtension.lowercased()) else {
                throw .unknownReport(stated, known: FindingDocument.Kind.allCases.map { "." + $0.rawValue })
            }
            guard !requests.contains(where: { $0.path == url.path }) else { throw .reportTwice(stated) }
            requests.append(FindingDocumentRequest(path: url.path, kind: kind))
        }
        return requests
    }
}

/// A document that was written.
struct FindingDocumentFile: Encodable {
    var path: String
    var bytes: Int64
    var sha256: String
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
    init(_ path: String, trust: TrustStore, _ session: CommandSession) throws {
        self.path = path
        do {
            let reading = try SignatureReader(SigningFiles.read(path), path: path)
            (signatures, findings) = (try reading.signatures(trust: trust, at: session.asOf), try reading.findings())
            holds = !signatures.isEmpty && signatures.allSatisfy(\.holds) && findings.isEmpty
        } catch let failure as any Failure {
            let text = FailureText(failure, texts: session.pack.texts, language: session.language)
            error = text.detail
            if !session.output.isJSON {
                StandardError.write(
                    (session.output.isQuiet ? "\(path): " + ErrorOutput.inOneLine(text.text) : text.text) + "\n")
            }
        }
    }

    var exitCode: ExitCode { error.flatMap { ExitCode(rawValue: $0.exitCode) } ?? (holds ? .done : .findings) }
}
