internal import CLinuxCalls
package import Foundation
import Glibc

/// A program that a test started. It inherits no files but the three standard ones.
///
/// Foundation's `Process` waits for an end in steps of up to 50 ms, which is longer than most runs of
/// a small program take. It also says nothing of processor time.
@safe package final class StartedProgram: @unchecked Sendable {
    /// Where the program's standard input comes from.
    package enum Input {
        case nothing
        case file(String)
        /// A pipe, which stays open until the end of this object.
        case pipe
    }

    /// How a program ended.
    package struct Ending: Sendable {
        /// The exit code; 128 plus the number of the signal, if a signal ended it.
        package var status: Int32
        package var isBySignal: Bool
    }

    package struct Trouble: Error, CustomStringConvertible {
        package var description: String
    }

    package let processIdentifier: Int32
    /// What the program prints; with its errors, if there is no file for them.
    package let output: FileHandle
    private let name: String
    private let input: FileHandle?
    private let started = ContinuousClock.now
    private var ending: Ending?

    /// - Parameters:
    ///   - folder: its working directory; nil: that of the tests.
    ///   - environment: all of its variables; nil: those of the tests.
    ///   - errors: a file for its standard error; nil: errors come with the output.
    package init(
        _ path: String, _ arguments: [String], in folder: String? = nil, environment: [String: String]? = nil, input: Input = .nothing,
        errors: String? = nil
    ) throws {
        let (read, write) = try Self.pipe()
        defer { close(write) }
        var inputEnds: (read: Int32, write: Int32)?
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        switch input {
        case .nothing: unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        case .file(let path): unsafe posix_spawn_file_actions_addopen(&actions, 0, path, O_RDONLY, 0)
        case .pipe:
            let ends = try Self.pipe()
            inputEnds = ends
            unsafe posix_spawn_file_actions_adddup2(&actions, ends.read, 0)
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, write, 1)
        if let errors {
            unsafe posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        } else {
            unsafe posix_spawn_file_actions_adddup2(&actions, write, 2)
        }
        if let folder { unsafe posix_spawn_file_actions_addchdir_np(&actions, folder) }
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        var pid: pid_t = 0
        let variables = (environment ?? ProcessInfo.processInfo.environment).map { "\($0.key)=\($0.value)" }
        let number = unsafe Self.withPointers([path] + arguments) { words in
            unsafe Self.withPointers(variables) { variables in
                Self.withDefaultSignals { unsafe posix_spawn(&pid, path, &actions, &$0, words, variables) }
            }
        }
        if let inputEnds { close(inputEnds.read) }
        self.input = inputEnds.map { FileHandle(fileDescriptor: $0.write, closeOnDealloc: true) }
        output = FileHandle(fileDescriptor: read, closeOnDealloc: true)
        processIdentifier = pid
        let program = URL(fileURLWithPath: path).lastPathComponent
        // Of these, the command or the script matters.
        let first = ["fichero", "python3"].contains(program) ? arguments.first { $0 != "-B" } : nil
        name = program + (first.map { " " + URL(fileURLWithPath: $0).lastPathComponent } ?? "")
        guard number == 0 else { throw Trouble(description: "\(path) did not start: \(unsafe String(cString: strerror(number)))") }
    }

    /// Writes to its standard input, which is a pipe.
    package func write(_ text: String) throws { try input?.write(contentsOf: Data(text.utf8)) }

    /// Asks the program to end.
    package func terminate() { if ending == nil { kill(processIdentifier, SIGTERM) } }

    /// Waits for its end. Whoever wants its output must have read it, or a full pipe never ends.
    @discardableResult
    package func wait() -> Ending {
        if let ending { return ending }
        var status: Int32 = 0
        var usage = rusage()
        while unsafe wait4(processIdentifier, &status, 0, &usage) < 0, errno == EINTR {}
        let signal = status & 0x7F
        let ended = Ending(status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, isBySignal: signal != 0)
        ending = ended
        let seconds = { (time: timeval) in Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        WorkCount.add("run " + name, seconds: (ContinuousClock.now - started) / .seconds(1), processor: seconds(usage.ru_utime) + seconds(usage.ru_stime))
        return ended
    }

    /// Its whole output, and how it ended.
    package func finish() -> (ending: Ending, output: Data) {
        let all = output.readDataToEndOfFile()
        return (wait(), all)
    }

    /// Nobody leaves a program behind, nor a dead one that is not waited for.
    deinit {
        guard ending == nil else { return }
        try? input?.close()
        terminate()
        wait()
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { throw Trouble(description: "no pipe: \(errno)") }
        return (ends[0], ends[1])
    }

    /// The tests may run under a program that blocks or ignores signals, which a child would inherit.
    private static func withDefaultSignals(_ body: (inout posix_spawnattr_t) -> Int32) -> Int32 {
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var all = sigset_t(), none = sigset_t()
        unsafe sigfillset(&all)
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        return body(&attributes)
    }

    private static func withPointers(_ words: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Int32) -> Int32 {
        let pointers = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        return unsafe body(pointers)
    }
}
