/// Names of elements and types: valid NCNames of ASCII (XML Namespaces 1.0, section 3), the same from a pack and from a sheet.
enum XMLName {
    static let namespacePrefix = "urn:fichero:"
    /// Grows when files are laid out in a way that older readers do not expect.
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

    /// Letters, digits, `_` and `.` stay; `-` and all else becomes `_`; a name never begins with a digit or `.`.
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
