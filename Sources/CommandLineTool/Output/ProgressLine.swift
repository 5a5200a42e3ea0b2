import Foundation
import Model
import Pipeline
import Synchronization

/// One line on standard error that shows a step's progress, rate and remaining time. By default the
/// line is shown only if standard error is a terminal, so never in a cron job.
final class ProgressLine: RunDisplay {
    private struct State {
        var title = ""
        var total: Int?
        var start = ContinuousClock.now
        var shown = ContinuousClock.now
        var isVisible = false
    }

    private let isActive: Bool
    /// Whether standard error is a terminal, and not for example a log file.
    let isWatched = isatty(STDERR_FILENO) == 1
    private let state = Mutex(State())

    init(_ choice: ProgressChoice, isQuiet: Bool) {
        switch choice {
        case .always: isActive = true
        case .never: isActive = false
        case .auto: isActive = !isQuiet && isWatched
        }
    }

    func begin(_ title: String, total: Int?) {
        guard isActive else { return }
        state.withLock { $0 = State(title: title, total: total) }
    }

    func part(of total: @autoclosure () throws -> Int?) rethrows {
        guard isActive else { return }
        let total = try total()
        state.withLock { $0 = State(title: $0.title, total: total, isVisible: $0.isVisible) }
    }

    /// Prints at most ten times a second.
    func show(_ done: Int) { showLine { Self.line($0, done: done, total: $1, elapsed: $2) } }

    func show(_ done: Int, of units: String) {
        showLine { Self.line("\($0), \(units)", done: done, total: $1, elapsed: $2) }
    }

    func show(_ files: FileProgress) { showLine { title, _, elapsed in files.line(title, elapsed: elapsed) } }

    func warn(_ text: String) { StandardError.write(text + "\n") }

    /// The password that the environment contains, or that the person types.
    func password(_ question: String) -> String? {
        ProcessInfo.processInfo.environment["FICHERO_PASSWORD"] ?? PasswordPrompt.ask(question)
    }

    /// Shows a line that `line` makes from the step's title, its total and the elapsed time.
    private func showLine(_ line: (_ title: String, _ total: Int?, _ elapsed: Duration) -> String) {
        guard isActive else { return }
        state.withLock { state in
            let now = ContinuousClock.now
            guard now - state.shown > .milliseconds(100) else { return }
            state.shown = now
            state.isVisible = true
            let text = TerminalText.harmless(line(state.title, state.total, now - state.start))
            StandardError.control("\r\u{1B}[K" + (isWatched ? String(text.prefix(Self.width - 1)) : text))
        }
    }

    /// The width of the terminal in columns. A longer line would wrap, and could not be erased
    /// completely.
    private static var width: Int {
        var size = winsize()
        return unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1 ? Int(size.ws_col) : 80
    }

    func end() {
        guard isActive else { return }
        state.withLock { state in
            if state.isVisible { StandardError.control("\r\u{1B}[K") }
            state.isVisible = false
        }
    }

    static func line(_ title: String, done: Int, total: Int?, elapsed: Duration) -> String {
        let rate = elapsed > .zero ? Double(done) / (elapsed / .seconds(1)) : 0
        var line = "\(title): \(done)"
        if let total, total > 0 {
            line += "/\(total) (\(min(100, done * 100 / total)) %)"
            if rate > 0, done < total {
                line += ", " + timeLeft(Double(total - done) / rate)
            }
        }
        return line + ", \(Int(rate))/s"
    }

    /// `90 s`, `12 min`, `3 h 05 min`
    static func timeLeft(_ seconds: Double) -> String {
        let whole = Int(min(seconds, 3_600_000).rounded(.up))
        if whole < 120 { return "\(whole) s" }
        let minutes = (whole + 59) / 60
        if minutes < 120 { return "\(minutes) min" }
        return "\(minutes / 60) h \(minutes % 60 < 10 ? "0" : "")\(minutes % 60) min"
    }
}

extension FileProgress {
    /// `Sending files: 12/340, 81.4/310.2 MB (26 %), 130 s, 1.8 MB/s · pit.jpg 40 %`
    func line(_ title: String, elapsed: Duration) -> String {
        let rate = elapsed > .zero ? Double(moved) / (elapsed / .seconds(1)) : 0
        var line = "\(title): \(done)/\(count), \(Self.megabytes(Double(moved)))"
        if bytes > 0, moved <= bytes {
            line += "/\(Self.megabytes(Double(bytes))) MB (\(moved * 100 / bytes) %)"
            if rate > 0, moved < bytes { line += ", " + ProgressLine.timeLeft(Double(bytes - moved) / rate) }
        } else {
            line += " MB"
        }
        line += ", \(Self.megabytes(rate)) MB/s"
        let named = active.map { file in
            file.name + (file.bytes.map { $0 > 0 ? " \(min(100, file.moved * 100 / $0)) %" : "" } ?? "")
        }
        return named.isEmpty ? line : line + " · " + named.joined(separator: ", ")
    }

    /// Millions of bytes with one decimal.
    private static func megabytes(_ bytes: Double) -> String {
        let tenths = Int((bytes / 100_000).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
