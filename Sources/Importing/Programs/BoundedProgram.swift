internal import CLinuxCalls
internal import Glibc
internal import Model

/// Runs a program that reads a hostile file in a separate process, with limits on time and memory,
/// and returns its output.
///
/// util-linux' `prlimit` sets the limits and then executes the program, so they apply from its
/// first instruction and even after our process ends. The program gets only its output, an empty
/// input and a few environment variables. It is killed when this object is released.
@safe final class BoundedProgram {
    private let pid: pid_t
    private let output: Int32
    private let errors: Int32
    private let limits: ProgramLimits
    /// Number of bytes that the program has printed so far.
    private var printed = 0
    private var message: [UInt8] = []
    private var isRunning = true
    private var errorsEnded = false

    /// Starts `name`, found in the folders of `search` (a list like `PATH`), with `arguments`.
    init(
        _ name: String, _ arguments: [String], search: String, limits: ProgramLimits, environment: [String] = []
    ) throws(ProgramFault) {
        guard let program = Self.find(name, in: search) else { throw .notFound(name) }
        guard let bounds = Self.find("prlimit", in: search + ":/usr/bin:/bin") else { throw .notFound("prlimit") }
        let seconds = limits.processorSeconds
        let words =
            [
                bounds, "--core=0", "--cpu=\(seconds):\(seconds + 2)", "--as=\(limits.memory)",
                "--fsize=\(limits.fileBytes)", "--", program,
            ] + arguments
        let variables = ["PATH=\(search)", "LC_ALL=C.UTF-8", "HOME=/nonexistent"] + environment
        self.limits = limits
        let starting = Self.start(words, variables)
        guard starting.result == 0 else { throw .cannotStart(number: starting.result) }
        pid = starting.pid
        output = starting.output
        errors = starting.errors
        Interruption.begin(child: pid)
    }

    private static func start(_ words: [String], _ variables: [String]) -> (
        result: Int32, pid: pid_t, output: Int32, errors: Int32
    ) {
        var outputEnds: [Int32] = [-1, -1]
        var errorEnds: [Int32] = [-1, -1]
        // Programs that other threads start at the same time must not inherit the pipes.
        guard unsafe pipe2(&outputEnds, O_CLOEXEC) == 0 else { return (errno, 0, -1, -1) }
        guard unsafe pipe2(&errorEnds, O_CLOEXEC) == 0 else {
            let number = errno
            outputEnds.forEach { close($0) }
            return (number, 0, -1, -1)
        }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, outputEnds[1], 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, errorEnds[1], 2)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        // A separate process group, so that processes started by the program are killed with it.
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var started: pid_t = 0
        let wordPointers = unsafe words.map { unsafe strdup($0) } + [nil]
        let variablePointers = unsafe variables.map { unsafe strdup($0) } + [nil]
        let result = unsafe posix_spawn(&started, words[0], &actions, &attributes, wordPointers, variablePointers)
        unsafe wordPointers.forEach { unsafe free($0) }
        unsafe variablePointers.forEach { unsafe free($0) }
        unsafe posix_spawn_file_actions_destroy(&actions)
        unsafe posix_spawnattr_destroy(&attributes)
        close(outputEnds[1])
        close(errorEnds[1])
        guard result == 0 else {
            close(outputEnds[0])
            close(errorEnds[0])
            return (result, 0, -1, -1)
        }
        return (0, started, outputEnds[0], errorEnds[0])
    }

    deinit {
        end()
        close(output)
        close(errors)
    }

    /// The path of a program.
    static func find(_ name: String, in search: String) -> String? {
        search.split(separator: ":").lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first {
            unsafe access($0, X_OK) == 0
        }
    }

    /// Returns the next piece of the output; empty when the program has ended successfully. Throws
    /// if it ends in any other way.
    func next() throws(ProgramFault) -> [UInt8] {
        guard isRunning else { return [] }
        while true {
            var waiting = [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
            if !errorsEnded { waiting.append(pollfd(fd: errors, events: Int16(POLLIN), revents: 0)) }
            let ready = unsafe poll(&waiting, nfds_t(waiting.count), Int32(limits.silentSeconds) * 1000)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else {
                end()
                throw .silent
            }
            if waiting.count > 1, waiting[1].revents != 0 {
                takeErrors()
            }
            guard waiting[0].revents != 0 else { continue }
            let piece = Self.read(output, 1 << 16)
            if piece.isEmpty {
                try finish()
                return []
            }
            printed += piece.count
            guard printed <= limits.output else {
                end()
                throw .tooMuchOutput
            }
            return piece
        }
    }

    /// Returns the whole output, up to `limit` bytes.
    func all(limit: Int) throws(ProgramFault) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try next()
            if piece.isEmpty { return bytes }
            bytes += piece
            guard bytes.count <= limit else {
                end()
                throw .tooMuchOutput
            }
        }
    }

    private static func read(_ descriptor: Int32, _ count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var got = -1
            repeat { got = unsafe Glibc.read(descriptor, buffer.baseAddress, count) } while got < 0 && errno == EINTR
            filled = max(0, got)
        }
    }

    private func takeErrors() {
        let piece = Self.read(errors, 4096)
        errorsEnded = piece.isEmpty
        printed += piece.count
        // The last lines of the error output usually contain the reason.
        message = Array((message + piece).suffix(600))
    }

    /// Waits for the program's end after it has closed its output, up to the limit for silence.
    private func finish() throws(ProgramFault) {
        let turn: Int32 = 20
        var turns = Int32(limits.silentSeconds) * 1000 / turn
        while !hasEnded() {
            turns -= 1
            guard turns > 0 else {
                end()
                throw .silent
            }
            // Waits 20 milliseconds, or until there is error output.
            var waiting = [pollfd(fd: errorsEnded ? -1 : errors, events: Int16(POLLIN), revents: 0)]
            if unsafe poll(&waiting, 1, turn) > 0 { takeErrors() }
        }
        // Kills processes that the program left behind. Its process id cannot be reused before
        // `wait4` has collected its result.
        kill(-pid, SIGKILL)
        let (status, seconds) = wait()
        let signal = status & 0x7F
        let code = status >> 8 & 0xFF
        // The hard limit's signal is also sent by the kernel when memory runs out.
        if signal == SIGXCPU || signal == SIGKILL && seconds >= limits.processorSeconds { throw .outOfTime }
        if signal == SIGKILL { throw .killed }
        guard status != 0 else { return }
        var waiting = [pollfd(fd: errors, events: Int16(POLLIN), revents: 0)]
        while !errorsEnded, unsafe poll(&waiting, 1, 0) > 0 { takeErrors() }
        if saysOutOfMemory { throw .outOfMemory }
        if signal != 0 { throw .crashed(signal: signal) }
        guard code == 0 else {
            let text = String(decoding: message, as: UTF8.self).split(whereSeparator: \.isNewline).joined(
                separator: " ")
            throw .failed(code: code, message: text)
        }
    }

    /// Whether the last error output is that of GLib, the C library, the dynamic loader or a shell
    /// that cannot allocate memory. The limit on memory sends no signal: a program at the limit
    /// fails in a way of its choice.
    private var saysOutOfMemory: Bool {
        let words = String(decoding: message, as: UTF8.self)
        return [
            "failed to allocate", "annot allocate memory", "failed to map segment", "out of memory", "Out of memory",
        ].contains { words.contains($0) }
    }

    /// Whether the program has ended, without waiting for it or collecting its result.
    private func hasEnded() -> Bool {
        var information = unsafe siginfo_t()
        let result = unsafe waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT)
        // If there is no process to wait for, the program has ended as well.
        return unsafe result != 0 ? errno != EINTR : information.si_signo == SIGCHLD
    }

    /// The status from `wait4`, and the program's seconds of processor time.
    private func wait() -> (status: Int32, seconds: Int) {
        guard isRunning else { return (0, 0) }
        isRunning = false
        Interruption.end(child: pid)
        var status: Int32 = 0
        var usage = rusage()
        while unsafe wait4(pid, &status, 0, &usage) < 0, errno == EINTR {}
        return (
            status,
            usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
                / 1_000_000
        )
    }

    private func end() {
        guard isRunning else { return }
        kill(-pid, SIGKILL)
        _ = wait()
    }
}

/// Reason why a program that we started did not end successfully.
enum ProgramFault: Error, Equatable {
    case notFound(String)
    case cannotStart(number: Int32)
    /// It used all the processor time that it was allowed.
    case outOfTime
    /// It produced no output for longer than allowed, or did not end after its last output.
    case silent
    /// The program or one of its libraries reported that it got no more memory.
    case outOfMemory
    case tooMuchOutput
    /// Something killed it: the kernel because memory ran out, or a person.
    case killed
    /// It was killed by a signal that it caused, such as a segmentation fault.
    case crashed(signal: Int32)
    case failed(code: Int32, message: String)

    /// The reason of a failure, in English.
    func reason(_ program: String) -> String {
        switch self {
        case .notFound(let name): "\(name) is not installed"
        case .cannotStart(let number): "\(program) cannot be started (errno \(number))"
        case .outOfTime, .silent: "\(program) did not come to an end within its limits of time"
        case .outOfMemory: "\(program) needs more memory than it may have"
        case .tooMuchOutput: "\(program) printed more than it may"
        case .killed: "\(program) was killed by the system or by a person: perhaps the machine had no more memory"
        case .crashed(let signal): "\(program) was ended by signal \(signal)"
        case .failed(let code, let message):
            "\(program) ended with code \(code)\(message.isEmpty ? "" : ": \(message)")"
        }
    }
}

/// Limits for a program that we start; it is killed if it exceeds one.
package struct ProgramLimits: Sendable, Hashable {
    package var processorSeconds = 60
    /// Bytes of address space.
    package var memory = 1 << 30
    /// Bytes of a file that it writes; 0 for a program that only prints.
    package var fileBytes = 0
    /// Bytes of output.
    package var output = 4 << 30
    /// Seconds without output.
    package var silentSeconds = 60

    package init() {}
}
