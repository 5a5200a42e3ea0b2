import Foundation
import Glibc
import Model
import Recording
import Signing

/// The files and the password that a signature is made of, as a person names them.
enum SigningFiles {
    /// Reads a whole file.
    ///
    /// - Parameter limit: no longer one is read.
    static func read(_ path: String, limit: Int = DocumentSigning.limit) throws -> [UInt8] {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw RecordingFailure.fileMissing(path: path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw RecordingFailure.noFile(path: path) }
        guard status.st_size <= limit else { throw SigningFailure.tooLarge(path: path, limit: max(1, limit >> 20)) }
        do {
            return try Array(Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw RecordingFailure.fileUnreadable(path: path, reason: unsafe String(cString: strerror(errno)))
        }
    }

    /// A file of certificates or keys.
    static func store(_ path: String) throws -> SigningIdentity.File { SigningIdentity.File(path: path, bytes: try read(path, limit: 1 << 20)) }

    static func trust(_ path: String?) throws -> TrustStore { try TrustStore(path.map(store)) }

    /// The variable of the environment that may hold the password.
    static let variable = "FICHERO_CERTIFICATE_PASSWORD"

    /// The password of a key: the first line of a file, the environment's, or what a person types.
    static func password(_ file: String?, of certificate: String, _ session: CommandSession) throws -> () -> String? {
        if let file {
            let line = String(decoding: try read(file, limit: 1 << 12), as: UTF8.self).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).first
            return { line.map(String.init) }
        }
        return { ProcessInfo.processInfo.environment[variable] ?? PasswordPrompt.ask(session.text("cli.sign.password", ["path": certificate])) }
    }
}
