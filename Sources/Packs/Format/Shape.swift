internal import Blocks
internal import Model

/// The shape of a part of a pack's file. `ShapeCheck` checks it, and the JSON Schema describes it.
indirect enum Shape: Sendable {
    case scalar(ScalarShape)
    case list(Shape, atLeast: Int = 0)
    case object(ObjectShape)
    /// A scalar, or one of several objects, distinguished by their first key.
    case choice(ScalarShape?, [ObjectShape])
    /// Any keys, each with a text.
    case table
    /// Any keys, each with a value of this shape.
    case map(Shape)
    /// One value, or a list of values.
    case oneOrMany(Shape)
    /// A different shape for a scalar, for a list and for a mapping; nil: none may stand there.
    case byKind(scalar: Shape? = nil, list: Shape, map: Shape? = nil)
    /// A shape that may contain itself.
    case deferred(@Sendable () -> Shape)

    // Short forms for `PackFormat`.
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

/// The form of a scalar's text.
enum ScalarShape: Sendable, Hashable {
    /// Any text, unless it is empty.
    case text
    /// Any text; an empty one must be in quotes.
    case anyText
    /// A machine name: `calicata_cortes`.
    case name
    /// A name of an export, job, sheet or pack, which may have hyphens: `client-package`.
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
        /// What the value, or each item of a list, is the name of; nil: of nothing, or of something
        /// that a check of its own looks up.
        var reference: Reference?

        static func required(
            _ name: String, _ shape: Shape, of reference: Reference? = nil, _ documentation: String
        ) -> Key {
            Key(name: name, shape: shape, isRequired: true, documentation: documentation, reference: reference)
        }

        static func optional(
            _ name: String, _ shape: Shape, of reference: Reference? = nil, _ documentation: String
        ) -> Key {
            Key(name: name, shape: shape, isRequired: false, documentation: documentation, reference: reference)
        }
    }

    /// Further keys for each value of a deciding key, such as a rule's `check`.
    struct Variants: Sendable {
        var key: String
        var keys: [(value: String, keys: [Key])]
    }

    /// The name in the schema's `$defs`.
    var name: String
    var documentation: String
    var keys: [Key]
    var variants: Variants?
    /// Optional keys of which exactly one must exist.
    var exactlyOne: [String] = []
    /// The key with the name of the entity whose fields the other keys name. If the entity is
    /// unknown, these are not looked up.
    var subject: String?

    init(
        _ name: String, _ documentation: String, _ keys: [Key], variants: Variants? = nil, exactlyOne: [String] = [],
        subject: String? = nil
    ) {
        self.name = name
        self.documentation = documentation
        self.keys = keys
        self.variants = variants
        self.exactlyOne = exactlyOne
        self.subject = subject
    }
}

/// What a name in a pack's file must be the name of. `BlockKey.Kind` says the same of the keys of
/// blocks. `ReferenceCheck` looks the names up.
enum Reference: Sendable {
    case entity
    case vocabulary
    /// Roles of a list, none of them twice.
    case roles
    /// A field of the entity that the object is about, or of the project.
    case field(Fit = .any, ofProject: Bool = false)
    /// Fields of a list, none of them twice.
    case fields
    /// Fields of a list, none of them twice, each by its name or an alias.
    case members
    /// A field, or a path over references that ends at a field.
    case path(Fit = .any)

    /// The fields that may be named.
    enum Fit: Sendable {
        case any
        case types([FieldType], PackWord)
        /// A field with a vocabulary.
        case state
        case reference(to: Target, orList: Bool = false)

        static let text = types([.text], .textField)
        static let textOrID = types([.text, .uuid], .textField)
        static let number = types([.integer, .decimal], .numberField)
        static let integer = types([.integer], .numberField)
        static let decimal = types([.decimal], .numberField)
        static let json = types([.json], .jsonField)
        static let day = types([.date, .datetime], .dateField)
        static let instant = types([.datetime], .timeField)
        static let photoName = types([.text], .photoName)
        static let project = reference(to: .project)
    }

    /// The entity that a reference leads to.
    enum Target: Sendable {
        case any, project
        case entity(String)
        /// The entity that the object around this one is about.
        case outer
    }
}

// Converts the keys of a report's blocks to shapes.

extension ObjectShape.Key {
    init(_ key: BlockKey) {
        self.init(name: key.name, shape: Shape(key.kind), isRequired: key.isRequired, documentation: key.about)
    }
}

extension ObjectShape {
    init(_ object: BlockObject) {
        self.init(object.name, object.about, object.keys.map(Key.init), exactlyOne: object.exactlyOne)
    }
}

extension Shape {
    init(_ kind: BlockKey.Kind) {
        self = switch kind {
        case .query, .column, .section: .name
        case .columns(_, let least): .list(.name, atLeast: least)
        case .text, .totals, .plainText, .file, .page: .text
        case .expression, .condition: .expression
        case .integer(let range): .integer(range)
        case .integers(let range, let least): .list(.integer(range), atLeast: least)
        case .number: .number
        case .numbers(let least): .list(.number, atLeast: least)
        case .boolean: .boolean
        case .word(let words): .word(words)
        case .words(let words, _): .map(.word(words))
        case .objects(let object, let least): .list(.object(ObjectShape(object)), atLeast: least)
        case .value(let object, _): .choice(.name, [ObjectShape(object)])
        case .values(let object, _, let least): .list(.choice(.name, [ObjectShape(object)]), atLeast: least)
        }
    }
}
