import Dispatch
import Foundation
import Model
import Synchronization

extension ReportAssembler {
    /// Gives every section in order while a second thread reads rows and photos for the next few: pages are set and drawn on this thread.
    ///
    /// Nobody else touches the assembler, its source or its photos until this returns.
    package func forEachSectionAhead(isPreview: Bool = false, _ body: (SectionContent) throws -> Void) throws {
        let ahead = SectionsAhead(self, isPreview: isPreview)
        let thread = Thread { ahead.run() }
        thread.name = "fichero.sections"
        thread.start()
        defer { ahead.stop() }
        while let section = try ahead.take() { try body(section) }
    }
}

/// What both threads see of the sections that are ready.
private final class SectionsAhead: Sendable {
    /// Sections that may wait, with their small photos.
    private static let depth = 6

    private struct Stopped: Error {}
    private struct State {
        var sections: [SectionContent] = []
        var isStopping = false
        var failure: (any Error)?
    }

    // Not Sendable, but used by the thread of `run` alone between `init` and the end of `stop`, which waits for that thread.
    nonisolated(unsafe) private let assembler: ReportAssembler
    private let isPreview: Bool
    private let state = Mutex(State())
    private let free = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    init(_ assembler: ReportAssembler, isPreview: Bool) {
        unsafe self.assembler = assembler
        self.isPreview = isPreview
        // Signalled instead of given as the first value: a semaphore may not die below its first value, as it would after an error.
        for _ in 0..<Self.depth { free.signal() }
    }

    func run() {
        do {
            try unsafe assembler.forEachSection(isPreview: isPreview) { section in
                free.wait()
                try state.withLock { state in
                    if state.isStopping { throw Stopped() }
                    state.sections.append(section)
                }
                filled.signal()
            }
        } catch {
            state.withLock { $0.failure = error }
        }
        // One more than there are sections: the end.
        filled.signal()
        ended.signal()
    }

    /// The next section; nil at the end.
    func take() throws -> SectionContent? {
        filled.wait()
        let section = try state.withLock { state -> SectionContent? in
            if !state.sections.isEmpty { return state.sections.removeFirst() }
            if let failure = state.failure { throw failure }
            return nil
        }
        if section != nil { free.signal() }
        return section
    }

    func stop() {
        state.withLock { $0.isStopping = true }
        free.signal()
        ended.wait()
    }
}
