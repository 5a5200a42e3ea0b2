internal import Model

extension PackFormat {
    /// The pack format as a JSON Schema (2020-12) with line breaks and sorted keys; always the same
    /// bytes. `$defs` has a schema for each kind of file (`file.pack`, `file.entities`, …) and for
    /// each object in them. A file of a pack must fit one of the schemas of files.
    package static func jsonSchema() -> String {
        var definitions: [String: JSONText] = [:]
        var files: [JSONText] = []
        for kind in FileKind.allCases {
            let name = "file." + kind.rawValue
            definitions[name] = schema(of: kind.shape, &definitions)
            files.append(reference(name))
        }
        return JSONText.object([
            ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
            ("$id", .text("urn:fichero:pack-format:\(version)")),
            ("title", .text("Fichero pack format \(version)")),
            (
                "description",
                .text(
                    "Every scalar of a pack is read as the text that stands there. "
                        + "References to names that do not exist, expressions and texts are checked beyond this schema."
                )
            ),
            ("anyOf", .list(files)),
            ("$defs", .object(definitions.map { ($0.key, $0.value) })),
        ]).rendered(sortingKeys: true)
    }

    /// Every key of the format, by the name of its object, for completeness checks and documents.
    package static var keys: [String: [String]] {
        var objects: [String: ObjectShape] = [:]
        for kind in FileKind.allCases { collect(kind.shape, &objects) }
        return objects.mapValues { $0.allKeys.map(\.name) }
    }

    private static func collect(_ shape: Shape, _ objects: inout [String: ObjectShape]) {
        switch shape {
        case .scalar, .table: break
        case .list(let item, _), .map(let item), .oneOrMany(let item): collect(item, &objects)
        case .byKind(let scalar, let list, let map):
            for shape in [scalar, list, map].compactMap(\.self) { collect(shape, &objects) }
        case .deferred(let shape):
            if case .choice(_, let choices) = shape(), choices.allSatisfy({ objects[$0.name] != nil }) { return }
            collect(shape(), &objects)
        case .choice(_, let choices): for choice in choices { collect(.object(choice), &objects) }
        case .object(let object):
            guard objects.updateValue(object, forKey: object.name) == nil else { return }
            for key in object.allKeys { collect(key.shape, &objects) }
        }
    }

    private static func reference(_ name: String) -> JSONText { .object([("$ref", .text("#/$defs/" + name))]) }

    private static func schema(of shape: Shape, _ definitions: inout [String: JSONText]) -> JSONText {
        switch shape {
        case .scalar(let scalar):
            return .object(schema(of: scalar))
        case .list(let item, let least):
            var pairs: [(String, JSONText)] = [("type", .text("array")), ("items", schema(of: item, &definitions))]
            if least > 0 { pairs.append(("minItems", .integer(least))) }
            return .object(pairs)
        case .object(let object):
            define(object, &definitions)
            return reference(object.name)
        case .choice(let scalar, let objects):
            for object in objects { define(object, &definitions) }
            return .object([
                ("anyOf", .list((scalar.map { [.object(schema(of: $0))] } ?? []) + objects.map { reference($0.name) }))
            ]
            )
        case .map(let value):
            return .object([("type", .text("object")), ("additionalProperties", schema(of: value, &definitions))])
        case .oneOrMany(let item):
            let one = schema(of: item, &definitions)
            return .object([
                (
                    "anyOf",
                    .list([one, .object([("type", .text("array")), ("items", one), ("minItems", .integer(1))])])
                )
            ])
        case .byKind(let scalar, let list, let map):
            let shapes = [scalar, list, map].compactMap(\.self)
            return .object([("anyOf", .list(shapes.map { schema(of: $0, &definitions) }))])
        case .deferred(let shape):
            return schema(of: shape(), &definitions)
        case .table:
            return .object([("type", .text("object")), ("additionalProperties", .object(schema(of: .text)))])
        }
    }

    private static func define(_ object: ObjectShape, _ definitions: inout [String: JSONText]) {
        guard definitions[object.name] == nil else { return }
        // The name is reserved before its keys are visited, in case an object contains itself.
        definitions[object.name] = .null
        var properties: [(String, JSONText)] = []
        for key in object.allKeys {
            let shape = schema(of: key.shape, &definitions)
            let described: JSONText
            if case .object(let pairs) = shape {
                described = .object(pairs + [("description", .text(key.documentation))])
            } else {
                described = shape
            }
            properties.append((key.name, described))
        }
        var pairs: [(String, JSONText)] = [
            ("type", .text("object")), ("description", .text(object.documentation)),
            ("properties", .object(properties)),
            ("required", .texts(object.keys.filter(\.isRequired).map(\.name))),
            ("additionalProperties", .boolean(false)),
        ]
        if !object.exactlyOne.isEmpty {
            pairs.append(("oneOf", .list(object.exactlyOne.map { .object([("required", .texts([$0]))]) })))
        }
        if let variants = object.variants {
            pairs.append(("allOf", .list(variants.keys.map { variant(variants.key, $0.value, $0.keys, of: variants) })))
        }
        definitions[object.name] = .object(pairs)
    }

    /// For one value of the deciding key, its variant's keys are required and the other variants'
    /// keys are forbidden.
    private static func variant(
        _ key: String, _ value: String, _ keys: [ObjectShape.Key], of variants: ObjectShape.Variants
    )
        -> JSONText
    {
        let own = Set(keys.map(\.name))
        let others = variants.keys.flatMap(\.keys).map(\.name).filter { !own.contains($0) }
        return .object([
            (
                "if",
                .object([
                    ("properties", .object([(key, .object([("const", .text(value))]))])), ("required", .texts([key])),
                ])
            ),
            (
                "then",
                .object([
                    ("required", .texts(keys.filter(\.isRequired).map(\.name))),
                    ("properties", .object(others.map { ($0, .boolean(false)) })),
                ])
            ),
        ])
    }

    private static func schema(of scalar: ScalarShape) -> [(String, JSONText)] {
        // Editors apply YAML's types where packs have text: they read `version: 1.10` and `value:
        // 0045` as numbers.
        let anyScalar = ("type", JSONText.texts(["string", "number", "boolean"]))
        switch scalar {
        case .text, .anyText: return [anyScalar]
        case .name, .title, .code, .path:
            return [("type", .text("string")), ("pattern", .text(scalar.nameForm?.pattern ?? ""))]
        case .expression, .pattern: return [anyScalar]
        case .boolean: return [("type", .text("boolean"))]
        case .integer(let range):
            return [
                ("type", .text("integer")), ("minimum", .integer(range.lowerBound)),
                ("maximum", .integer(range.upperBound)),
            ]
        case .number: return [("type", .text("number"))]
        case .date: return [("type", .text("string")), ("format", .text("date"))]
        case .bound:
            return [("anyOf", .list([.object([("type", .text("integer"))]), .object(schema(of: ScalarShape.path))]))]
        case .trueOrName:
            return [("anyOf", .list([.object([("type", .text("boolean"))]), .object(schema(of: ScalarShape.name))]))]
        case .word(let words): return [("type", .text("string")), ("enum", .texts(words))]
        }
    }
}

extension ObjectShape {
    /// The object's keys and those of every variant.
    fileprivate var allKeys: [Key] { keys + (variants?.keys.flatMap(\.keys) ?? []) }
}
