import Counting
import Foundation
import Importing
import Model
import Synchronization

/// Counts the files of a source with code that shares nothing with their readers. It counts on a
/// separate thread while the readers run, and compares the result with the readers' counts.
final class IndependentCount: Sendable {
    /// The count of a file, and its comparison.
    struct Outcome {
        var file: String
        /// The comparison; nil if the file could not be counted, for `reason` (in English).
        var comparison: CountComparison?
        var count: SourceCount?
        /// The reader's counts of each table that it read to its end.
        var given: [TableCount]
        var reason: String?

        /// The count of a table; nil if it was not counted, or cannot be distinguished from other
        /// tables of its name.
        func counted(_ table: String) -> TableCount? {
            guard let count, comparison?.uncounted.contains(where: { $0.table == table }) == false else { return nil }
            let named = count.tables.filter { $0.name == table }
            return named.count == 1 ? named[0] : named.isEmpty && count.tables.count == 1 ? count.tables[0] : nil
        }

        /// The count of the column that fills a field; nil if the count does not cover the sum of
        /// its numbers.
        func numbers(of field: FieldUse, _ use: ColumnUse) -> TableCount.Column? {
            guard let counted = counted(use.table), let count, let comparison else { return nil }
            let isSame: (CountComparison.Sum) -> Bool
            let own: [TableCount.Column]
            if count.columnsByName {
                guard use.columns.indices.contains(field.column) else { return nil }
                let name = use.columns[field.column].name
                guard !count.leavesOut(name, of: counted.name) else { return nil }
                own = counted.columns.filter { $0.name == name }
                isSame = { $0.columnName == name }
            } else {
                own = counted.columns.indices.contains(field.column) ? [counted.columns[field.column]] : []
                isSame = { $0.column == field.column }
            }
            guard own.count == 1, comparison.sums.allSatisfy({ $0.table != use.table || !isSame($0) || $0.isCovered })
            else { return nil }
            return own[0]
        }

        /// The number and the sum of a column's numbers; nil if the count does not cover them.
        func sum(of table: String, _ isColumn: (CountComparison.Sum) -> Bool) -> TableCount.Numbers? {
            let sums = (comparison?.sums ?? []).filter { $0.table == table && isColumn($0) }
            guard !sums.isEmpty, sums.allSatisfy(\.isCovered) else { return nil }
            return TableCount.Numbers(count: sums.reduce(0) { $0 + $1.count }, sum: sums.reduce(0) { $0 + $1.value })
        }
    }

    private struct State {
        var counts: [Int: Result<SourceCount, CountFault>] = [:]
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let done = DispatchSemaphore(value: 0)
    private let jobs: [(path: String, kind: String, options: SourceCounter.Options)]

    init(_ files: [CountableFile], limits: TableLimits = TableLimits()) {
        jobs = files.map { file in
            var options = SourceCounter.Options(file)
            options.bounds = CountBounds(limits)
            if file.archive != nil { options.bounds.take(limits.packages) }
            return (file.archive?.path ?? file.path, file.kind, options)
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
            let result = count(job.path, job.kind, job.options)
            state.withLock { $0.counts[index] = result }
        }
    }

    private func count(_ path: String, _ kind: String, _ options: SourceCounter.Options) -> Result<
        SourceCount, CountFault
    > {
        var options = options
        options.isCancelled = { [self] in state.withLock(\.isCancelled) }
        do throws(CountFault) {
            return .success(try SourceCounter.count(path: path, kind: kind, options: options))
        } catch {
            return .failure(error)
        }
    }

    /// Cancels the count when the import ends early.
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
                // Only after the reading is it known which lines are not rows.
                var options = jobs[index].options
                options.rejectedLines = rejected
                result = count(jobs[index].path, file.kind, options)
            }
            return switch result {
            case .success(let count)?:
                Outcome(
                    file: file.path, comparison: CountComparison(reader: file.given(), source: count), count: count,
                    given: file.given())
            case .failure(let fault)?: Outcome(file: file.path, given: file.given(), reason: fault.reason)
            case nil: Outcome(file: file.path, given: file.given(), reason: "not counted")
            }
        }
    }
}

extension SourceCounter.Options {
    /// The options with which a file's reader interprets the bytes.
    init(_ file: CountableFile) {
        self.init()
        if let encoding = file.encoding { self.encoding = encoding }
        if let dialect = file.dialect { (separator, quote, skipsFirstLine) = dialect }
        entry = file.archive?.entry
        isWithoutMemos = file.isWithoutMemos
        isLines = file.isLines
        nested = file.nested
        keyed = file.keyed
        leftOut = file.leftOut
    }
}

extension CountBounds {
    /// Applies the limits of packages, for files inside one.
    fileprivate mutating func take(_ limits: PackageLimits) {
        (archiveEntries, entryBytes) = (limits.entries, limits.entryByteCount)
        compressionRatio = limits.ratio
    }

    /// The options with the limits of a run.
    init(_ limits: TableLimits) {
        self.init()
        (columns, rows, depth, cellBytes) = (limits.columns, limits.rows, limits.depth, limits.cellBytes)
        (jsonDepth, jsonNumberLength, jsonRowBytes) = limits.jsonBounds
        (archiveEntries, partBytes, entryBytes, compressionRatio) = (
            limits.archiveEntries, limits.partBytes, limits.entryBytes, limits.compressionRatio
        )
        ofFormats = limits.ofFormats
    }
}
