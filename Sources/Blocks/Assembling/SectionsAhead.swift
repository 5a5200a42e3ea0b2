import Foundation
import Model

extension ReportAssembler {
    /// Gives every section in order while a second thread reads rows and photos for the next few: pages are set and drawn on this thread.
    ///
    /// Nobody else touches the assembler, its source or its photos until this returns.
    package func forEachSectionAhead(isPreview: Bool = false, _ body: (SectionContent) throws -> Void) throws {
        let ahead = SectionsAhead(self, isPreview: isPreview)
        let thread = Thread { ahead.run() }
        thread.name = "fichero.sections"
        thread.start()
        defer { ahead.sections.stop() }
        var section: SectionContent?
        while try ahead.sections.take(&section) {
            // Its photos go with it: none waits in its place.
            if let section = section.take() { try body(section) }
        }
    }
}

/// An assembler on the thread that makes sections ahead.
private final class SectionsAhead: Sendable {
    private struct Stopped: Error {}

    /// Those that may wait, with their small photos.
    let sections = HandOver([SectionContent?](repeating: nil, count: 6))
    // Not Sendable, but used by the thread of `run` alone until the sections have ended.
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
