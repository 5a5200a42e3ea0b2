/// Which columns of a foreign file feed which fields of the pack's entities: `imports/NAME.yaml`. Text: `import.NAME` (its title).
///
/// Headings, names of tables and words of lookups are matched without case, accents, spaces and punctuation.
package struct ImportMapping: Sendable {
    package var name: String
    /// What it is called for people, where it says so itself.
    package var titles: [Language: String] = [:]
    /// Where it stands, of one that is not of the pack: path and SHA-256.
    package var file: File?
    /// Code of the project that the import was told, where it was.
    package var projectCode: String?
    package var projectID: String?
    /// Kinds of file that it takes (`xlsx`, `csv`, …); none: every kind.
    package var accepts: [String]
    /// Words of the file and what they mean here, by the lookup's name.
    package var lookups: [String: [String: String]]
    /// Texts that mean, in every cell of the file, that there is nothing: `n/a`.
    package var blanks: [String]
    package var tables: [Table]
    package var forms: [Form]

    package init(
        name: String, accepts: [String] = [], lookups: [String: [String: String]] = [:], blanks: [String] = [], tables: [Table] = [],
        forms: [Form] = []
    ) {
        self.name = name
        self.accepts = accepts
        self.lookups = lookups
        self.blanks = blanks
        self.tables = tables
        self.forms = forms
    }

    /// A mapping's own file outside the pack.
    package struct File: Sendable, Hashable {
        package var path: String
        package var sha256: String

        package init(path: String, sha256: String) { (self.path, self.sha256) = (path, sha256) }
    }

    /// What an import's record and its rejected rows know the mapping by: its name, or `PATH@SHA256`; with `#CODE` where the project was told.
    package var identity: String {
        (file.map { $0.path + "@" + $0.sha256 } ?? name) + (projectCode.map { "#" + $0 } ?? "")
    }

    /// Where a table's columns have their names from.
    package enum Header: Sendable, Hashable {
        /// The file's own names, or the row among the first that has the most of the columns that are asked for.
        case auto
        /// This row of the sheet, counted from one.
        case row(Int)
        /// These rows: a column is called by all that stands above it, or by the last of it alone.
        case rows(ClosedRange<Int>)
        /// There are none: columns are called by their letters `A`, `B`, … and every row is one of data.
        case none
    }

    package struct Table: Sendable {
        /// Names of sheets or tables that this fits, `*` for any piece of a name; none: the first visible table.
        package var names: [String]
        package var header: Header
        /// Whether it is one of several on its sheet: its columns are those side by side with what is asked for, and a blank row ends it.
        package var isBlock: Bool
        /// Columns that `where` and expressions speak of, by the name that they have there.
        package var columns: [Column]
        /// Columns whose value stands once for the rows below it, the outermost first.
        package var down: [String]
        /// A row lacking any of these columns is no record; it is counted as filtered.
        package var requires: [String]
        /// Over `columns`; rows of which it is not true are counted as filtered.
        package var filter: Expression?
        /// Parents first: the rows come in in this order.
        package var targets: [Target]

        package init(
            names: [String] = [], header: Header = .auto, isBlock: Bool = false, columns: [Column] = [], down: [String] = [], requires: [String] = [],
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
        /// Instead of headings: what another table says of the row.
        package var other: Field?

        package init(name: String, type: FieldType = .text, headings: [String], conversions: [CellConversion] = [], other: Field? = nil) {
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
        /// Fields whose values tell one row from another; the row's id follows from them. Empty where `id` itself is a field.
        package var key: [String]
        package var fields: [Field]
        /// Whether many rows name the same one, as a register repeats its project: the first makes it.
        package var repeats: Bool
        /// A row gives this entity only where these columns are filled.
        package var requires: [String]
        /// Over the table's `columns`: a row gives this entity only where it is true.
        package var filter: Expression?
        /// One row of the table gives several of the entity: `{n}` in headings and constants stands for each of these numbers in turn.
        package var each: ClosedRange<Int>?
        /// The picture that belongs to the row.
        package var photo: Photo?
        /// Columns of which only the first of several values is taken: the others are told.
        package var several: [Several]

        package init(
            entity: String, key: [String] = [], fields: [Field], repeats: Bool = false, requires: [String] = [], filter: Expression? = nil,
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

        package init(headings: [String], separator: String) {
            (self.headings, self.separator) = (headings, separator)
        }
    }

    /// Where the file of a photo's row lies: a path in a column, relative to the imported file's folder or to one below it.
    package struct Photo: Sendable {
        package var headings: [String]
        package var folder: String?

        package init(headings: [String], folder: String? = nil) {
            self.headings = headings
            self.folder = folder
        }
    }

    package struct Field: Sendable, ExpressibleByStringLiteral {
        /// A field of the entity, or `sync_state`, `local_version`, `remote_updated_at` of a replica copied off a device.
        package var name: String
        package var value: Value
        package var conversions: [CellConversion]

        package init(_ name: String, _ value: Value, _ conversions: [CellConversion] = []) {
            self.name = name
            self.value = value
            self.conversions = conversions
        }

        /// A column as it is, where no field is meant.
        package init(stringLiteral heading: String) {
            self.init("", .column([heading]))
        }

        /// What a replica copied off a device says of its rows beside their fields.
        package static let stateNames: Set<String> = ["sync_state", "local_version", "remote_updated_at"]
    }

    package indirect enum Value: Sendable {
        /// The first that is filled, by any of its headings.
        case column([String])
        /// All that are filled, with a text between them.
        case join([String], separator: String)
        case constant(String)
        /// Over the table's `columns`.
        case expression(Expression)
        /// The id of the parent with this natural key; `by` in the order of the parent's key.
        case parent(entity: String, by: [Field])
        /// Position of the row among those with the same values of these columns, from one.
        case ordinal([String])
        /// An edge of a layer, of which the file says only the bottom or the thickness.
        case layer(Layer)
        /// What another table says of the row with the same key.
        case other(Other)
        /// An id that follows from these values, for entities without a field that tells their rows apart.
        case identifier([Field])
        /// A JSON object, member by member; what is empty is left out.
        case object([Field])
        /// JSON objects put into one, and the objects within them too; the first that has a member counts.
        case merge([Field])
    }

    /// Layers that lie one upon the other, from the top down, anew for each record.
    package struct Layer: Sendable {
        package enum Edge: String, Sendable, CaseIterable { case top, bottom }
        package enum Given: String, Sendable {
            /// The bottom of each: its top is the bottom of the row above.
            case bottom
            case thickness
        }

        package var given: Given
        package var edge: Edge
        /// The column that says it.
        package var headings: [String]
        /// Rows with the same values of these columns are of one record.
        package var within: [String]
        /// A column that says the edge itself, where it is filled.
        package var unless: [String]
        /// The top of the first layer.
        package var first: String

        package init(_ given: Given, edge: Edge, headings: [String], within: [String] = [], unless: [String] = [], first: String = "0") {
            (self.given, self.edge, self.headings, self.within, self.unless, self.first) = (given, edge, headings, within, unless, first)
        }

        package var allHeadings: [String] { headings + within + unless }
    }

    /// Values out of another table of the same file, found by a key: one row of an entity from several of the file.
    package struct Other: Sendable {
        /// How the values of several rows become one.
        package enum Taking: String, Sendable, CaseIterable {
            case first, last, join, sum, least = "min", greatest = "max", count
            /// Position of the number among those of all keys, the lowest 0.
            case rank
        }

        /// Name of the table.
        package var table: String
        /// What holds the key: its columns, or what a third table says of its row. Empty: the whole table is meant.
        package var key: [Field]
        /// What must say the same: the row's own columns, or what another table says of the row.
        package var by: [Field]
        /// Only its rows that have these words in these columns.
        package var only: [String: String]
        package var content: Content

        package enum Content: Sendable {
            case value(headings: [String], Taking, separator: String)
            /// A JSON object: a member for each of its rows, named by one column; numbers as numbers.
            case members(name: [String], value: [String])
            /// A JSON Schema of such an object: what kind of value each member has, its unit, and whether it belongs to type or instance.
            case schema(name: [String], value: [String], unit: [String], scope: String)
        }

        package init(table: String, key: [Field], by: [Field], only: [String: String] = [:], content: Content) {
            self.table = table
            self.key = key
            self.by = by
            self.only = only
            self.content = content
        }
    }
}
