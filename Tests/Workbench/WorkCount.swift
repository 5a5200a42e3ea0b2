import Foundation
import Glibc
import Synchronization

/// Counts what tests do beside their own statements: programs that they run, scenes, databases and
/// documents that they make. `Scripts/test --times` prints it.
package enum WorkCount {
    private struct Sum {
        var count = 0
        var seconds = 0.0
        var processor = 0.0
    }

    /// Where the counts go when the process ends; nil: nowhere.
    private static let file = ProcessInfo.processInfo.environment["FICHERO_WORK_COUNT"]
    private static let sums = Mutex<[String: Sum]>([:])
    private static let isWrittenAtEnd: Void = { atexit { WorkCount.write() } }()

    /// Adds something that was done.
    ///
    /// - Parameters:
    ///   - name: a kind of work and what it was, for example `run python3`.
    ///   - seconds: on the clock.
    ///   - processor: seconds of processor time of another process.
    package static func add(_ name: String, seconds: Double = 0, processor: Double = 0) {
        guard file != nil else { return }
        isWrittenAtEnd
        sums.withLock { sums in
            sums[name, default: Sum()].count += 1
            sums[name, default: Sum()].seconds += seconds
            sums[name, default: Sum()].processor += processor
        }
    }

    /// Does something and counts it.
    package static func measure<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
        let start = ContinuousClock.now
        defer { add(name, seconds: (ContinuousClock.now - start) / .seconds(1)) }
        return try body()
    }

    /// A line for each kind: name, count, seconds, seconds of processor time, with tabs between them.
    private static func write() {
        guard let file else { return }
        let lines = sums.withLock { sums in
            sums.sorted { $0.key < $1.key }.map { String(format: "%@\t%d\t%.3f\t%.3f\n", $0.key as NSString, $0.value.count, $0.value.seconds, $0.value.processor) }
        }
        try? lines.joined().write(toFile: file, atomically: true, encoding: .utf8)
    }
}
