import Foundation

/// How the process handles signals.
enum SignalHandling {
    static func ignoreBrokenPipes() {
        _ = signal(SIGPIPE, SIG_IGN)
    }
}
