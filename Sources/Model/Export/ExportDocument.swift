package import Foundation

/// One export of one project, complete, from which a writer makes a file. Equal values give equal
/// bytes.
package struct ExportDocument {
    /// Machine name of the export; root element in XML.
    package var name: String
    package var packName: String
    package var packVersion: String
    package var cover: Cover
    package var sheets: [Sheet]
    package var language: Language
    package var timeZone: TimeZone
    package var asOf: Date
    package var texts: Texts
    /// What a workbook says about where it comes from.
    package var origin: BookOrigin

    package init(
        name: String, packName: String, packVersion: String, cover: Cover, sheets: [Sheet], language: Language,
        timeZone: TimeZone, asOf: Date, texts: Texts
    ) {
        self.name = name
        self.packName = packName
        self.packVersion = packVersion
        self.cover = cover
        self.sheets = sheets
        self.language = language
        self.timeZone = timeZone
        self.asOf = asOf
        self.texts = texts
        origin = BookOrigin(name)
    }
}

/// The first sheet of a workbook and the head of an XML file: describes the file. All texts are in
/// the run's language.
package struct Cover: Sendable, Hashable {
    package struct Line: Sendable, Hashable {
        /// Machine name, for XML.
        package var name: String
        package var label: String
        package var value: String

        package init(name: String, label: String, value: String) {
            self.name = name
            self.label = label
            self.value = value
        }
    }

    package struct Table: Sendable, Hashable {
        package var name: String
        package var title: String
        package var headers: [String]
        package var rows: [[String]]

        package init(name: String, title: String, headers: [String], rows: [[String]]) {
            self.name = name
            self.title = title
            self.headers = headers
            self.rows = rows
        }
    }

    package var title: String
    package var subtitle: String
    /// Shown prominently: `DEV`, `STAGING`; nil in production.
    package var environmentBanner: String?
    /// Shown prominently when the file is not final.
    package var draftBanner: String?
    /// System, environment, project, selection, actor, time, counts …, in order.
    package var lines: [Line]
    /// Records that were left out with the reasons, and findings by code.
    package var tables: [Table]
    /// The author in the document's properties.
    package var author: String

    package init(
        title: String, subtitle: String, environmentBanner: String? = nil, draftBanner: String? = nil, lines: [Line],
        tables: [Table], author: String
    ) {
        self.title = title
        self.subtitle = subtitle
        self.environmentBanner = environmentBanner
        self.draftBanner = draftBanner
        self.lines = lines
        self.tables = tables
        self.author = author
    }
}

/// One file of an export, written under its temporary name.
package struct WrittenFile: Sendable, Hashable {
    /// Complete, flushed and closed, beside `finalPath`, waiting to be renamed.
    package var temporaryPath: String
    package var finalPath: String
    package var bytes: Int64
    /// SHA-256, lower-case hexadecimal.
    package var sha256: String
    /// Rows of data, over all sheets.
    package var rows: Int

    package init(temporaryPath: String, finalPath: String, bytes: Int64, sha256: String, rows: Int) {
        self.temporaryPath = temporaryPath
        self.finalPath = finalPath
        self.bytes = bytes
        self.sha256 = sha256
        self.rows = rows
    }
}

/// Writes an export as one or several files. Each format is one conforming type.
package protocol ExportWriter {
    /// Writes `stem` with a suffix (`.xlsx`, `-calicatas.csv`, …), each file under a temporary name
    /// beside its final one, flushed to disk. On any error nothing is left behind. `progress` gets
    /// the number of rows so far.
    func write(
        _ document: ExportDocument, stem: String, findings: any FindingSink, progress: (Int) -> Void
    ) throws -> [WrittenFile]
}
