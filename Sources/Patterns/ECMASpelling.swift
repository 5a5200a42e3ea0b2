/// Rewrites a pattern of ECMA-262, as JSON Schema uses them, for PCRE2. The two differ in the long
/// names of Unicode properties and in what counts as white space.
struct ECMASpelling {
    /// The short name of each general category, by its long name (Unicode, table 12 of UAX #44).
    private static let categories = [
        "Letter": "L", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt", "Cased_Letter": "L&",
        "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me",
        "Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "punct": "P",
        "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe",
        "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf", "Other_Punctuation": "Po", "Symbol": "S", "Math_Symbol": "Sm",
        "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So", "Separator": "Z", "Space_Separator": "Zs",
        "Line_Separator": "Zl", "Paragraph_Separator": "Zp", "Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf",
        "Surrogate": "Cs", "Private_Use": "Co", "Unassigned": "Cn", "ASCII": "Basic_Latin",
    ]
    private static let space = #"\t\n\x0B\f\r\uFEFF\p{Z}"#

    static func translated(_ source: String) -> String {
        guard source.utf8.contains(UInt8(ascii: "\\")) else { return source }
        var result = ""
        var rest = Substring(source)
        var isInClass = false
        while let character = rest.popFirst() {
            if character == "[" { isInClass = true }
            if character == "]" { isInClass = false }
            guard character == "\\", let escape = rest.popFirst() else {
                result.append(character)
                continue
            }
            switch escape {
            case "p", "P":
                guard rest.first == "{", let end = rest.firstIndex(of: "}") else {
                    result += "\\" + String(escape)
                    continue
                }
                let name = rest[rest.index(after: rest.startIndex)..<end]
                result += property(name, isNegated: escape == "P", isInClass: isInClass)
                rest = rest[rest.index(after: end)...]
            case "s": result += isInClass ? space : "[\(space)]"
            case "S" where !isInClass: result += "[^\(space)]"
            default: result += "\\" + String(escape)
            }
        }
        return result
    }

    private static func property(_ name: Substring, isNegated: Bool, isInClass: Bool) -> String {
        let parts = name.split(separator: "=", maxSplits: 1)
        let value = String(parts.last ?? "")
        let short = parts.count == 2 && !["General_Category", "gc"].contains(parts[0]) ? value : categories[value] ?? value
        if short == "Basic_Latin" { return isInClass ? #"\x00-\x7F"# : isNegated ? #"[^\x00-\x7F]"# : #"[\x00-\x7F]"# }
        return (isNegated ? "\\P{" : "\\p{") + short + "}"
    }
}
