package import Blocks
package import Model

/// Turns sections into a file, one after the other. One format is one type conforming to this.
package protocol ReportRenderer: AnyObject {
    /// Takes the next section; nothing of it is kept longer than the file's own structure needs.
    func add(_ section: SectionContent) throws
    /// Completes the file under its temporary name.
    /// - Returns: what was written; `rows` counts sections' pages (PDF) or rows (XLSX).
    func finish() throws -> WrittenFile
}
