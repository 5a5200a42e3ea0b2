/// A set of data files for machines and people: which sheets, columns, order and formats. Text: `export.NAME`.
package struct ExportDefinition: Sendable, Hashable {
    package var name: String
    /// The kind of record that is selected; every sheet's rows are those of selected records (or shared catalogues they use).
    package var record: String
    /// Those that are made where none is asked for, and those that are made only when they are asked for.
    package var formats: [ExportFormat]
    package var onRequest: [ExportFormat]
    package var sheets: [ExportSheet]
    /// What happens to records with errors, unless the run says otherwise.
    package var policy: FindingsPolicy
    /// Whether it hands records over: only then may it mark them, and then it holds approved ones alone.
    package var delivers: Bool
    /// A condition on the project (seen from its entity) that makes the files final; otherwise they are marked as drafts.
    package var finalWhen: Expression?
    /// Other exports and files that this one packs into one ZIP; then `sheets` is empty.
    package var bundle: Bundle?

    /// Every format that it can be had in.
    package var offered: [ExportFormat] { formats + onRequest }

    package struct Bundle: Sendable, Hashable {
        package var exports: [String]
        package var formats: [ExportFormat]
        /// The entity with the photos and its field with the unchanged file name.
        package var photoEntity: String?
        package var photoName: String?

        package init(exports: [String], formats: [ExportFormat], photoEntity: String? = nil, photoName: String? = nil) {
            self.exports = exports
            self.formats = formats
            self.photoEntity = photoEntity
            self.photoName = photoName
        }
    }

    package init(
        name: String, record: String, formats: [ExportFormat], onRequest: [ExportFormat] = [], sheets: [ExportSheet], policy: FindingsPolicy = .withholdRecords,
        delivers: Bool = false, finalWhen: Expression? = nil, bundle: Bundle? = nil
    ) {
        self.name = name
        self.record = record
        self.formats = formats
        self.onRequest = onRequest
        self.sheets = sheets
        self.policy = policy
        self.delivers = delivers
        self.finalWhen = finalWhen
        self.bundle = bundle
    }
}

/// The words for formats, in packs and on the command line: one line a format. Who writes each stands in `Exporting`.
package enum ExportFormat: String, Sendable, CaseIterable, Codable {
    case xlsx
    case csv
    case xml
    case sqlite
    case pdf
    case zip

    /// Whether it is made of an export's sheets; the others are made of pages, or of other files.
    package var isOfSheets: Bool { self != .pdf && self != .zip }
}

/// What an export does with records that have findings of severity error.
package enum FindingsPolicy: String, Sendable, CaseIterable, Codable {
    case withholdRecords = "withhold-records"
    case withholdFile = "withhold-file"
    case mark
}

/// One table of an export: a sheet in a workbook, a CSV file, a list of elements in XML. Text: `sheet.EXPORT.NAME`.
package struct ExportSheet: Sendable, Hashable {
    package var name: String
    package var entity: String
    /// Which rows: those belonging to selected records, or (`catalogue`) those that selected records refer to.
    package var rows: Rows
    /// One sheet for each row of this entity that selected rows lead to, over this path from the sheet's entity
    /// (`type_id.family_id`); the sheet's title is that row's `eachName`.
    package var forEach: FieldPath?
    package var eachName: String?
    package var columns: [ExportColumn]
    package var order: [FieldPath]

    package enum Rows: String, Sendable, Codable, CaseIterable {
        /// Rows of the record's root or parts that are selected.
        case record
        /// Rows that selected rows refer to, directly or over further references (projects, rooms, types).
        case referenced
        /// Every visible row of the project.
        case project
    }

    package init(
        name: String, entity: String, rows: Rows = .record, forEach: FieldPath? = nil, eachName: String? = nil,
        columns: [ExportColumn], order: [FieldPath]
    ) {
        self.name = name
        self.entity = entity
        self.rows = rows
        self.forEach = forEach
        self.eachName = eachName
        self.columns = columns
        self.order = order
    }
}

/// A column of an export's sheet, or several made from a schema.
package enum ExportColumn: Sendable, Hashable {
    /// A field reached over references; `name` is the column's machine name in CSV and XML; `label` the key of its text
    /// (by default the field's own); `isLink` makes it a hyperlink in a workbook.
    case field(FieldPath, name: String, label: String?, isLink: Bool)
    /// A stored number (`Numbering`).
    case number(numbering: String, name: String, label: String?)
    /// One column for each parameter of the `forEach` row's schema with the given scope; values from the JSON at `values`.
    case parameters(values: FieldPath, scope: String)
    /// The number of rows of another entity that refer to the row.
    case count(of: String, by: String, name: String, label: String?)
}
