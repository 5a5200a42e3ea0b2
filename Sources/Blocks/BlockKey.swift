import Model

/// A key of a block in a template: its form, and what its value must refer to. The shape of packs,
/// their check and their schema are derived from this declaration.
package struct BlockKey: Sendable {
    package let name: String
    package let isRequired: Bool
    package let kind: Kind
    package let about: String

    package static func required(_ name: String, _ kind: Kind, _ about: String) -> BlockKey {
        BlockKey(name: name, isRequired: true, kind: kind, about: about)
    }

    package static func optional(_ name: String, _ kind: Kind, _ about: String) -> BlockKey {
        BlockKey(name: name, isRequired: false, kind: kind, about: about)
    }

    /// The rows whose columns a name or text may refer to.
    package enum Scope: Sendable {
        /// The section's row.
        case section
        /// The rows of the query given under another key of the block.
        case rows(of: String)

        package static let query = Scope.rows(of: "query")
    }

    /// The form of a key's value, and the place to which the value refers.
    package indirect enum Kind: Sendable {
        case query
        case column(Scope)
        case columns(Scope, atLeast: Int = 0)
        /// The key of a text, or a pattern.
        case text(Scope)
        /// A text as above for the section's row, with totals over the rows of the query given
        /// under another key: `{max(depth_m)}`.
        case totals(of: String)
        /// A literal text.
        case plainText
        /// A file in the report's folder.
        case file
        /// A Mustache file in the report's folder, filled from the section's row.
        case page
        case expression(Scope)
        case condition(Scope)
        /// The name of a section that is repeated for each row of a query (`each`).
        case section
        case integer(ClosedRange<Int>)
        case integers(ClosedRange<Int>, atLeast: Int)
        case number
        case numbers(atLeast: Int)
        case boolean
        case word([String])
        /// An object whose keys are columns, and whose values are among these words.
        case words([String], by: Scope)
        case objects(BlockObject, atLeast: Int = 0)
        /// A column's name alone, or an object with the keys of `BlockObject`.
        case value(BlockObject, Scope)
        case values(BlockObject, Scope, atLeast: Int = 0)

        package static func word<Word: CaseIterable & RawRepresentable>(of type: Word.Type) -> Kind
        where Word.RawValue == String {
            .word(type.allCases.map(\.rawValue))
        }

        package static func words<Word: CaseIterable & RawRepresentable>(of type: Word.Type, by scope: Scope) -> Kind
        where Word.RawValue == String {
            .words(type.allCases.map(\.rawValue), by: scope)
        }
    }
}

/// A group of keys under one key of a block.
package struct BlockObject: Sendable {
    /// The object's name in the JSON schema.
    package let name: String
    package let about: String
    package let keys: [BlockKey]
    /// Keys of which exactly one must be present.
    package var exactlyOne: [String] = []
    /// A key that is required unless the other one is present: one of them must define the value's
    /// meaning.
    package var needs: (key: String, unless: String)?
}

/// Keys that many blocks share.
extension BlockKey {
    static let query = required("query", .query, "The query whose rows are shown.")
    /// In blocks that show a query's rows, the title may also count them: `Pits ({count})`.
    static let title = optional("title", .totals(of: "query"), "Key of a text, or a pattern.")
    static let empty = optional("empty", .text(.section), "Text that stands where there are no rows.")
    static let height = optional("height", .integer(5...400), "Height in millimetres.")
}

extension PackNode {
    /// The value of `height`, in millimetres.
    var height: Double? { integer("height").map(Double.init) }

    /// The numbers of a list; the pack's check has already refused other items.
    func numbers(_ key: String) -> [Double] { items(key).compactMap { $0.text.flatMap(Double.init) } }
}
