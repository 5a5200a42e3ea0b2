/// The mapping of a foreign file's columns to fields of the pack's entities: `imports/NAME.yaml`.
/// Text: `import.NAME` (its title).
///
/// Headings, names of tables and words of lookups are matched without case, accents, spaces and
/// punctuation.
package struct ImportMapping: Sendable {
    package var name: String
    /// Its title for people, where it has one of its own.
    package var titles: [Language: String] = [:]
    /// The path and SHA-256 of a mapping outside the pack.
    package var file: File?
    /// The code of the project that the import's option states, where there is one.
    package var projectCode: String?
    package var projectID: String?
    /// Kinds of file that it takes (`xlsx`, `csv`, …); none: every kind.
    package var accepts: [String]
    /// Words of the file and what they mean here, by the lookup's name.
    package var lookups: [String: [String: String]]
    /// Texts that mean, in every cell of the file, that there is nothing: `n/a`.
    package var blanks: [String]
    /// What is left out on purpose: names of tables, headings of columns, and texts with which a row or a block begins.
    package var ignores: [String] = []
    package var tables: [Table]
    package var forms: [Form]
    /// What the file does not say and whoever imports it does.
    package var options: [Option] = []
    /// The values of options that the import was given, by name.
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

    /// Of `imports/*.yaml`, or of a file of the office's own.
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

    /// A mapping's own file outside the pack.
    package struct File: Sendable, Hashable {
        package var path: String
        package var sha256: String

        package init(path: String, sha256: String) { (self.path, self.sha256) = (path, sha256) }
    }

    /// The identity in an import's record and in its rejected rows.
    package var identity: String {
        MappingIdentity(name: file?.path ?? name, sha256: file?.sha256, given: given, projectCode: projectCode).text
    }

    /// The source of the names of a table's columns.
    package enum Header: Sendable, Hashable {
        /// The file's own names, or the row among the first that has most of the columns of the
        /// mapping.
        case auto
        /// This row of the sheet, counted from one.
        case row(Int)
        /// These rows: a column has all the headings above it as its name, or only the last.
        case rows(ClosedRange<Int>)
        /// There are none: columns are called by their letters `A`, `B`, … and every row is one of
        /// data.
        case none
    }

    package struct Table: Sendable {
        /// Names of sheets or tables that this fits, `*` for any piece of a name; none: the first
        /// visible table.
        package var names: [String]
        /// Names that this does not fit, although they are like `names`: such tables are left out on
        /// purpose.
        package var except: [String] = []
        /// In a JSON document, objects whose members are rows, by path, and the heading of what the
        /// members are called.
        package var keyed: [String: String] = [:]
        package var header: Header
        /// Whether it is one of several tables on its sheet: its columns are adjacent and have the
        /// headings of the mapping, and a blank row ends it.
        package var isBlock: Bool
        /// Columns of `where` and of expressions, by their names there.
        package var columns: [Column]
        /// Columns whose value is written once for the rows below it, the outermost first.
        package var down: [String]
        /// A row that lacks one of these columns is not a record; it is counted as filtered.
        package var requires: [String]
        /// Over `columns`; rows of which it is not true are counted as filtered.
        package var filter: Expression?
        /// Parents first: the rows come in in this order.
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

    /// A column with a name and a type of its own, for expressions.
    package struct Column: Sendable {
        package var name: String
        package var type: FieldType
        /// The first of these headings that is filled.
        package var headings: [String]
        package var conversions: [CellConversion]
        /// Instead of headings: a value from another table about the row.
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

    /// The rows of one entity that a table gives: mostly one for each of its rows.
    package struct Target: Sendable {
        package var entity: String
        /// Fields whose values identify a row; the row's id follows from them. Empty where `id`
        /// itself is a field.
        package var key: [String]
        package var fields: [Field]
        /// Whether many rows repeat the same record, as a register repeats its project; the first
        /// creates it.
        package var repeats: Bool
        /// What a row does to the rows read before it, in the order of the source.
        package var operation = RowOperation.add
        /// Fields by which `replace` finds the row; none: by its id.
        package var match: [String] = []
        /// A row gives this entity only where these columns are filled.
        package var requires: [String]
        /// Over the table's `columns`: a row gives this entity only where it is true.
        package var filter: Expression?
        /// The numbers for which a row gives the entity once each; `{n}` in headings and constants
        /// is the number.
        package var each: ClosedRange<Int>?
        /// The picture that belongs to the row.
        package var photo: Photo?
        /// Columns of which only the first of several values is taken; the others are reported.
        package var several: [Several]
        /// Whether a value that does not fit its field is left out and reported, and the row comes in
        /// without it.
        package var isLenient = false

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

    /// A column that may hold several values in one cell.
    package struct Several: Sendable {
        package var headings: [String]
        /// The text between the values.
        package var separator: String
    }

    /// The place of the file of a photo's row: a path in a column, relative to the imported file's
    /// folder or to one below it; or the column contains the file itself.
    package struct Photo: Sendable {
        package var headings: [String]
        package var folder: String?
        /// Whether the column contains the file's bytes, not its path.
        package var isContent = false

        package init(headings: [String], folder: String? = nil, isContent: Bool = false) {
            (self.headings, self.folder, self.isContent) = (headings, folder, isContent)
        }
    }

    package struct Field: Sendable, ExpressibleByStringLiteral {
        /// A field of the entity, or `sync_state`, `local_version`, `remote_updated_at` of a
        /// replica copied off a device.
        package var name: String
        package var value: Value
        package var conversions: [CellConversion]
        /// The time zone of times that state none; nil: that of the pack.
        package var zone: String?
        /// Whether a file may lack the column.
        package var isOptional = false

        package init(_ name: String, _ value: Value, _ conversions: [CellConversion] = []) {
            self.name = name
            self.value = value
            self.conversions = conversions
        }

        /// A column's unchanged value, where a value does not belong to a field.
        package init(stringLiteral heading: String) {
            self.init("", .column([heading]))
        }

        /// The states that a replica copied from a device has for its rows, besides their fields.
        package static let stateNames: Set<String> = ["sync_state", "local_version", "remote_updated_at"]
    }

    package enum TablePart: String, Sendable, CaseIterable {
        /// The table's name.
        case name
        /// All its columns, as a JSON object.
        case columns
        /// The values of its key; where the source knows none, that of the first column.
        case key
    }

    package indirect enum Value: Sendable {
        /// The first that is filled, by any of its headings.
        case column([String])
        /// All that are filled, with a text between them.
        case join([String], separator: String)
        case constant(String)
        /// The value of an option of the import; nothing where it was not given.
        case option(String)
        /// Over the table's `columns`.
        case expression(Expression)
        /// The id of the parent with this natural key; `by` in the order of the parent's key.
        case parent(entity: String, by: [Field])
        /// A part of a parent's key: that of the one record that is named in these columns, in their
        /// words. A number behind one of `words` names the record whose key ends with it.
        case named([String], words: [String])
        /// Position of the row among those with the same values of these columns, from one.
        case ordinal([String])
        /// An edge of a layer, where the file has only the bottom or the thickness.
        case layer(Layer)
        /// A value from another table about the row with the same key.
        case other(Other)
        /// An id that follows from these values, for entities without a field that identifies their
        /// rows.
        case identifier([Field])
        /// A JSON object, member by member; what is empty is left out.
        case object([Field])
        /// What the table itself says about the row, where nobody knows beforehand which tables and
        /// columns a file has.
        case ofTable(TablePart)
        /// JSON objects merged into one, including the objects within them; the first that has a
        /// member counts.
        case merge([Field])
    }

    /// Layers that lie on each other, from the top down, beginning again for each record.
    package struct Layer: Sendable {
        package enum Edge: String, Sendable, CaseIterable { case top, bottom }
        package enum Given: String, Sendable {
            /// The bottom of each: its top is the bottom of the row above.
            case bottom
            case thickness
        }

        package var given: Given
        package var edge: Edge
        /// The column with the bottom or the thickness.
        package var headings: [String]
        /// Rows with the same values of these columns are of one record.
        package var within: [String]
        /// A column with the edge itself, where it is filled.
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
        /// The key: its columns, or a value from a third table about its row. Empty: the whole
        /// table.
        package var key: [Field]
        /// The values that must equal the key: the row's own columns, or values from another table
        /// about the row.
        package var by: [Field]
        /// Only its rows that have these words in these columns.
        package var only: [String: String] = [:]
        package var content: Content

        package enum Content: Sendable {
            case value(headings: [String], Taking, separator: String)
            /// A JSON object: a member for each of its rows, named by one column; numbers as
            /// numbers.
            case members(name: [String], value: [String])
            /// A JSON Schema of such an object: the kind of value and the unit of each member, and
            /// whether it belongs to type or instance.
            case schema(name: [String], value: [String], unit: [String], scope: String)
        }
    }
}
