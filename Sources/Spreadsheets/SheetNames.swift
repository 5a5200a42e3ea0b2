/// Gives every sheet a name that Excel accepts: at most 31 UTF-16 units, none of `[]:*?/\`, no
/// apostrophe at either end, not «History», not empty, and unique regardless of case.
package struct SheetNames {
    private let limit: Int
    private var taken: Set<String> = []

    package init(limit: Int = XLSXLimits.excel.sheetName) {
        self.limit = limit
    }

    /// The name for a title, and for the further sheets on which a long table continues (`part` 2,
    /// 3 …): `Cortes (2)`.
    package mutating func take(_ title: String, part: Int = 1) -> String {
        let wanted = Self.clean(title)
        let suffix = part == 1 ? "" : " (\(part))"
        var number = part
        var name = shortened(wanted, suffix)
        while !taken.insert(name.lowercased()).inserted {
            number += 1
            name = shortened(wanted, " (\(number))")
        }
        return name
    }

    private func shortened(_ name: String, _ suffix: String) -> String {
        var kept = name
        while kept.utf16.count + suffix.utf16.count > limit { kept.removeLast() }
        // The library builds `'name'!Print_Titles`, with apostrophes doubled, in a buffer of 128
        // bytes.
        while kept.utf8.count + suffix.utf8.count + kept.utf8.count(where: { $0 == UInt8(ascii: "'") }) > 100 { kept.removeLast() }
        while kept.last == "'" || kept.last == " " { kept.removeLast() }
        return (kept.isEmpty ? "_" : kept) + suffix
    }

    private static func clean(_ title: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in title.unicodeScalars {
            switch scalar {
            case "[": scalars.append("(")
            case "]": scalars.append(")")
            case ":", "*", "?", "/", "\\": scalars.append("-")
            case _ where scalar.value < 0x20 || scalar.value == 0x7F || scalar.value >= 0xFFFE && scalar.value <= 0xFFFF:
                scalars.append("_")
            default: scalars.append(scalar)
            }
        }
        var name = String(scalars)
        while let first = name.first, first == "'" || first == " " { name.removeFirst() }
        while let last = name.last, last == "'" || last == " " { name.removeLast() }
        if name.isEmpty { return "_" }
        return name.lowercased() == "history" ? name + "_" : name
    }
}
