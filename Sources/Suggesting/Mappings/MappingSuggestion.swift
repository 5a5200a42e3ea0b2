import Importing
package import Model

/// A first mapping for an external file, with the evidence for each choice. A person must read the
/// suggestion before it is used.
package struct MappingSuggestion: Sendable {
    package let name: String
    /// The file's kind, as the value of `accepts` in the mapping.
    package let kind: String
    /// Name of the file, without its folder.
    package let file: String
    package internal(set) var lookups: [String: [String: String]] = [:]
    package internal(set) var tables: [Table] = []
    package internal(set) var forms: [Form] = []
    /// Whether the user must name the project, because the file does not contain it.
    package internal(set) var needsProject = false
    /// Tables of the file whose rows belong to no entity.
    package internal(set) var unusedTables: [String] = []

    package struct Table: Sendable {
        package let name: String
        /// Whether the mapping must name the table; a file with one table needs no name.
        package let isNamed: Bool
        package let hasHeading: Bool
        /// The rows of the heading, if there are several.
        package var headingRows: ClosedRange<Int>? = nil
        package var isBlock = false
        /// Headings of columns whose values are filled down into blank cells.
        package var down: [String] = []
        /// Texts in the column of a key, below the records: sums, remarks of the author.
        package var notes: (name: String, heading: String, texts: [String])? = nil
        package var requires: [String] = []
        package var targets: [Target] = []
        package var unused: [Unused] = []
    }

    package struct Form: Sendable {
        /// Names of the sheets; empty: all sheets.
        package let sheets: [String]
        package let start: SheetCell
        package let every: ImportMapping.Distance
        package let present: [String]
        package var values: [ImportMapping.FormValue]
        package var tables: [ImportMapping.FormTable]
        package let targets: [SuggestedRows]
        package let unused: [Unused]
    }

    package struct SuggestedRows: Sendable {
        /// Whether each record is a line of the form's table, and not the form itself.
        package let ofTable: Bool
        package let target: Target
    }

    package struct Target: Sendable {
        package let entity: Entity
        package var key: [String]
        package var repeats = false
        package var requires: [String] = []
        package var fields: [Choice] = []
        /// Required fields for which the file has no column.
        package var missing: [Field] = []
    }

    package struct Choice: Sendable {
        package let field: ImportMapping.Field
        /// Certainty from 0 to 1. Nil if there was nothing to choose (parents, constants, numbers
        /// by position).
        package var score: Double?
        /// The share of the examined values that fit.
        package var share: Double?
        /// Some values, shortened; none for fields with personal data.
        package var samples: [String] = []
        /// Some values that do not fit; none for fields with personal data.
        package var misfits: [String] = []
        /// Whether the values led to this choice, and the heading alone would not have.
        package var isByContent = false
        /// Whether day and month could be exchanged, or points could separate thousands.
        package var isUncertain = false
    }

    /// A column that no field uses. Its values are not shown, because they may be personal data.
    package struct Unused: Sendable {
        package enum Reason: Sendable, Hashable {
            case empty, unknown
            /// The heading matches a field, but the values do not fit.
            case valuesDoNotFit(String)
            /// Another column matches the field better.
            case taken(String)
            /// Another column has the same heading, and a mapping can name only the first one.
            case sameHeading
            /// The column has no heading, although others have one, so a mapping cannot name it.
            case noHeading
        }

        package let heading: String
        package let reason: Reason
    }

    /// The suggestion as the program would load it from a pack.
    package var mapping: ImportMapping {
        ImportMapping(
            name: name, accepts: [kind], lookups: lookups,
            tables: tables.map { table in
                .init(
                    names: table.isNamed ? [table.name] : [],
                    header: table.headingRows.map(ImportMapping.Header.rows) ?? (table.hasHeading ? .auto : .none),
                    isBlock: table.isBlock,
                    columns: table.notes.map { [.init(name: $0.name, headings: [$0.heading], conversions: [.trim])] }
                        ?? [], down: table.down,
                    requires: table.requires,
                    filter: table.notes.map {
                        .isIn(.field(FieldPath($0.name)), $0.texts.map(Expression.text), negated: true)
                    },
                    targets: table.targets.map(Self.target))
            },
            forms: forms.map { form in
                .init(
                    names: form.sheets, start: form.start, every: form.every, present: form.present,
                    values: form.values, tables: form.tables,
                    rows: form.targets.map {
                        .init(of: $0.ofTable ? .table(form.tables[0].name) : .form, Self.target($0.target))
                    })
            })
    }

    private static func target(_ target: Target) -> ImportMapping.Target {
        .init(
            entity: target.entity.name, key: target.key, fields: target.fields.map(\.field), repeats: target.repeats,
            requires: target.requires)
    }
}
