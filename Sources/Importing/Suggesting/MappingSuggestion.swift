package import Model

/// A first mapping for an external file, with the evidence for it. It is a suggestion: a person
/// reads it before it is used.
package struct MappingSuggestion: Sendable {
    package let name: String
    /// The value for `accepts` in a mapping.
    package let kind: String
    /// Name of the file, without its folder.
    package let file: String
    package internal(set) var lookups: [String: [String: String]] = [:]
    package internal(set) var tables: [Table] = []
    package internal(set) var forms: [Form] = []
    /// Whether the file does not contain the project of its rows.
    package internal(set) var needsProject = false
    /// Tables of the file that feed no entity.
    package internal(set) var unusedTables: [String] = []

    package struct Table: Sendable {
        package let name: String
        /// Whether the mapping must name the table; a file with one table needs no name.
        package let isNamed: Bool
        package let hasHeading: Bool
        /// The rows of the heading, if there are several.
        package var headingRows: ClosedRange<Int>? = nil
        package var isBlock = false
        package var down: [String] = []
        /// Texts below the records in the column of a key: sums, author's notes.
        package var notes: (name: String, heading: String, texts: [String])? = nil
        package var requires: [String] = []
        package var targets: [Target] = []
        package var unused: [Unused] = []
    }

    package struct Form: Sendable {
        /// Empty means all sheets.
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
        /// Whether the record is a line of the form's table, not the form itself.
        package let ofTable: Bool
        package let target: Target
    }

    package struct Target: Sendable {
        package let entity: Entity
        package var key: [String]
        package var repeats = false
        package var requires: [String] = []
        package var fields: [Choice] = []
        /// Required fields that no column feeds.
        package var missing: [Field] = []
    }

    package struct Choice: Sendable {
        package let field: ImportMapping.Field
        /// From 0 to 1; nil if there was no choice to make (parents, constants, numbers by
        /// position).
        package var score: Double?
        /// The share of the examined values that fit.
        package var share: Double?
        /// Some values, shortened; none for fields with personal data.
        package var samples: [String] = []
        /// Some values that do not fit; none for fields with personal data.
        package var misfits: [String] = []
        /// Whether the heading alone would not have led to this choice.
        package var isByContent = false
        /// Whether day and month could be exchanged, or points could separate thousands.
        package var isUncertain = false
    }

    /// A column that feeds nothing. Its values are not shown, because they may be personal data.
    package struct Unused: Sendable {
        package enum Reason: Sendable, Hashable {
            case empty, unknown
            /// Its name matches a field, but its values do not fit.
            case valuesDoNotFit(String)
            /// Another column matches the field better.
            case taken(String)
            /// Only the first of several columns with the same heading can be named.
            case sameHeading
            /// A column without a heading, among columns that have one, cannot be named.
            case noHeading
        }

        package let heading: String
        package let reason: Reason
    }

    /// The same mapping as the program would load it.
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
