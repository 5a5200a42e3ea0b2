package import Model

/// A first mapping for a foreign file, with what speaks for it. A suggestion: a person reads it before it is used.
package struct MappingSuggestion: Sendable {
    package let name: String
    /// As a mapping's `accepts` says it.
    package let kind: String
    /// Name of the file, without its folder.
    package let file: String
    package internal(set) var lookups: [String: [String: String]] = [:]
    package internal(set) var tables: [Table] = []
    package internal(set) var forms: [Form] = []
    /// Whether the file does not say which project its rows belong to.
    package internal(set) var needsProject = false
    /// Tables of the file that feed nothing.
    package internal(set) var unusedTables: [String] = []

    package struct Table: Sendable {
        package let name: String
        /// Whether the mapping must say the table's name: files of one table need not.
        package let isNamed: Bool
        package let hasHeading: Bool
        /// Where the heading stands over several rows.
        package var headingRows: ClosedRange<Int>? = nil
        package var isBlock = false
        package var down: [String] = []
        /// Texts below the records in the column of a key: sums, who wrote it.
        package var notes: (name: String, heading: String, texts: [String])? = nil
        package var requires: [String] = []
        package var targets: [Target] = []
        package var unused: [Unused] = []
    }

    package struct Form: Sendable {
        /// Empty for all.
        package let sheets: [String]
        package let start: SheetCell
        package let every: ImportMapping.Distance
        package let present: [String]
        package var values: [ImportMapping.FormValue]
        package var tables: [ImportMapping.FormTable]
        package let targets: [FormTarget]
        package let unused: [Unused]
    }

    package struct FormTarget: Sendable {
        /// Whether a line of the form's table is one, or the form.
        package let ofTable: Bool
        package let target: Target
    }

    package struct Target: Sendable {
        package let entity: Entity
        package var key: [String]
        package var repeats = false
        package var requires: [String] = []
        package var fields: [Choice] = []
        /// Fields that every record must have and no column feeds.
        package var missing: [Field] = []
    }

    package struct Choice: Sendable {
        package let field: ImportMapping.Field
        /// From 0 to 1; nil where nothing had to be chosen (parents, constants, numbers by position).
        package var score: Double?
        /// Share of the values looked at that fit.
        package var share: Double?
        /// Some values, shortened; none of fields with personal data.
        package var samples: [String] = []
        /// Some values that do not fit; none of fields with personal data.
        package var misfits: [String] = []
        /// Whether the heading alone would not have led here.
        package var isByContent = false
        /// Whether day and month could be either way round, or points stand for thousands.
        package var isUncertain = false
    }

    /// A column that feeds nothing. Its values are not shown: nobody knows what they are.
    package struct Unused: Sendable {
        package enum Reason: Sendable, Hashable {
            case empty, unknown
            /// Its name fits a field, its values do not.
            case valuesDoNotFit(String)
            /// Another column fits the field better.
            case taken(String)
            /// Only the first of columns with one heading can be named.
            case sameHeading
            /// A column without a heading among others that have one cannot be named.
            case noHeading
        }

        package let heading: String
        package let reason: Reason
    }

    /// The same as the program would load it.
    package var mapping: ImportMapping {
        ImportMapping(
            name: name, accepts: [kind], lookups: lookups,
            tables: tables.map { table in
                .init(
                    names: table.isNamed ? [table.name] : [], header: table.headingRows.map(ImportMapping.Header.rows) ?? (table.hasHeading ? .auto : .none), isBlock: table.isBlock,
                    columns: table.notes.map { [.init(name: $0.name, headings: [$0.heading], conversions: [.trim])] } ?? [], down: table.down,
                    requires: table.requires,
                    filter: table.notes.map { .isIn(.field(FieldPath($0.name)), $0.texts.map(Expression.text), negated: true) },
                    targets: table.targets.map(Self.target))
            },
            forms: forms.map { form in
                .init(
                    names: form.sheets, start: form.start, every: form.every, present: form.present, values: form.values, tables: form.tables,
                    rows: form.targets.map { .init(of: $0.ofTable ? .table(form.tables[0].name) : .form, Self.target($0.target)) })
            })
    }

    private static func target(_ target: Target) -> ImportMapping.Target {
        .init(entity: target.entity.name, key: target.key, fields: target.fields.map(\.field), repeats: target.repeats, requires: target.requires)
    }
}
