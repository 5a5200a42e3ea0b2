import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The signals by which a person or the system asks a process to end.
///
/// The first signal is only recorded. Long work polls for it (`check`, `isRequested`) and stops
/// with an ordinary error, so that everything is undone and reported. Child processes of Fichero
/// end at once. A second signal, or half a minute without an end, ends the process immediately. The
/// next run then repairs the remains, as after a kill.
///
/// The handler does only what is safe in a signal handler: it reads and writes atomic numbers, and
/// calls `kill`, `alarm` and `_exit`.
package enum Interruption {
    private static let signal = Atomic<Int32>(0)
    /// Whether some work has already reported the signal.
    private static let answered = Atomic<Bool>(false)
    /// The groups of processes started by Fichero; 0 in free places.
    private static let children = InlineArray<8, Atomic<Int32>> { _ in Atomic(0) }
    private static let patience: UInt32 = 30

    /// Records these signals from now on. A signal that was already ignored, as by `nohup`, is
    /// still ignored.
    package static func watch() {
        // The handler's variables must be initialised before it can be called.
        _ = (signal.load(ordering: .relaxed), answered.load(ordering: .relaxed), children[0].load(ordering: .relaxed))
        var open = sigset_t()
        unsafe sigemptyset(&open)
        for number in [SIGTERM, SIGINT, SIGHUP, SIGALRM] {
            unsafe sigaddset(&open, number)
            var (before, action) = (sigaction(), sigaction())
            guard unsafe sigaction(number, nil, &before) == 0, !isIgnored(before) else { continue }
            unsafe action.__sigaction_handler.sa_handler = { Interruption.take($0) }
            // Interrupted calls continue: long waits poll `isRequested`.
            action.sa_flags = SA_RESTART
            unsafe sigaction(number, &action, nil)
        }
        // The parent process may have blocked these signals.
        unsafe pthread_sigmask(SIG_UNBLOCK, &open, nil)
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        let ignore = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignore
    }

    private static func take(_ number: Int32) {
        let before = errno
        let isFirst =
            number != SIGALRM
            && signal.compareExchange(expected: 0, desired: number, ordering: .sequentiallyConsistent).exchanged
        for place in children.indices {
            let child = children[place].load(ordering: .sequentiallyConsistent)
            if child > 0 { kill(-child, SIGKILL) }
        }
        guard isFirst else { _exit(ExitCode.busy.rawValue) }
        alarm(patience)
        errno = before
    }

    /// Whether a signal has asked the process to end, and no work has reported the signal yet.
    package static var isRequested: Bool {
        signal.load(ordering: .relaxed) != 0 && !answered.load(ordering: .relaxed)
    }

    /// Throws `RunStopped` if a signal has asked the process to end.
    package static func check() throws {
        if isRequested { throw RunStopped(signal: signal.load(ordering: .relaxed)) }
    }

    /// Waits, and stops early at a signal. Time in which the machine sleeps is included.
    package static func rest(_ duration: Duration) throws {
        let end = ContinuousClock.now + duration
        while true {
            try check()
            let left = end - .now
            guard left > .zero else { return }
            // A signal ends the call, but it may arrive just before, or at another thread.
            poll(nil, 0, Int32(min(left, .milliseconds(200)) / .milliseconds(1)) + 1)
        }
    }

    /// The error with which work ends. After a signal it is `RunStopped`, whatever error a stage
    /// throws. Later work only repairs, and the signal no longer stops it.
    package static func answering(_ error: any Error) -> any Error {
        guard isRequested else { return error }
        answered.store(true, ordering: .relaxed)
        return RunStopped(signal: signal.load(ordering: .relaxed))
    }

    /// Whether the process is ending because of a signal.
    package static var isAnswered: Bool { answered.load(ordering: .relaxed) }

    /// Records a group of processes, which then ends with this process. There is room for eight
    /// groups; further ones are not recorded.
    package static func begin(child: Int32) {
        for place in children.indices
        where children[place].compareExchange(expected: 0, desired: child, ordering: .sequentiallyConsistent).exchanged
        {
            // The signal may have arrived just before the group was recorded.
            if signal.load(ordering: .sequentiallyConsistent) != 0 { kill(-child, SIGKILL) }
            return
        }
    }

    /// Removes a group. Must be called before waiting for the child, since its number may be reused
    /// after that.
    package static func end(child: Int32) {
        for place in children.indices {
            _ = children[place].compareExchange(expected: child, desired: 0, ordering: .sequentiallyConsistent)
        }
    }
}

/// The error after a signal by which a person or the system asked the process to end.
package struct RunStopped: Failure, Equatable {
    package var signal: Int32

    package var code: String { "RUN-STOPPED" }
    package var exitCode: ExitCode { .busy }
    package var arguments: [String: String] {
        let names = [SIGTERM: "SIGTERM", SIGINT: "SIGINT", SIGHUP: "SIGHUP"]
        return ["signal": names[signal] ?? String(signal)]
    }
}
