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
        jobs = files.map { ($0.path, $0.kind, SourceCounter.Options($0)) }
        let thread = Thread { [self] in
            count()
            done.signal()
        }
        thread.name = "fichero.counting"
        thread.start()
    }

    private func count() {
        for (index, job) in jobs.enumerated() {
            let result = count(job.path, job.kind, job.options)
            state.withLock { $0.counts[index] = result }
        }
    }

    private func count(_ path: String, _ kind: String, _ options: SourceCounter.Options) -> Result<SourceCount, CountFault> {
        var options = options
        options.isCancelled = { [self] in state.withLock(\.isCancelled) }
        do throws(CountFault) {
            return .success(try SourceCounter.count(path: path, kind: kind, options: options))
        } catch {
            return .failure(error)
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
            var result = counts[index]
            let rejected = file.rejectedLines()
            if !rejected.isEmpty, jobs.indices.contains(index) {
                // Which lines are no rows is known only now.
                var options = jobs[index].options
                options.rejectedLines = rejected
                result = count(file.path, file.kind, options)
            }
            return switch result {
            case .success(let count)?: Outcome(file: file.path, comparison: CountComparison(reader: file.given(), source: count), count: count)
            case .failure(let fault)?: Outcome(file: file.path, reason: fault.reason)
            case nil: Outcome(file: file.path, reason: "not counted")
            }
        }
    }
}

extension SourceCounter.Options {
    /// What the reader of a file knows of it beside its bytes.
    init(_ file: CountableFile) {
        self.init()
        if let encoding = file.encoding { self.encoding = encoding }
        if let dialect = file.dialect { (separator, quote, skipsFirstLine) = dialect }
        isWithoutMemos = file.isWithoutMemos
        isLines = file.isLines
    }
}
