import Glibc
import Model

/// Asks a person at the terminal for a password, which is not shown.
enum PasswordPrompt {
    /// Nil: nobody is at a terminal, or nothing was typed.
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
        while !Interruption.isRequested, typed.count < 1024, unsafe read(terminal, &byte, 1) == 1, byte != UInt8(ascii: "\n") { typed.append(byte) }
        return typed.isEmpty ? nil : String(decoding: typed, as: UTF8.self)
    }

    private static func write(_ text: String, to terminal: Int32) {
        let bytes = Array(text.utf8)
        _ = unsafe Glibc.write(terminal, bytes, bytes.count)
    }
}
