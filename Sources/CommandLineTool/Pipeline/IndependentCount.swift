import Counting
import Foundation
import Importing
import Model
import Synchronization

/// Counts the files of a source by code that shares nothing with their readers, on a thread of its own while they are read, and holds what
/// the readers gave against it.
final class IndependentCount: Sendable {
    /// What of a file was counted, and how it compares.
    struct Outcome {
        var file: String
        /// Nil where the file could not be counted; `reason` says why, in English.
        var comparison: CountComparison?
        var count: SourceCount?
        var reason: String?
    }

    private struct State {
        var counts: [Int: Result<SourceCount, CountFault>] = [:]
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let done = DispatchSemaphore(value: 0)
    private let jobs: [(path: String, kind: String, options: SourceCounter.Options)]

    /// Begins to count.
    init(_ files: [CountableFile]) {
        jobs = files.map { file in
            var options = SourceCounter.Options()
            if let encoding = file.encoding { options.encoding = encoding }
            if let dialect = file.dialect { (options.separator, options.quote, options.skipsFirstLine) = dialect }
            options.isWithoutMemos = file.isWithoutMemos
            return (file.path, file.kind, options)
        }
        let thread = Thread { [self] in
            count()
            done.signal()
        }
        thread.name = "fichero.counting"
        thread.start()
    }

    private func count() {
        for (index, job) in jobs.enumerated() {
            var options = job.options
            options.isCancelled = { [self] in state.withLock(\.isCancelled) }
            let result: Result<SourceCount, CountFault>
            do throws(CountFault) {
                result = .success(try SourceCounter.count(path: job.path, kind: job.kind, options: options))
            } catch {
                result = .failure(error)
            }
            state.withLock { $0.counts[index] = result }
        }
    }

    /// The import ends otherwise: nobody waits for the count.
    func cancel() { state.withLock { $0.isCancelled = true } }

    /// Waits for the count, after everything has been read, and compares.
    func outcomes(of files: [CountableFile]) -> [Outcome] {
        done.wait()
        done.signal()
        let counts = state.withLock(\.counts)
        return files.enumerated().map { index, file in
            switch counts[index] {
            case .success(let count)?: Outcome(file: file.path, comparison: CountComparison(reader: file.given(), source: count), count: count)
            case .failure(let fault)?: Outcome(file: file.path, reason: fault.reason)
            case nil: Outcome(file: file.path, reason: "not counted")
            }
        }
    }
}
