import Foundation
import Glibc
import Model
import Recording
import Replica
import Signing

/// Reads the files and the password that the user gives for a signature.
enum SigningFiles {
    /// Reads a whole file.
    ///
    /// - Parameter limit: maximum size of the file in bytes.
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

    /// Reads a file with certificates or keys.
    static func store(_ path: String) throws -> SigningIdentity.File {
        SigningIdentity.File(path: path, bytes: try read(path, limit: 1 << 20))
    }

    static func trust(_ path: String?) throws -> TrustStore { try TrustStore(path.map(store)) }

    /// The variable of the environment that may contain the password.
    static let variable = "FICHERO_CERTIFICATE_PASSWORD"

    /// Returns a function that gets a key's password: from a file's first line, from the
    /// environment, or typed.
    static func password(_ file: String?, of certificate: String, _ session: CommandSession) throws -> () -> String? {
        if let file {
            let line = String(decoding: try read(file, limit: 1 << 12), as: UTF8.self).split(
                omittingEmptySubsequences: false, whereSeparator: \.isNewline
            ).first
            return { line.map(String.init) }
        }
        return {
            ProcessInfo.processInfo.environment[variable]
                ?? PasswordPrompt.ask(session.text("cli.sign.password", ["path": certificate]))
        }
    }
}

/// Asks a person at the terminal for a password, which is not shown.
enum PasswordPrompt {
    /// Returns nil if there is no terminal, or nothing was typed.
    static func ask(_ question: String) -> String? {
        let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0, isatty(STDIN_FILENO) == 1 else { return nil }
        defer { close(terminal) }
        var before = termios()
        guard unsafe tcgetattr(terminal, &before) == 0 else { return nil }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        guard unsafe tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else { return nil }
        defer {
            unsafe tcsetattr(terminal, TCSAFLUSH, &before)
            write("\n", to: terminal)
        }
        write(question + " ", to: terminal)
        var typed: [UInt8] = [], byte: UInt8 = 0
        while !Interruption.isRequested, typed.count < 1024, unsafe read(terminal, &byte, 1) == 1,
            byte != UInt8(ascii: "\n")
        { typed.append(byte) }
        return typed.isEmpty ? nil : String(decoding: typed, as: UTF8.self)
    }

    private static func write(_ text: String, to terminal: Int32) {
        let bytes = Array(text.utf8)
        _ = unsafe Glibc.write(terminal, bytes, bytes.count)
    }
}

/// Asks a person at the terminal twice before an irreversible erasure: for the subject once more,
/// and for a word.
struct ErasureConfirmation {
    private let session: CommandSession

    init(_ session: CommandSession) { self.session = session }

    /// Throws `ErasureFailure.unconfirmed` if there is no terminal, or another text is typed.
    func ask(_ subject: String, plan: String) throws {
        let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { throw ErasureFailure.unconfirmed }
        defer { close(terminal) }
        guard isatty(STDIN_FILENO) == 1 else { throw ErasureFailure.unconfirmed }
        let word = session.text("cli.erase.word")
        write(plan + "\n\n" + session.text("cli.erase.ask.person") + " ", to: terminal)
        guard line(terminal) == subject else { throw ErasureFailure.unconfirmed }
        write(session.text("cli.erase.ask.word", ["word": word]) + " ", to: terminal)
        guard line(terminal) == word else { throw ErasureFailure.unconfirmed }
    }

    private func line(_ terminal: Int32) -> String {
        var typed: [UInt8] = [], byte: UInt8 = 0
        while !Interruption.isRequested, typed.count < 1024, unsafe read(terminal, &byte, 1) == 1,
            byte != UInt8(ascii: "\n")
        { typed.append(byte) }
        return String(decoding: typed, as: UTF8.self)
    }

    private func write(_ text: String, to terminal: Int32) {
        let bytes = Array(text.utf8)
        _ = unsafe Glibc.write(terminal, bytes, bytes.count)
    }
}
