/// The mapping of an imported file's columns to fields of the pack's entities: `imports/NAME.yaml`.
/// Text: `import.NAME` (its title).
///
/// Headings, names of tables and words of lookups are matched without case, accents, spaces and
/// punctuation.
package struct ImportMapping: Sendable {
    package var name: String
    /// The displayed title, if the mapping's file contains it.
    package var titles: [Language: String] = [:]
    /// The path and SHA-256 of a mapping outside the pack.
    package var file: File?
    /// The code of the project given as an option of the import, if there is one.
    package var projectCode: String?
    package var projectID: String?
    /// Kinds of file that it accepts (`xlsx`, `csv`, …); empty: every kind.
    package var accepts: [String]
    /// Words of the file and their values in the pack, by the lookup's name.
    package var lookups: [String: [String: String]]
    /// Texts that mean a missing value in every cell of the file: `n/a`.
    package var blanks: [String]
    /// Parts left out on purpose: table names, headings, and first words of a row or a block.
    package var ignores: [String] = []
    package var tables: [Table]
    package var forms: [Form]
    /// Values that the file lacks and the importer gives.
    package var options: [Option] = []
    /// The values given for options of the import, by name.
    package var given: [String: String] = [:]
    /// Conditions under which the whole file is refused.
    package var refusals: [Refusal] = []

    package init(
        name: String, accepts: [String] = [], lookups: [String: [String: String]] = [:], blanks: [String] = [],
        tables: [Table] = [],
        forms: [Form] = []
    ) {
        self.name = name
        self.accepts = accepts
        self.lookups = lookups
        self.blanks = blanks
        self.tables = tables
        self.forms = forms
    }

    /// Reads a mapping of `imports/*.yaml`, or of an office's file.
    package init?(_ node: PackNode) {
        guard let name = node.text("import") else { return nil }
        self.init(
            name: name, accepts: node.texts("accepts"), lookups: node["lookups"]?.dictionary(\.table) ?? [:],
            blanks: node.texts("blank"),
            tables: node.items("tables").map(Table.init), forms: node.items("forms").map(Form.init))
        titles = node.titles("title")
        ignores = node.texts("ignore")
        options = node.pairs("options").map(Option.init)
        refusals = node.items("refuses").compactMap(Refusal.init)
    }

    /// The file of a mapping outside the pack.
    package struct File: Sendable, Hashable {
        package var path: String
        package var sha256: String

        package init(path: String, sha256: String) {
            self.path = path
            self.sha256 = sha256
        }
    }

    /// The mapping's identity in an import's record and in its rejected rows.
    package var identity: String {
        MappingIdentity(name: file?.path ?? name, sha256: file?.sha256, given: given, projectCode: projectCode).text
    }

    /// The place of a table's column names.
    package enum Header: Sendable, Hashable {
        /// The file's column names, or the row among the first rows with most of the mapping's
        /// columns.
        case auto
        /// This row of the sheet, counted from one.
        case row(Int)
        /// These rows: a column's name is all the headings above it, or only the last.
        case rows(ClosedRange<Int>)
        /// There are none: columns have their letters `A`, `B`, … as names, and every row contains
        /// data.
        case none
    }

    package struct Table: Sendable {
        /// Names of the matching sheets or tables, `*` for any part of a name; empty: the first
        /// visible table.
        package var names: [String]
        /// Exceptions among the tables that match `names`: they are left out on purpose.
        package var except: [String] = []
        /// JSON objects whose members are rows. The key is the object's path; the value is the heading
        /// for the members' names.
        package var keyed: [String: String] = [:]
        package var header: Header
        /// Whether it is one of several tables on its sheet. Its columns are adjacent and have the
        /// headings of the mapping, and a blank row ends it.
        package var isBlock: Bool
        /// Columns that `filter` and other expressions use by name.
        package var columns: [Column]
        /// Columns whose value is written once for the rows below it, the outermost first.
        package var down: [String]
        /// A row that lacks one of these columns is not a record; it is counted as filtered.
        package var requires: [String]
        /// A condition over `columns`; rows for which it is not true are counted as filtered.
        package var filter: Expression?
        /// Parent entities first: rows are imported in this order.
        package var targets: [Target]

        package init(
            names: [String] = [], header: Header = .auto, isBlock: Bool = false, columns: [Column] = [],
            down: [String] = [], requires: [String] = [],
            filter: Expression? = nil, targets: [Target]
        ) {
            self.down = down
            self.names = names
            self.header = header
            self.isBlock = isBlock
            self.columns = columns
            self.requires = requires
            self.filter = filter
            self.targets = targets
        }
    }

    /// A column with a name and a type, for use in expressions.
    package struct Column: Sendable {
        package var name: String
        package var type: FieldType
        /// The headings; the first non-empty column is used.
        package var headings: [String]
        package var conversions: [CellConversion]
        /// Instead of headings: a value about the row from another table.
        package var other: Field?

        package init(
            name: String, type: FieldType = .text, headings: [String], conversions: [CellConversion] = [],
            other: Field? = nil
        ) {
            self.other = other
            self.name = name
            self.type = type
            self.headings = headings
            self.conversions = conversions
        }
    }

    /// The rows of one entity that are made from a table: usually one for each row of the table.
    package struct Target: Sendable {
        package var entity: String
        /// Fields whose values identify a row; the row's id follows from them. Empty if `id`
        /// itself is a field.
        package var key: [String]
        package var fields: [Field]
        /// Whether many rows repeat the same record, as a register repeats its project. The first
        /// row creates the record.
        package var repeats: Bool
        /// The row's effect on earlier rows, in the order of the source.
        package var operation = RowOperation.add
        /// Fields by which `replace` finds the row; empty: by its id.
        package var match: [String] = []
        /// Columns that must be filled; other rows do not make a row of this entity.
        package var requires: [String]
        /// A condition over the table's `columns`; other rows do not make a row of this entity.
        package var filter: Expression?
        /// A row makes one row of the entity for each number of this range. In headings and constants,
        /// `{n}` is the number.
        package var each: ClosedRange<Int>?
        /// The picture that belongs to the row.
        package var photo: Photo?
        /// Columns of which only the first of several values is used; the others are reported.
        package var several: [Several]
        /// Whether a value that does not fit its field is left out and reported, and the row is
        /// imported without it.
        package var isLenient = false
        /// Fields whose values only new rows take; rows that are here already keep theirs.
        package var onlyNew: [String] = []

        package init(
            entity: String, key: [String] = [], fields: [Field], repeats: Bool = false, requires: [String] = [],
            filter: Expression? = nil,
            each: ClosedRange<Int>? = nil, photo: Photo? = nil, several: [Several] = []
        ) {
            self.several = several
            self.entity = entity
            self.key = key
            self.fields = fields
            self.repeats = repeats
            self.requires = requires
            self.filter = filter
            self.each = each
            self.photo = photo
        }
    }

    /// A column with possibly several values in one cell.
    package struct Several: Sendable {
        package var headings: [String]
        /// The text between the values.
        package var separator: String
    }

    /// Where a photo's file is: at a path in a column, or as content in a column. A path is relative
    /// to the imported file's folder or to one below it.
    package struct Photo: Sendable {
        package var headings: [String]
        /// Folder where the paths begin, below the imported file's folder.
        package var folder: String?
        /// Whether the column contains the file's bytes instead of its path.
        package var isContent = false

        package init(headings: [String], folder: String? = nil, isContent: Bool = false) {
            (self.headings, self.folder, self.isContent) = (headings, folder, isContent)
        }
    }

    package struct Field: Sendable, ExpressibleByStringLiteral {
        /// A field of the entity, or `sync_state`, `local_version`, `remote_updated_at` of a
        /// replica copied from a device.
        package var name: String
        package var value: Value
        package var conversions: [CellConversion]
        /// The time zone for times without one; nil: that of the pack.
        package var zone: String?
        /// Whether a file may lack the column.
        package var isOptional = false

        package init(_ name: String, _ value: Value, _ conversions: [CellConversion] = []) {
            self.name = name
            self.value = value
            self.conversions = conversions
        }

        /// A column's unchanged value, for use where a value does not belong to a field.
        package init(stringLiteral heading: String) {
            self.init("", .column([heading]))
        }

        /// The states of rows in a replica copied from a device, besides their fields.
        package static let stateNames: Set<String> = ["sync_state", "local_version", "remote_updated_at"]
    }

    package enum TablePart: String, Sendable, CaseIterable {
        /// The table's name.
        case name
        /// All columns of the table, as a JSON object.
        case columns
        /// The values of the table's key; if the source has no key, that of the first column.
        case key
    }

    package indirect enum Value: Sendable {
        /// The first non-empty column with one of these headings.
        case column([String])
        /// All non-empty columns, joined with a separator.
        case join([String], separator: String)
        case constant(String)
        /// The value of an option of the import; missing if the option was not given.
        case option(String)
        /// An expression over the table's `columns`.
        case expression(Expression)
        /// The id of the parent with this natural key; `by` is in the order of the parent's key.
        case parent(entity: String, by: [Field])
        /// A part of a parent's key, from the only record that these columns mention. They mention a
        /// record by its name, or by one of `words` and the number at the end of its key.
        case named([String], words: [String])
        /// Position of the row among those with the same values of these columns, from one.
        case ordinal([String])
        /// An edge of a layer, if the file has only the bottom or the thickness.
        case layer(Layer)
        /// A value from another table about the row with the same key.
        case other(Other)
        /// An id derived from these values, for entities without a field that identifies their
        /// rows.
        case identifier([Field])
        /// A JSON object, member by member, without empty values.
        case object([Field])
        /// Information from the table itself, for files whose tables and columns are not known in
        /// advance.
        case ofTable(TablePart)
        /// JSON objects merged into one, including nested objects; the first value of a member is
        /// used.
        case merge([Field])
    }

    /// Layers on top of each other, from the top down, starting anew for each record.
    package struct Layer: Sendable {
        package enum Edge: String, Sendable, CaseIterable { case top, bottom }
        package enum Given: String, Sendable {
            /// The bottom of each layer; its top is the bottom of the row above.
            case bottom
            case thickness
        }

        /// The depth that the file contains, and the depth to calculate.
        package var given: Given
        package var edge: Edge
        /// The column with the bottom or the thickness.
        package var headings: [String]
        /// Rows with the same values of these columns belong to one record.
        package var within: [String]
        /// A column that contains the edge itself; used if it is filled.
        package var unless: [String]
        /// The top of the first layer.
        package var first: String

        package init(
            _ given: Given, edge: Edge, headings: [String], within: [String] = [], unless: [String] = [],
            first: String = "0"
        ) {
            (self.given, self.edge, self.headings, self.within, self.unless, self.first) = (
                given, edge, headings, within, unless, first
            )
        }

        package var allHeadings: [String] { headings + within + unless }
    }

    /// Values from another table of the same file, found by a key: several rows of the file make
    /// one row of an entity.
    package struct Other: Sendable {
        /// How the values of several rows become one.
        package enum Taking: String, Sendable, CaseIterable {
            case first, last, join, sum, least = "min", greatest = "max", count
            /// Position of the number among those of all keys, the lowest 0.
            case rank
        }

        /// Name of the table.
        package var table: String
        /// The key: columns of that table, or a value about its row from a third table. Empty: the
        /// whole table.
        package var key: [Field]
        /// The values that must equal the key: columns of the current row, or values about the row
        /// from another table.
        package var by: [Field]
        /// Uses only rows of that table with these words in these columns.
        package var only: [String: String] = [:]
        package var content: Content

        package enum Content: Sendable {
            case value(headings: [String], Taking, separator: String)
            /// A JSON object with a member for each row of that table, with the member's name from
            /// one column; numbers are JSON numbers.
            case members(name: [String], value: [String])
            /// A JSON Schema of such an object: the kind of value and the unit of each member, and
            /// whether the member belongs to type or instance.
            case schema(name: [String], value: [String], unit: [String], scope: String)
        }
    }
}
