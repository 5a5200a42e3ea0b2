import Model

/// The names by which an export's sheets are told apart in files: `calicatas`, `luci`.
enum CSVNames {
    /// The file that says what the export is.
    static let about = "about"

    /// One name for each sheet, in order. A sheet keeps its machine name; those made one for each family, which share theirs or
    /// have a family's columns, are called after their titles.
    static func make(for sheets: [Sheet]) -> [String] {
        var taken: Set<String> = [about]
        let shared = Dictionary(grouping: sheets, by: \.name).filter { $0.value.count > 1 }
        let isNamedByTitle = sheets.map { shared[$0.name] != nil || $0.columns.contains(where: \.isParameter) }
        let own = zip(sheets, isNamedByTitle).map { sheet, byTitle in
            byTitle ? nil : ASCIIName.unique(fileName(sheet.name), &taken)
        }
        return zip(sheets, own).map { sheet, own in
            own ?? ASCIIName.unique(ASCIIName.slug(sheet.title), &taken)
        }
    }

    /// A machine name as it is, since packs allow nothing else; whatever else came, as a slug.
    private static func fileName(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        }
        return isPlain && !name.isEmpty && name.utf8.count <= 60 ? name : ASCIIName.slug(name)
    }
}
