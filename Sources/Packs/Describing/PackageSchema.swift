package import Model

/// Makes JSON Schemas (draft 2020-12) for a survey package's files from a pack: one for the
/// manifest, and one for a row of each table.
package enum PackageSchema {
    package struct File: Sendable, Hashable {
        /// `calicatas.schema.json`.
        package var name: String
        package var text: String
    }

    package static func files(of pack: Pack) -> [File] {
        [File(name: "manifest.schema.json", text: manifest(pack).rendered())]
            + pack.entities.filter { !$0.isCore }.map {
                File(name: $0.name + ".schema.json", text: row($0, pack).rendered())
            }
    }

    private static let draft = "https://json-schema.org/draft/2020-12/schema"

    private static func manifest(_ pack: Pack) -> JSONText {
        .object([
            ("$schema", .text(draft)), ("$id", .text("urn:fichero:package:1:\(pack.name):manifest")),
            ("title", .text("Manifest of a survey package")),
            ("type", .text("object")), ("required", .texts(["format", "formatVersion", "pack"])),
            ("properties", manifestProperties(pack)),
        ])
    }

    private static func manifestProperties(_ pack: Pack) -> JSONText {
        .object([
            ("format", .object([("const", .text("fichero-package"))])),
            ("formatVersion", .object([("const", .integer(1))])),
            ("pack", .object([("const", .text(pack.name))])),
            ("packVersion", string),
            ("createdAt", .object([("type", .text("string")), ("format", .text("date-time"))])),
            ("project", string),
            ("description", string),
            ("counts", .object([("type", .text("object")), ("additionalProperties", count)])),
            (
                "entities",
                .object([
                    ("type", .text("array")), ("items", listedTable),
                    ("description", .text("In the order in which they are read: parents first.")),
                ])
            ),
            ("photos", .object([("type", .text("array")), ("items", listedPhoto)])),
        ])
    }

    /// A table as the manifest lists it.
    private static let listedTable: JSONText = .object([
        ("type", .text("object")), ("required", .texts(["entity", "file"])),
        (
            "properties",
            .object([("entity", string), ("file", filePath), ("rows", count), ("bytes", count), ("sha256", sha256)])
        ),
    ])

    /// A photo as the manifest lists it.
    private static let listedPhoto: JSONText = .object([
        ("type", .text("object")), ("required", .texts(["file", "entity", "id"])),
        (
            "properties",
            .object([("file", filePath), ("entity", string), ("id", uuid), ("sha256", sha256), ("bytes", count)])
        ),
    ])

    private static let string: JSONText = .object([("type", .text("string"))])
    private static let sha256: JSONText = .object([
        ("type", .text("string")), ("pattern", .text("^[0-9a-fA-F]{64}$")),
    ])
    private static let count: JSONText = .object([("type", .text("integer")), ("minimum", .integer(0))])
    private static let filePath: JSONText = .object([
        ("type", .text("string")), ("pattern", .text("^[^/\\\\]+(/[^/\\\\]+)*$")),
        ("description", .text("A path within the package, with / between folders.")),
    ])
    private static let uuid: JSONText = .object([("type", .text("string")), ("format", .text("uuid"))])

    private static func row(_ entity: Entity, _ pack: Pack) -> JSONText {
        var properties: [(key: String, value: JSONText)] = []
        var required: [JSONText] = []
        for field in entity.fields {
            for name in [field.name] + field.otherNames where !properties.contains(where: { $0.key == name }) {
                properties.append((name, value(field, pack)))
            }
            guard field.isRequired else { continue }
            let names = ([field.name] + field.otherNames).map { JSONText.object([("required", .texts([$0]))]) }
            required.append(names.count == 1 ? names[0] : .object([("anyOf", .list(names))]))
        }
        properties += [
            ("syncStatus", .object([("enum", .texts(SyncState.allCases.map(\.rawValue)))])),
            ("localVersion", .object([("type", .text("integer"))])),
            ("remoteUpdatedAt", .object([("type", .texts(["string", "null"])), ("format", .text("date-time"))])),
        ]
        return .object([
            ("$schema", .text(draft)), ("$id", .text("urn:fichero:package:1:\(pack.name):\(entity.name)")),
            ("title", .text("A row of \(entity.name)")), ("type", .text("object")), ("allOf", .list(required)),
            ("properties", .object(properties)), ("additionalProperties", .boolean(false)),
        ])
    }

    /// The schema of the values that an import accepts for a field. `fichero validate` checks
    /// whether a value is correct.
    private static func value(_ field: Field, _ pack: Pack) -> JSONText {
        let position: JSONText = .object([
            ("type", .text("array")), ("minItems", .integer(2)), ("items", .object([("type", .text("number"))])),
        ])
        var members: [(key: String, value: JSONText)] = switch field.type {
        case .text, .time: [("type", .texts(["string", "null"]))]
        case .integer: [("type", .texts(["integer", "null"]))]
        case .decimal: [("type", .texts(["number", "null"]))]
        case .boolean: [("type", .texts(["boolean", "null"]))]
        case .date: [("type", .texts(["string", "null"])), ("format", .text("date"))]
        case .datetime: [("type", .texts(["string", "null"])), ("format", .text("date-time"))]
        case .uuid: [("type", .texts(["string", "null"])), ("format", .text("uuid"))]
        case .json: []
            case .point:
                [
                    (
                        "anyOf",
                        .list([
                            position, .object([("type", .texts(["string", "null"]))]),
                            .object([("type", .text("object")), ("required", .texts(["x", "y"]))]),
                        ])
                    )
                ]
            case .polygon:
                [
                    (
                        "anyOf",
                        .list([.object([("type", .text("array"))]), .object([("type", .texts(["string", "null"]))])])
                    )
                ]
        case .list: [("type", .texts(["array", "string", "null"]))]
        }
        if let name = field.vocabulary, let vocabulary = pack.vocabulary(name), field.type == .text {
            let words = vocabulary.entries.flatMap { [$0.value] + $0.aliases }
            let list: JSONText = .list(words.map { .text($0) } + [.null])
            if let pattern = vocabulary.alsoPattern {
                members.append(
                    ("anyOf", .list([.object([("enum", list)]), .object([("pattern", .text("^(?:\(pattern))$"))])])))
            } else {
                members.append(("enum", list))
            }
        }
        if let unit = field.unit { members.append(("description", .text(unit))) }
        if let target = field.references { members.append(("$comment", .text("id of \(target)"))) }
        return .object(members)
    }
}

/// JSON with its keys in the given order or sorted, indented by two spaces for each level. Equal
/// values give equal bytes.
indirect enum JSONText {
    case text(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    case null
    case list([JSONText])
    case object([(key: String, value: JSONText)])

    static func texts(_ texts: [String]) -> JSONText { .list(texts.map { .text($0) }) }
    static func optional(_ text: String?) -> JSONText { text.map { .text($0) } ?? .null }

    /// The text with line breaks and indentation, and a line break at the end.
    func rendered(sortingKeys: Bool = false) -> String {
        var output = ""
        write(to: &output, indent: 0, sorted: sortingKeys)
        return output + "\n"
    }

    private func write(to output: inout String, indent: Int, sorted: Bool) {
        switch self {
        case .text(let text): JSONString.append(text, to: &output)
        case .integer(let integer): output += String(integer)
        case .number(let number):
            output += number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
        case .boolean(let boolean): output += boolean ? "true" : "false"
        case .null: output += "null"
        case .list(let items):
            Self.write(items, "[", "]", to: &output, indent: indent) { item, output in
                item.write(to: &output, indent: indent + 1, sorted: sorted)
            }
        case .object(let pairs):
            Self.write(sorted ? pairs.sorted { $0.key < $1.key } : pairs, "{", "}", to: &output, indent: indent) {
                pair, output in
                JSONString.append(pair.key, to: &output)
                output += ": "
                pair.value.write(to: &output, indent: indent + 1, sorted: sorted)
            }
        }
    }

    private static func write<Item>(
        _ items: [Item], _ open: String, _ close: String, to output: inout String, indent: Int,
        _ write: (Item, inout String) -> Void
    ) {
        guard !items.isEmpty else {
            output += open + close
            return
        }
        output += open
        for (index, item) in items.enumerated() {
            output += (index == 0 ? "\n" : ",\n") + String(repeating: "  ", count: indent + 1)
            write(item, &output)
        }
        output += "\n" + String(repeating: "  ", count: indent) + close
    }
}
