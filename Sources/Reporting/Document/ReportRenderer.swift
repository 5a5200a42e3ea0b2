package import Blocks
package import Model

/// Writes sections into a file, one after the other. Each format is one conforming type.
package protocol ReportRenderer: AnyObject {
    /// Adds the next section. The renderer keeps no more of it than the file needs.
    func add(_ section: SectionContent) throws
    /// Completes the file under its temporary name.
    /// - Returns: the file that was written; its `rows` are pages (PDF) or rows of sheets (XLSX).
    func finish() throws -> WrittenFile
}
