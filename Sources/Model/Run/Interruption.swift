import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The signals by which a person or the system asks a process to end.
///
/// The first one is only noted: whoever works for long looks here (`check`, `isRequested`) and stops by an error as by any other, so that
/// everything is taken back and told. Programs that we started are ended at once. A second signal, or no end within half a minute, ends the
/// process where it stands; the next run then puts things right, as after a kill.
///
/// The handler does what a handler may: it reads and writes atomic numbers, and calls `kill`, `alarm` and `_exit`.
package enum Interruption {
    private static let signal = Atomic<Int32>(0)
    private static let answered = Atomic<Bool>(false)
    /// Groups of processes that are ours; 0 in free places.
    private static let children = InlineArray<8, Atomic<Int32>> { _ in Atomic(0) }
    private static let patience: UInt32 = 30

    /// From now on these signals are noted. One that was ignored before, as by `nohup`, stays so.
    package static func watch() {
        // What the handler touches is made before it can be called.
        _ = (signal.load(ordering: .relaxed), answered.load(ordering: .relaxed), children[0].load(ordering: .relaxed))
        var open = sigset_t()
        unsafe sigemptyset(&open)
        for number in [SIGTERM, SIGINT, SIGHUP, SIGALRM] {
            unsafe sigaddset(&open, number)
            var (before, action) = (sigaction(), sigaction())
            guard unsafe sigaction(number, nil, &before) == 0, !isIgnored(before) else { continue }
            unsafe action.__sigaction_handler.sa_handler = { Interruption.take($0) }
            // Calls go on where they were: who waits for long asks `isRequested`.
            action.sa_flags = SA_RESTART
            unsafe sigaction(number, &action, nil)
        }
        // Whoever started us may have had them blocked.
        unsafe pthread_sigmask(SIG_UNBLOCK, &open, nil)
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        let ignore = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignore
    }

    private static func take(_ number: Int32) {
        let before = errno
        let isFirst = number != SIGALRM && signal.compareExchange(expected: 0, desired: number, ordering: .sequentiallyConsistent).exchanged
        for place in children.indices {
            let child = children[place].load(ordering: .sequentiallyConsistent)
            if child > 0 { kill(-child, SIGKILL) }
        }
        guard isFirst else { _exit(ExitCode.busy.rawValue) }
        alarm(patience)
        errno = before
    }

    /// Whether the process is asked to end and has not begun to.
    package static var isRequested: Bool {
        signal.load(ordering: .relaxed) != 0 && !answered.load(ordering: .relaxed)
    }

    package static func check() throws {
        if isRequested { throw RunStopped(signal: signal.load(ordering: .relaxed)) }
    }

    /// The error with which a work ends: after a signal, whatever a stage says of its sudden end is that. What comes then puts things in
    /// order, and is not stopped any more.
    package static func answering(_ error: any Error) -> any Error {
        guard isRequested else { return error }
        answered.store(true, ordering: .relaxed)
        return RunStopped(signal: signal.load(ordering: .relaxed))
    }

    /// Whether this process ends since it was asked to.
    package static var isAnswered: Bool { answered.load(ordering: .relaxed) }

    /// A group of processes that ends with this one.
    package static func begin(child: Int32) {
        for place in children.indices
        where children[place].compareExchange(expected: 0, desired: child, ordering: .sequentiallyConsistent).exchanged {
            // The signal may have come just before it was noted.
            if signal.load(ordering: .sequentiallyConsistent) != 0 { kill(-child, SIGKILL) }
            return
        }
    }

    /// To be called before the child is waited for: its number may be given anew after that.
    package static func end(child: Int32) {
        for place in children.indices {
            _ = children[place].compareExchange(expected: child, desired: 0, ordering: .sequentiallyConsistent)
        }
    }
}

/// A person or the system asked the process to end by a signal.
package struct RunStopped: Failure, Equatable {
    package var signal: Int32

    package var code: String { "RUN-STOPPED" }
    package var exitCode: ExitCode { .busy }
    package var arguments: [String: String] {
        let names = [SIGTERM: "SIGTERM", SIGINT: "SIGINT", SIGHUP: "SIGHUP"]
        return ["signal": names[signal] ?? String(signal)]
    }
}
