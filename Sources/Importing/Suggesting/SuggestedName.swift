/// Makes names for values in mappings: small letters, digits and underscores.
enum SuggestedName {
    static func form(_ label: String) -> String {
        let words = HeadingWords.plainWords(label)
        let name = words.joined(separator: "_")
        return name.first?.isLetter == true ? String(name.prefix(40)) : "valor" + (name.isEmpty ? "" : "_" + name.prefix(30))
    }
}
