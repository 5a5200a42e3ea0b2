/// What a document says of itself.
package struct ArchiveDescription: Sendable, Hashable {
    package var title: String
    package var author: String
    package var subject: String
    package var keywords: String
    /// The program that asked for the file.
    package var creator: String
    /// What wrote the file.
    package var producer: String
    /// ISO 8601 with seconds and `Z` or an offset, `2026-03-01T10:00:00Z`.
    package var created: String
    package var modified: String
    /// `es`.
    package var language: String

    package init(
        title: String, author: String = "", subject: String = "", keywords: String = "", creator: String = "", producer: String = "", created: String,
        modified: String, language: String
    ) {
        self.title = title
        self.author = author
        self.subject = subject
        self.keywords = keywords
        self.creator = creator
        self.producer = producer
        self.created = created
        self.modified = modified
        self.language = language
    }

    /// The document's information dictionary (ISO 32000-1, 14.3.3).
    var information: String {
        let texts = [("Title", title), ("Author", author), ("Subject", subject), ("Keywords", keywords), ("Creator", creator), ("Producer", producer)]
        let filled = texts.filter { !$0.1.isEmpty }.map { "/\($0.0) \(PDFText.string($0.1))" }
        return "<<" + filled.joined(separator: "\n") + "\n/CreationDate \(PDFText.date(created))\n/ModDate \(PDFText.date(modified))>>"
    }
}
