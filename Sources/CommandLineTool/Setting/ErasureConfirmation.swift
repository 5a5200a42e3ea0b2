import Glibc
import Model
import Replica

/// Asks a person at the terminal twice, before something goes that never comes back: for the
/// subject once more, and for a word.
struct ErasureConfirmation {
    private let session: CommandSession

    init(_ session: CommandSession) { self.session = session }

    /// Throws `ErasureFailure.unconfirmed` when nobody is at a terminal, or another answer is
    /// typed.
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
        while !Interruption.isRequested, typed.count < 1024, unsafe read(terminal, &byte, 1) == 1, byte != UInt8(ascii: "\n") { typed.append(byte) }
        return String(decoding: typed, as: UTF8.self)
    }

    private func write(_ text: String, to terminal: Int32) {
        let bytes = Array(text.utf8)
        _ = unsafe Glibc.write(terminal, bytes, bytes.count)
    }
}
