import Foundation
import Glibc
import Model
import Pipeline
import Recording
import Replica
import Signing

extension SigningFiles {
    /// The variable of the environment that may contain the password.
    static let variable = "FICHERO_CERTIFICATE_PASSWORD"

    /// Returns a function that gets a key's password: from a file's first line, from the
    /// environment, or typed.
    static func password(_ file: String?, of certificate: String, _ session: WorkSession) throws -> () -> String? {
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
    private let session: WorkSession

    init(_ session: WorkSession) { self.session = session }

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
