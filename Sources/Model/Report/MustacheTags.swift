/// The names in a Mustache template. The library that fills templates prints nothing for an unknown
/// name, so names are compared with a report's columns when its pack is loaded
/// (https://mustache.github.io/mustache.5.html).
package enum MustacheTags {
    /// Names of variables and sections, in order of appearance, each once; `.` stands for the row
    /// itself and is left out.
    package static func names(in template: String) -> [String] {
        var names: [String] = []
        var rest = Substring(template)
        while let open = rest.firstRange(of: "{{") {
            rest = rest[open.upperBound...]
            guard let close = rest.firstRange(of: "}}") else { break }
            let tag = rest[..<close.lowerBound].trimmed
            rest = rest[close.upperBound...]
            guard let sign = tag.first, sign != "!" else { continue }
            let name = String(("#^/&{>".contains(sign) ? tag.dropFirst() : tag[...]).trimmed.prefix { $0 != "}" }.trimmed)
            if name != ".", !name.isEmpty, !names.contains(name) { names.append(name) }
        }
        return names
    }
}

extension StringProtocol {
    fileprivate var trimmed: Substring {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
