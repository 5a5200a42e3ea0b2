/// One table as every writer receives it: a sheet in a workbook, a CSV file, a list of elements in
/// XML.
package struct Sheet {
    /// Machine name in snake_case or kebab-case ASCII: the XML element, and usually the CSV file.
    package var name: String
    /// Name of one row in XML: `calicata`.
    package var rowName: String
    /// Displayed title, in the run's language. The name of the sheet in a workbook is made from it,
    /// without the characters that Excel refuses.
    package var title: String
    /// The entity of the rows; nil if they are not rows of one entity.
    package var entity: String?
    package var columns: [SheetColumn]
    /// The columns that make an entry of a calendar; nil: calendars leave this sheet out.
    package var calendar: CalendarColumns?
    /// What makes it a form that comes back corrected; nil: it is only read.
    package var corrections: SheetCorrections?
    /// The number of rows left out because their group has too few people; nil: none was left out.
    package var suppressed: SuppressedRows?
    /// The number of rows that `open` will return, counted in the same read transaction.
    package var rowCount: Int
    /// Opens the rows once, when the writer reaches this sheet. Cells are in the order of
    /// `columns`.
    package var open: () throws -> any RowSource
    /// Opens the same rows in the same order, with latitude and longitude in degrees on WGS 84 after
    /// the columns; nil: the rows are not records with a place.
    package var openPlaced: (() throws -> any RowSource)?

    package init(
        name: String, rowName: String, title: String, entity: String? = nil, columns: [SheetColumn],
        calendar: CalendarColumns? = nil,
        suppressed: SuppressedRows? = nil, rowCount: Int, open: @escaping () throws -> any RowSource,
        openPlaced: (() throws -> any RowSource)? = nil
    ) {
        self.name = name
        self.rowName = rowName
        self.title = title
        self.entity = entity
        self.columns = columns
        self.calendar = calendar
        self.suppressed = suppressed
        self.rowCount = rowCount
        self.open = open
        self.openPlaced = openPlaced
    }
}

/// The numbers of rows and of groups that a sheet leaves out because these groups are too small.
package struct SuppressedRows: Sendable, Hashable {
    package var rows: Int
    package var groups: Int
    /// The least number of people that a group must have.
    package var below: Int

    package init(rows: Int, groups: Int, below: Int) { (self.rows, self.groups, self.below) = (rows, groups, below) }
}

/// One column of a sheet.
package struct SheetColumn: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case text
        case integer
        /// A number. `decimals` is the number of displayed decimals; nil: as many as the number
        /// has.
        case decimal(decimals: Int?)
        /// 0 or 1 in the rows. Written as words in a workbook and in CSV for Excel, and as `true`
        /// or `false` in standard CSV and XML.
        case boolean
        /// `yyyy-MM-dd` in the rows; a real date in a workbook.
        case date
        /// `HH:mm[:ss]` in the rows.
        case time
        /// An instant in UTC in the rows. Written in the office's time in a workbook and in CSV for
        /// Excel, and in UTC in standard CSV and XML.
        case dateTime
        /// A web address, or the name of one of `files`: a hyperlink in a workbook.
        case link
    }

    /// The relation of a column to the other tables of an export.
    package enum Joint: Sendable, Hashable {
        /// The column identifies the entity's rows: the id, or the field that is the entity's whole
        /// key.
        case key(field: String)
        /// The column refers to a row of an entity by the value of this field.
        case reference(entity: String, field: String)
    }

    /// Machine name: the header in standard CSV, the element in XML.
    package var name: String
    /// Displayed label, in the run's language, without the unit.
    package var label: String
    package var unit: String?
    package var kind: Kind
    /// The values of a closed vocabulary: a drop-down list in a workbook, an enumeration in an XSD
    /// (when `isClosed`).
    package var options: [String]
    /// Whether no values except `options` are allowed.
    package var isClosed: Bool
    /// Longest text to expect in characters, if known: for the column's width.
    package var expectedWidth: Int?
    /// Whether the column is made from a family's schema. XML then has `<parameter key="NAME">`, so
    /// that one XSD suits every family.
    package var isParameter: Bool
    /// Whether its texts are JSON, which a JSON file contains as JSON and not as a text.
    package var isJSON = false
    /// The relation to another table; nil: none.
    package var joint: Joint?
    /// The files to which a column of links refers; nil: its texts are web addresses.
    package var files: LinkedFiles?
    /// Whether the column is part of the key by which people recognise a row.
    package var isOfKey = false

    package init(
        name: String, label: String, unit: String? = nil, kind: Kind, options: [String] = [], isClosed: Bool = false,
        expectedWidth: Int? = nil, isParameter: Bool = false, joint: Joint? = nil
    ) {
        self.name = name
        self.label = label
        self.unit = unit
        self.kind = kind
        self.options = options
        self.isClosed = isClosed
        self.expectedWidth = expectedWidth
        self.isParameter = isParameter
        self.joint = joint
    }

    /// Label and unit as a header shows them: `Profundidad (m)`.
    package var header: String { unit.map { "\(label) (\($0))" } ?? label }
}

/// The files that a column refers to, so that a document may link to them.
package struct LinkedFiles: Sendable, Hashable {
    /// Their folder relative to the document, with a slash at its end: `../photos/`.
    package var folder: String
    /// The names of the missing files.
    package var absent: Set<String>

    package init(folder: String, absent: Set<String>) {
        self.folder = folder
        self.absent = absent
    }
}

/// A small table in memory, for workbooks and pages about a run (rejected rows, the summary of an
/// import).
package struct PlainTable: Sendable {
    package struct Column: Sendable {
        package var label: String
        /// In characters.
        package var width: Double
        package var isNumber: Bool
        package var isHidden: Bool

        package init(_ label: String, width: Double = 16, isNumber: Bool = false, isHidden: Bool = false) {
            self.label = label
            self.width = width
            self.isNumber = isNumber
            self.isHidden = isHidden
        }
    }

    package enum Mark: Sendable, Hashable {
        case done, contested, refused
    }

    package enum Cell: Sendable, Hashable {
        case empty
        case text(String)
        case number(Double)
        /// A value that needs attention.
        case fault(String)
        /// A value that is correct.
        case sound(String)
        /// A value that somebody changed, and what became of the change; the note says why.
        case marked(String, Mark, note: String?)
    }

    /// The name of the table's sheet, and its heading on a page.
    package var title: String
    package var columns: [Column]
    package var rows: [[Cell]]

    package init(title: String, columns: [Column], rows: [[Cell]]) {
        self.title = title
        self.columns = columns
        self.rows = rows
    }
}
