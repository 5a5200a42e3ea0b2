internal import Foundation
internal import Model
internal import Patterns

/// Checks a node of YAML against its shape, and reports everything that does not fit.
struct ShapeCheck {
    let mistakes: MistakeList

    /// Checks a file's root. `title` replaces the key in messages about the root.
    func check(_ node: YAMLNode, _ shape: Shape, title: String) {
        check(node, shape, key: title)
    }

    private func check(_ node: YAMLNode, _ shape: Shape, key: String) {
        switch shape {
        case .scalar(let scalar):
            check(node, scalar, key: key)
        case .list(let item, let least):
            checkList(node, item, atLeast: least, key: key)
        case .object(let object):
            check(node, object, key: key)
        case .choice(let scalar, let objects):
            checkChoice(node, scalar, objects, key: key)
        case .deferred(let shape):
            check(node, shape(), key: key)
        case .oneOrMany(let shape):
            if case .sequence = node.content {
                check(node, .list(shape, atLeast: 1), key: key)
            } else {
                check(node, shape, key: key)
            }
        case .byKind(let scalar, let list, let map):
            switch node.content {
            case .scalar: check(node, scalar ?? list, key: key)
            case .sequence: check(node, list, key: key)
            case .mapping: check(node, map ?? list, key: key)
            }
        case .map(let shape):
            guard case .mapping(let pairs) = node.content else { return add(node, key, expected: .mapping) }
            checkDuplicates(pairs)
            for pair in pairs { check(pair.value, shape, key: pair.key) }
        case .table:
            checkTable(node, key: key)
        }
    }

    private func checkList(_ node: YAMLNode, _ item: Shape, atLeast least: Int, key: String) {
        guard case .sequence(let items) = node.content else { return add(node, key, expected: .list) }
        if items.count < least {
            mistakes.add(.wrongType, at: node.place, ["key": key, "expected": "list", "found": "nothing"])
        }
        for element in items { check(element, item, key: key) }
    }

    private func checkChoice(_ node: YAMLNode, _ scalar: ScalarShape?, _ objects: [ObjectShape], key: String) {
        if case .mapping = node.content {
            guard
                let object = objects.first(where: { node[$0.keys[0].name] != nil })
                    ?? (objects.count == 1 ? objects[0] : nil)
            else {
                return mistakes.add(
                    .exclusive, at: node.place,
                    ["keys": objects.map { "“" + $0.keys[0].name + "”" }.joined(separator: ", ")])
            }
            check(node, object, key: key)
        } else if let scalar {
            check(node, scalar, key: key)
        } else {
            add(node, key, expected: .mapping)
        }
    }

    private func checkTable(_ node: YAMLNode, key: String) {
        guard case .mapping(let pairs) = node.content else { return add(node, key, expected: .mapping) }
        checkDuplicates(pairs)
        for pair in pairs {
            guard case .scalar = pair.value.content else {
                add(pair.value, pair.key, expected: .text)
                continue
            }
            if pair.value.text?.allSatisfy(\.isWhitespace) ?? true {
                mistakes.add(.emptyText, at: pair.keyPlace, ["key": pair.key])
            }
        }
    }

    private func add(_ node: YAMLNode, _ key: String, expected: PackWord) {
        mistakes.add(
            .wrongType, at: node.place, ["key": key, "expected": expected.rawValue, "found": node.kind.rawValue])
    }

    private func checkDuplicates(_ pairs: [YAMLNode.Pair]) {
        var seen: [String: PackPlace] = [:]
        for pair in pairs {
            if let first = seen[pair.key] {
                mistakes.add(.duplicateKey, at: pair.keyPlace, ["key": pair.key, "line": String(first.line)])
            } else {
                seen[pair.key] = pair.keyPlace
            }
        }
    }

    private func check(_ node: YAMLNode, _ object: ObjectShape, key: String) {
        guard case .mapping(let pairs) = node.content else { return add(node, key, expected: .mapping) }
        checkDuplicates(pairs)
        var keys = object.keys
        var isComplete = true
        if let variants = object.variants {
            if let more = variants.keys.first(where: { $0.value == node.text(variants.key) }) {
                keys += more.keys
            } else {
                // The variant is unknown, so the keys of any variant are accepted.
                keys += variants.keys.flatMap(\.keys)
                isComplete = false
            }
        }
        let known = keys.map(\.name)
        for pair in pairs {
            guard let declared = keys.first(where: { $0.name == pair.key }) else {
                var arguments = ["key": pair.key, "known": known.joined(separator: ", ")]
                arguments["nearest"] = Spelling.nearest(to: pair.key, among: known)
                mistakes.add(.unknownKey, at: pair.keyPlace, arguments)
                continue
            }
            check(pair.value, declared.shape, key: pair.key)
        }
        for declared in isComplete ? keys : object.keys where declared.isRequired && node[declared.name] == nil {
            mistakes.add(.missingKey, at: node.place, ["key": declared.name])
        }
        if !object.exactlyOne.isEmpty, object.exactlyOne.count(where: { node[$0] != nil }) != 1 {
            mistakes.add(
                .exclusive, at: node.place, ["keys": object.exactlyOne.map { "“\($0)”" }.joined(separator: ", ")])
        }
    }

    /// Checks the text of a scalar.
    private func check(_ node: YAMLNode, _ shape: ScalarShape, key: String) {
        guard let text = node.text else {
            return add(node, key, expected: shape.word)
        }
        switch shape {
        case .anyText: break
        case .text:
            if text.isEmpty {
                mistakes.add(.wrongType, at: node.place, ["key": key, "expected": "text", "found": "nothing"])
            }
        case .name, .title, .code, .path:
            if let form = shape.nameForm, !form.accepts(text) {
                mistakes.add(.badName, at: node.place, ["name": text, "form": form.example])
            }
        case .boolean:
            if node.boolean == nil { add(node, key, expected: .boolean) }
        case .integer(let range):
            guard let integer = node.integer else { return add(node, key, expected: .wholeNumber) }
            if !range.contains(integer) {
                mistakes.add(
                    .badValue, at: node.place,
                    ["key": key, "value": text, "allowed": "\(range.lowerBound) … \(range.upperBound)"])
            }
        case .number:
            if node.number == nil { add(node, key, expected: .number) }
        case .date:
            if !Timestamp.isDate(text) { add(node, key, expected: .date) }
        case .bound:
            if node.integer == nil, !NameForm.path.accepts(text) { add(node, key, expected: .wholeNumber) }
        case .trueOrName:
            if text != "true", text != "false", !NameForm.name.accepts(text) { add(node, key, expected: .field) }
        case .word(let words):
            if !words.contains(text) {
                var arguments = ["key": key, "value": text, "allowed": words.joined(separator: ", ")]
                arguments["nearest"] = Spelling.nearest(to: text, among: words)
                mistakes.add(.badValue, at: node.place, arguments)
            }
        case .pattern:
            do {
                _ = try Pattern(text)
            } catch {
                mistakes.add(
                    .badPattern, at: node.place,
                    ["pattern": text, "reason": error.reason, "position": String(error.offset + 1)])
            }
        case .expression:
            // `CheckContext` parses it and checks its types for its entity.
            break
        }
    }
}

extension ScalarShape {
    fileprivate var word: PackWord {
        switch self {
        case .text, .anyText, .name, .title, .code, .word: .text
        case .path: .path
        case .expression: .expression
        case .pattern: .pattern
        case .boolean: .boolean
        case .integer, .bound: .wholeNumber
        case .number: .number
        case .date: .date
        case .trueOrName: .boolean
        }
    }

    var nameForm: NameForm? {
        switch self {
        case .name: .name
        case .title: .title
        case .code: .code
        case .path: .path
        default: nil
        }
    }
}

/// The forms of names in packs. Each is safe as a table, a column, a file and an XML element.
enum NameForm: Sendable {
    case name, title, code, path

    private static let maximumLength = 60

    /// The pattern of the form for the JSON Schema, with the same meaning in PCRE2 and ECMAScript.
    var pattern: String {
        switch self {
        case .name: "^[a-z][a-z0-9_]{0,59}$"
        case .title: "^[a-z][a-z0-9_-]{0,59}$"
        case .code: "^[A-Z][A-Z0-9]*(-[A-Z0-9]+)*$"
        case .path: "^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*){0,7}$"
        }
    }

    var example: String {
        switch self {
        case .name: "snake_case (a–z, 0–9, _)"
        case .title: "kebab-case (a–z, 0–9, -, _)"
        case .code: "UPPER-CASE (A–Z, 0–9, -)"
        case .path: "field.field.field (a–z, 0–9, _)"
        }
    }

    func accepts(_ text: String) -> Bool {
        switch self {
        case .name: Self.isWord(text.utf8, further: "_")
        case .title: Self.isWord(text.utf8, further: "_-")
        case .path:
            text.utf8.count { $0 == UInt8(ascii: ".") } < 8
                && text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
                    Self.isWord($0, further: "_")
                }
        case .code:
            text.utf8.count <= Self.maximumLength && text.utf8.first.map { (0x41...0x5A).contains($0) } ?? false
                && text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).allSatisfy { part in
                    !part.isEmpty && part.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) }
                }
        }
    }

    private static func isWord(_ bytes: some Collection<UInt8>, further: String) -> Bool {
        guard let first = bytes.first, (0x61...0x7A).contains(first), bytes.count <= maximumLength else { return false }
        return bytes.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || further.utf8.contains($0)
        }
    }
}
