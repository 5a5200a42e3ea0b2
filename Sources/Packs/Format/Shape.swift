/// How a piece of a pack's file must look: what `ShapeCheck` holds it to and what the JSON Schema says.
indirect enum Shape: Sendable {
    case scalar(ScalarShape)
    case list(Shape, atLeast: Int = 0)
    case object(ObjectShape)
    /// A scalar, or one of several objects told apart by their first key.
    case choice(ScalarShape?, [ObjectShape])
    /// Free keys, each with a text.
    case table
    /// Free keys, each with a piece of this shape.
    case map(Shape)
    /// One piece, or a list of such.
    case oneOrMany(Shape)
    /// A shape that may hold itself.
    case deferred(@Sendable () -> Shape)

    // The words in which `PackFormat` is written.
    static let text = Shape.scalar(.text)
    static let name = Shape.scalar(.name)
    static let path = Shape.scalar(.path)
    static let expression = Shape.scalar(.expression)
    static let pattern = Shape.scalar(.pattern)
    static let boolean = Shape.scalar(.boolean)
    static let number = Shape.scalar(.number)
    static let date = Shape.scalar(.date)
    static func integer(_ range: ClosedRange<Int>) -> Shape { .scalar(.integer(range)) }
    static func word(_ words: [String]) -> Shape { .scalar(.word(words)) }
    static func word<Word: CaseIterable & RawRepresentable>(of type: Word.Type) -> Shape where Word.RawValue == String {
        .word(type.allCases.map(\.rawValue))
    }
}

/// What a scalar's text must be.
enum ScalarShape: Sendable, Hashable {
    /// Any text but an empty one.
    case text
    /// Nothing at all is one too, between quotes.
    case anyText
    /// A machine name: `calicata_cortes`.
    case name
    /// A machine name of exports, jobs, sheets and packs, which may have hyphens: `client-package`.
    case title
    /// A rule's code: `CORTE-INVERTIDO`.
    case code
    /// A field or a dotted path over references.
    case path
    case expression
    case pattern
    case boolean
    case integer(ClosedRange<Int>)
    case number
    case date
    /// A whole number or a path to one.
    case bound
    /// `true` or a field's name.
    case trueOrName
    case word([String])
}

/// A mapping with known keys.
struct ObjectShape: Sendable {
    struct Key: Sendable {
        var name: String
        var shape: Shape
        var isRequired: Bool
        var documentation: String

        static func required(_ name: String, _ shape: Shape, _ documentation: String) -> Key {
            Key(name: name, shape: shape, isRequired: true, documentation: documentation)
        }

        static func optional(_ name: String, _ shape: Shape, _ documentation: String) -> Key {
            Key(name: name, shape: shape, isRequired: false, documentation: documentation)
        }
    }

    /// Further keys that go with one value of a key: a rule's `check`.
    struct Variants: Sendable {
        var key: String
        var keys: [(value: String, keys: [Key])]
    }

    /// Name in the schema's `$defs`.
    var name: String
    var documentation: String
    var keys: [Key]
    var variants: Variants?
    /// Exactly one of these optional keys must be there.
    var exactlyOne: [String] = []

    init(_ name: String, _ documentation: String, _ keys: [Key], variants: Variants? = nil, exactlyOne: [String] = []) {
        self.name = name
        self.documentation = documentation
        self.keys = keys
        self.variants = variants
        self.exactlyOne = exactlyOne
    }
}
