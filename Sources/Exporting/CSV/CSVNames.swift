import Model

/// The names that distinguish an export's sheets in files: `calicatas`, `luci`.
enum CSVNames {
    /// The name of the file about the export.
    static let about = "about"

    /// One name for each sheet, in order. A sheet keeps its machine name. Sheets that share a
    /// machine name, and sheets with the columns of a family, are named by their titles.
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

    /// A machine name unchanged, since packs allow only safe ones; any other name as a slug.
    private static func fileName(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        }
        return isPlain && !name.isEmpty && name.utf8.count <= 60 ? name : ASCIIName.slug(name)
    }
}
