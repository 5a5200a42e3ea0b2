import Foundation

/// What the process does with signals.
enum SignalHandling {
    static func ignoreBrokenPipes() {
        _ = signal(SIGPIPE, SIG_IGN)
    }
}
