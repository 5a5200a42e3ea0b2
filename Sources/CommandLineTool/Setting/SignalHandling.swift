import Foundation

/// How the process handles signals.
enum SignalHandling {
    /// A pipe that nobody reads and a limit on the size of files are errors of the call that meets them. By default the
    /// signals would end the process before it can remove what it began.
    static func ignoreFailedWrites() {
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGXFSZ, SIG_IGN)
    }
}
