import Foundation
import Model
import Signing

/// A document with its signatures, and with what its pages' codes state and is not so.
struct VerifiedDocument: Encodable {
    var path: String
    var signatures: [DocumentSignature] = []
    var findings: [Finding] = []
    /// Why it could not be read.
    var error: FailureText.Detail?
    /// Whether it is signed, every signature holds, and its attached data is as stated.
    var holds = false

    /// Reads a document; one that cannot be read is told on standard error at once.
    init(_ path: String, trust: TrustStore, _ session: CommandSession) throws {
        self.path = path
        do {
            let reading = try SignatureReader(SigningFiles.read(path), path: path)
            (signatures, findings) = (try reading.signatures(trust: trust, at: session.asOf), try reading.findings())
            holds = !signatures.isEmpty && signatures.allSatisfy(\.holds) && findings.isEmpty
        } catch let failure as any Failure {
            let text = FailureText(failure, texts: session.pack.texts, language: session.language)
            error = text.detail
            if !session.output.isJSON { StandardError.write((session.output.isQuiet ? "\(path): " + ErrorOutput.inOneLine(text.text) : text.text) + "\n") }
        }
    }

    var exitCode: ExitCode { error.flatMap { ExitCode(rawValue: $0.exitCode) } ?? (holds ? .done : .findings) }
}
