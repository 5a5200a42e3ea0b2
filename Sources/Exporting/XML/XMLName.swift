/// Makes names of elements and types: valid NCNames of ASCII (XML Namespaces 1.0, section 3), the
/// same for a pack and a sheet.
enum XMLName {
    static let namespacePrefix = "urn:fichero:"
    /// The version of the layout, which grows when older readers would not understand the files.
    static let layoutVersion = 1

    static func namespace(pack: String) -> String { namespacePrefix + make(pack) + ":\(layoutVersion)" }

    /// The element of a sheet; `about` is taken by the head.
    static func sheet(_ name: String) -> String {
        let made = make(name)
        return made == "about" ? "about_" : made
    }

    /// The element of a column; `parameter` is taken by the columns of a family.
    static func column(_ name: String) -> String {
        let made = make(name)
        return made == "parameter" ? "parameter_" : made
    }

    static func exportType(_ name: String) -> String { "export." + make(name) }

    /// The name with letters, digits, `_` and `.`; `-` and all else becomes `_`. It never begins
    /// with a digit or `.`.
    static func make(_ name: String) -> String {
        var made = ""
        for scalar in name.unicodeScalars {
            let isKept = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "." || scalar == "_")
            made.append(isKept ? Character(scalar) : "_")
        }
        guard let first = made.first, first.isLetter || first == "_" else { return "_" + made }
        return made
    }
}
