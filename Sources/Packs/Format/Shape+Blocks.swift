internal import Blocks

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
