import Foundation

/// A mapping as an import's record and its rejected rows identify it:
/// `registro-plano?year=2019#CSM-2025`. The identity shows how rows were read, so that a retry can
/// read them in the same way.
package struct MappingIdentity: Sendable, Hashable {
    /// The name of the pack's mapping, or the absolute path of the mapping's file.
    package var name: String
    /// SHA-256 of a mapping's file outside the pack, after `@`.
    package var sha256: String?
    /// The values given for options of the import, after `?`.
    package var given: [String: String] = [:]
    /// The code of the project given for the import, after `#`.
    package var projectCode: String?

    package init(name: String, sha256: String? = nil, given: [String: String] = [:], projectCode: String? = nil) {
        (self.name, self.sha256, self.given, self.projectCode) = (name, sha256, given, projectCode)
    }

    package init(_ text: String) {
        var rest = text
        if text.hasPrefix("/"), let parts = text.wholeMatch(of: /(.*)@([0-9a-f]{64})((?:[?#].*)?)/) {
            (name, sha256, rest) = (String(parts.1), String(parts.2), String(parts.3))
        } else {
            name = String(text.prefix { $0 != "?" && $0 != "#" })
            rest.removeFirst(name.count)
        }
        // A project's code may contain any character, but an option's value is encoded.
        if let mark = rest.firstIndex(of: "#") {
            projectCode = String(rest[rest.index(after: mark)...])
            rest = String(rest[..<mark])
        }
        for pair in rest.dropFirst().split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { given[String(parts[0])] = parts[1].removingPercentEncoding }
        }
    }

    /// The mapping of a row, from its place's `mapping`: `registro-plano#CSM-2025/1/0`. The path of
    /// a mapping's file may contain slashes too.
    package init(ofAddress address: String) {
        self.init(address.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/"))
    }

    package var text: String {
        let options = given.sorted { $0.key < $1.key }.map { $0.key + "=" + $0.value.percentEncoded() }.joined(
            separator: "&")
        return name + (sha256.map { "@" + $0 } ?? "") + (options.isEmpty ? "" : "?" + options)
            + (projectCode.map { "#" + $0 } ?? "")
    }
}

extension ImportMapping {
    /// A value that the file lacks and the importer gives: `--option NAME=VALUE` (`options` in
    /// `imports/NAME.yaml`). Text: `import.MAPPING.OPTION`.
    ///
    /// The import's records store the values unchanged, so no option may be personal data.
    package struct Option: Sendable, Hashable {
        package var name: String
        package var isRequired: Bool
        /// PCRE2 pattern that the whole value must match.
        package var pattern: String?
        /// An example value, for messages.
        package var example: String?
        /// The displayed title, if the mapping's file contains it.
        package var titles: [Language: String] = [:]

        package init(_ name: String, isRequired: Bool = false, pattern: String? = nil, example: String? = nil) {
            (self.name, self.isRequired, self.pattern, self.example) = (name, isRequired, pattern, example)
        }

        init(_ pair: PackNode.Pair) {
            let node = pair.value
            self.init(
                pair.key, isRequired: node.isTrue("required"), pattern: node.text("pattern"),
                example: node.text("example"))
            titles = node.titles("title")
        }

        /// Names with another meaning in queries.
        package static let reserved: Set<String> = ["project", "today"]
        /// The maximum bytes of a value, because rejected rows contain it.
        package static let mostBytes = 200
    }

    /// The key of an option's title, if the mapping's file contains none.
    package func textKey(of option: Option) -> String { "import.\(name).\(option.name)" }
}

extension PackNode {
    /// A text for each language, or one text for all.
    func titles(_ key: String) -> [Language: String] {
        guard let title = self[key] else { return [:] }
        return Dictionary(uniqueKeysWithValues: Language.allCases.compactMap { language in
            (title.text ?? title.text(language.rawValue) ?? title.pairs.first?.value.text).map { (language, $0) }
        })
    }
}

extension [ImportMapping.Target] {
    /// Completes references to a parent row made earlier from the same row of the file (`parent`
    /// without `by`), with the fields that defined the parent's id or key.
    var linked: [ImportMapping.Target] {
        reduce(into: []) { linked, target in
            var target = target
            target.fields = target.fields.map { $0.linked(to: linked) }
            linked.append(target)
        }
    }
}

extension ImportMapping.Field {
    fileprivate func linked(to before: [ImportMapping.Target]) -> ImportMapping.Field {
        func all(_ fields: [ImportMapping.Field]) -> [ImportMapping.Field] { fields.map { $0.linked(to: before) } }
        var field = self
        switch value {
        case .parent(let entity, let by) where by.isEmpty:
            guard let parent = before.last(where: { $0.entity == entity }) else { return self }
            guard var id = parent.fields.first(where: { $0.name == "id" }) else {
                return ImportMapping.Field(
                    name,
                    .parent(entity: entity, by: parent.key.compactMap { key in parent.fields.first { $0.name == key } })
                )
            }
            id.name = name
            return id
        case .parent(let entity, let by): field.value = .parent(entity: entity, by: all(by))
        case .identifier(let parts): field.value = .identifier(all(parts))
        case .object(let members): field.value = .object(all(members))
        case .merge(let parts): field.value = .merge(all(parts))
        default: break
        }
        return field
    }
}
