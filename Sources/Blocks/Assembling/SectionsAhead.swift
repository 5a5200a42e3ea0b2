import Foundation
import Model

extension ReportAssembler {
    /// Passes on every section in order while a second thread reads rows and photos for the next
    /// few. Pages are set and drawn on this thread.
    ///
    /// No other code may use the assembler, its source or its photos until this method returns.
    package func forEachSectionAhead(isPreview: Bool = false, _ body: (SectionContent) throws -> Void) throws {
        let ahead = SectionsAhead(self, isPreview: isPreview)
        let thread = Thread { ahead.run() }
        thread.name = "fichero.sections"
        thread.start()
        defer { ahead.sections.stop() }
        var section: SectionContent?
        while try ahead.sections.take(&section) {
            // Takes the section out of the variable, so that its photos are released after use and
            // none stay in memory while the next section is awaited.
            if let section = section.take() { try body(section) }
        }
    }
}

/// Runs an assembler on a second thread, which makes sections ahead of their use.
private final class SectionsAhead: Sendable {
    private struct Stopped: Error {}

    /// Sections that may wait in the queue, with their small photos.
    let sections = BoundedQueue([SectionContent?](repeating: nil, count: 6))
    // Not Sendable, but used only by the thread of `run` until the sections have ended.
    nonisolated(unsafe) private let assembler: ReportAssembler
    private let isPreview: Bool

    init(_ assembler: ReportAssembler, isPreview: Bool) {
        unsafe self.assembler = assembler
        self.isPreview = isPreview
    }

    func run() {
        do {
            try unsafe assembler.forEachSection(isPreview: isPreview) { section in
                var section = Optional(section)
                guard try sections.give(&section) else { throw Stopped() }
            }
            sections.end()
        } catch {
            sections.end(error)
        }
    }
}
