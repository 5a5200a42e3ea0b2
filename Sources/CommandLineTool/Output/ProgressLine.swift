import Foundation
import Model
import Synchronization

/// One line on standard error that shows a step's progress, rate and remaining time. It is only
/// shown if standard error is a terminal or it was requested, so never in a cron job.
package final class ProgressLine: Sendable {
    private struct State {
        var title = ""
        var total: Int?
        var start = ContinuousClock.now
        var shown = ContinuousClock.now
        var isVisible = false
    }

    private let isActive: Bool
    private let state = Mutex(State())

    package init(_ choice: ProgressChoice, isQuiet: Bool) {
        switch choice {
        case .always: isActive = true
        case .never: isActive = false
        case .auto: isActive = !isQuiet && isatty(STDERR_FILENO) == 1
        }
    }

    func begin(_ title: String, total: Int?) {
        guard isActive else { return }
        state.withLock { $0 = State(title: title, total: total) }
    }

    /// Reports how many units are done; prints at most ten times a second.
    func show(_ done: Int) {
        guard isActive else { return }
        state.withLock { state in
            let now = ContinuousClock.now
            guard now - state.shown > .milliseconds(100) else { return }
            state.shown = now
            state.isVisible = true
            StandardError.control("\r\u{1B}[K" + TerminalText.harmless(Self.line(state.title, done: done, total: state.total, elapsed: now - state.start)))
        }
    }

    func end() {
        guard isActive else { return }
        state.withLock { state in
            if state.isVisible { StandardError.control("\r\u{1B}[K") }
            state.isVisible = false
        }
    }

    static func line(_ title: String, done: Int, total: Int?, elapsed: Duration) -> String {
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        let rate = seconds > 0 ? Double(done) / seconds : 0
        var line = "\(title): \(done)"
        if let total, total > 0 {
            line += "/\(total) (\(min(100, done * 100 / total)) %)"
            if rate > 0, done < total {
                line += ", \(Int((Double(total - done) / rate).rounded(.up))) s"
            }
        }
        return line + ", \(Int(rate))/s"
    }
}
