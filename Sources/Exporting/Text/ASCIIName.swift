import Foundation

/// Makes names of files and archive entries from titles for people: `Luci e prese (è)` →
/// `luci-e-prese-e`.
enum ASCIIName {
    private static let longest = 60

    static func slug(_ title: String) -> String {
        var slug = ""
        for scalar in title.decomposedStringWithCompatibilityMapping.unicodeScalars {
            // An accent is dropped without dividing the word.
            if scalar.properties.generalCategory == .nonspacingMark { continue }
            let isKept = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            if isKept {
                slug.append(Character(scalar).lowercased())
            } else if let last = slug.last, last != "-" {
                slug.append("-")
            }
            if slug.count == longest { break }
        }
        while slug.last == "-" { slug.removeLast() }
        return slug.isEmpty ? "sheet" : slug
    }

    /// The name, or the name with the suffix `-2`, `-3` …, so that each is unique.
    static func unique(_ name: String, _ taken: inout Set<String>) -> String {
        var candidate = name
        var number = 2
        while !taken.insert(candidate).inserted {
            candidate = "\(name)-\(number)"
            number += 1
        }
        return candidate
    }
}
